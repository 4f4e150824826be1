#include "dynamodb/api/untag_resource.h"

#include <algorithm>

#include "dynamodb/api/tag.h"
#include "dynamodb/tables/tags.h"

namespace dinette::dynamodb::ops {

Answer<api::UntagResourceOutput> untag_resource(const Context& context, api::UntagResourceInput&& input) {
  DINETTE_CHECK(check_resource_arn(input.resource_arn));
  if (input.tag_keys.empty()) return validation("Atleast one Tag Key needs to be provided as Input.");
  DINETTE_CHECK(check_tag_keys(input.tag_keys));
  DINETTE_CHECK(change_tags(context, input.resource_arn, [&](Tags& tags) {
    std::erase_if(tags, [&](const api::Tag& tag) {
      return std::ranges::find(input.tag_keys, tag.key) != input.tag_keys.end();
    });
  }));
  return api::UntagResourceOutput{};
}

}  // namespace dinette::dynamodb::ops
