#include "dynamodb/api/tag_resource.h"

#include "dynamodb/tables/tags.h"

namespace dinette::dynamodb::ops {

Answer<api::TagResourceOutput> tag_resource(const Context& context, api::TagResourceInput&& input) {
  DINETTE_CHECK(check_resource_arn(input.resource_arn));
  if (input.tags.empty()) return validation("Atleast one Tag needs to be provided as Input.");
  DINETTE_CHECK(check_tags(input.tags));
  DINETTE_CHECK(change_tags(context, input.resource_arn, [&](Tags& tags) { add_tags(tags, input.tags); }));
  return api::TagResourceOutput{};
}

}  // namespace dinette::dynamodb::ops
