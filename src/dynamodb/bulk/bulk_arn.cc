#include "dynamodb/bulk/bulk_arn.h"

#include "dynamodb/bulk/bulk_entry.h"
#include "dynamodb/tasks/dated_arn.h"
#include "dynamodb/tasks/dated_id.h"

namespace dinette::dynamodb {

Answer<std::string> key_in_bulk_arn(const Context& context, std::string_view text) {
  DINETTE_TRY(const DatedArn arn,
              parse_dated_arn(context, text, bulk_arn_part, "Invalid Bulk Operation ARN"));
  return newest_first_key(arn.table_arn, arn.id);
}

base::Failure<ApiError> bulk_not_found(std::string_view arn) {
  return base::Failure{
      ApiError{api::ErrorCode::resource_not_found_exception,
               "Requested resource not found: Bulk operation: " + std::string(arn) + " not found"}};
}

}  // namespace dinette::dynamodb
