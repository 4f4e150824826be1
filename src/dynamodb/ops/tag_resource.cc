#include "dynamodb/api/operations.h"
#include "dynamodb/ops/tags.h"

namespace dinette::dynamodb::ops {

Answer<api::TagResourceOutput> tag_resource(const Context& context, api::TagResourceInput&& input) {
  DINETTE_CHECK(check_tags(input.tags));
  DINETTE_CHECK(change_tags(context, input.resource_arn, [&](Tags& tags) { add_tags(tags, input.tags); }));
  return api::TagResourceOutput{};
}

}  // namespace dinette::dynamodb::ops
