#include "dynamodb/imports/import_arn.h"

#include "dynamodb/tasks/dated_arn.h"
#include "dynamodb/tasks/dated_id.h"

namespace dinette::dynamodb {

Answer<std::string> key_in_import_arn(const Context& context, std::string_view text) {
  DINETTE_TRY(const DatedArn arn, parse_dated_arn(context, text, "import", "Invalid Import ARN"));
  return newest_first_key(arn.table_arn, arn.id);
}

}  // namespace dinette::dynamodb
