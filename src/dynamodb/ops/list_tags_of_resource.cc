#include "dynamodb/api/operations.h"
#include "dynamodb/ops/tags.h"

namespace dinette::dynamodb::ops {
namespace {

/// The service does not tell a table that is not there from one that the caller may not see (facts:
/// ttl-tags.md section 2).
Answer<OpenTable> open(const Context& context, const std::string& arn) {
  auto table = open_for_control(context, arn);
  if (table || table.error().code != api::ErrorCode::resource_not_found_exception) return table;
  return base::Failure{ApiError{api::ErrorCode::access_denied_exception,
                                "User: arn:aws:iam::" + std::string(context.account) +
                                    ":root is not authorized to perform: dynamodb:ListTagsOfResource on "
                                    "resource: " +
                                    arn}};
}

}  // namespace

Answer<api::ListTagsOfResourceOutput> list_tags_of_resource(const Context& context,
                                                            api::ListTagsOfResourceInput&& input) {
  DINETTE_CHECK(check_resource_arn(input.resource_arn));
  // All tags come at once, so nobody has been given a token.
  if (input.next_token) return validation("Invalid NextToken provided as input " + *input.next_token);
  DINETTE_TRY(const OpenTable table, open(context, input.resource_arn));
  return api::ListTagsOfResourceOutput{table.record().tags.value_or(Tags()), std::nullopt};
}

}  // namespace dinette::dynamodb::ops
