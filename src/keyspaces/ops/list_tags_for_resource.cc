#include "keyspaces/api/list_tags_for_resource.h"

#include <utility>

#include "keyspaces/api/limits.h"
#include "keyspaces/definitions/objects.h"
#include "keyspaces/definitions/pages.h"

// docs/service-keyspaces/control-plane.md section 3.
namespace dinette::keyspaces::ops {

Answer<api::ListTagsForResourceOutput> list_tags_for_resource(const Context& context,
                                                              api::ListTagsForResourceInput&& input) {
  DINETTE_TRY(const TaggedResource resource, open_tagged(context, input.resource_arn));
  std::vector<api::Tag> all;
  for (const auto& [key, value] : resource.tags) all.push_back({key, value});
  const auto most = static_cast<std::size_t>(
      input.max_results.value_or(static_cast<std::int32_t>(model::limits::page_objects)));
  DINETTE_TRY(auto page, page_of(TokenKind::tags, std::move(all), input.next_token, most,
                                 [](const api::Tag& tag) { return tag.key; }));
  return api::ListTagsForResourceOutput{std::move(page.next_token), std::move(page.elements)};
}

}  // namespace dinette::keyspaces::ops
