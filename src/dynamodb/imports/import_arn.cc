#include "dynamodb/imports/import_arn.h"

#include <cstddef>

#include "dinette/aws/arn.h"

#include "dynamodb/imports/import_entry.h"
#include "dynamodb/model/resource_arn.h"

namespace dinette::dynamodb {

Answer<std::string> key_in_import_arn(const Context& context, std::string_view text) {
  constexpr std::string_view part = "import/";
  constexpr std::size_t shortest_name = 3;
  const auto arn = aws::parse_arn(text);
  if (!arn) return validation("Invalid Import ARN");
  if (arn->account != context.account)
    return base::Failure{ApiError{api::ErrorCode::access_denied_exception, "Access is denied"}};
  const auto table = model::parse_table_resource(arn->resource);
  const bool of_import = table && table->part.starts_with(part) && table->name.size() >= shortest_name &&
                         model::is_dated_id(table->part.substr(part.size()));
  if (!of_import) return validation("Invalid Import ARN");
  const std::string_view table_arn = text.substr(0, text.size() - table->part.size() - 1);
  return import_key(table_arn, table->part.substr(part.size()));
}

}  // namespace dinette::dynamodb
