#include "dynamodb/api/list_tags_of_resource.h"

#include "dynamodb/tables/tags.h"

namespace dinette::dynamodb::ops {

// All tags come at once, so no token is ever given; the service ignores one that it has not given
// (docs/service/ttl-tags.md section 2).
Answer<api::ListTagsOfResourceOutput> list_tags_of_resource(const Context& context,
                                                            api::ListTagsOfResourceInput&& input) {
  DINETTE_TRY(Tags tags, read_tags(context, input.resource_arn));
  return api::ListTagsOfResourceOutput{std::move(tags), std::nullopt};
}

}  // namespace dinette::dynamodb::ops
