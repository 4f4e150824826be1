#include "keyspaces/api/untag_resource.h"

#include "keyspaces/definitions/objects.h"
#include "keyspaces/definitions/settings.h"

// docs/service-keyspaces/control-plane.md section 3.
namespace dinette::keyspaces::ops {

/// A tag of another value stays.
Answer<api::UntagResourceOutput> untag_resource(const Context& context, api::UntagResourceInput&& input) {
  DINETTE_TRY(const TaggedResource resource, open_tagged(context, input.resource_arn));
  DINETTE_CHECK(check_active(resource.shown, resource.status));
  std::erase_if(input.tags, [&](const api::Tag& tag) {
    const auto found = resource.tags.find(tag.key);
    return found == resource.tags.end() || found->second != tag.value;
  });
  if (input.tags.empty()) return api::UntagResourceOutput();
  DINETTE_CHECK(define(context, resource.statement + " DROP TAGS " + map_of(input.tags).cql()));
  return api::UntagResourceOutput();
}

}  // namespace dinette::keyspaces::ops
