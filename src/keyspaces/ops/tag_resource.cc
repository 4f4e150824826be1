#include "keyspaces/api/tag_resource.h"

#include "keyspaces/definitions/objects.h"
#include "keyspaces/definitions/settings.h"

// docs/service-keyspaces/control-plane.md section 3.
namespace dinette::keyspaces::ops {

Answer<api::TagResourceOutput> tag_resource(const Context& context, api::TagResourceInput&& input) {
  DINETTE_TRY(const TaggedResource resource, open_tagged(context, input.resource_arn));
  DINETTE_CHECK(check_active(resource.shown, resource.status));
  DINETTE_CHECK(define(context, resource.statement + " ADD TAGS " + map_of(input.tags).cql()));
  return api::TagResourceOutput();
}

}  // namespace dinette::keyspaces::ops
