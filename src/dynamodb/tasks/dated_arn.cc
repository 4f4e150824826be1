#include "dynamodb/tasks/dated_arn.h"

#include <cstddef>
#include <string>

#include "dinette/aws/arn.h"

#include "dynamodb/model/resource_arn.h"

namespace dinette::dynamodb {

Answer<DatedArn> parse_dated_arn(const Context& context, std::string_view text, std::string_view kind,
                                 std::string_view invalid) {
  constexpr std::size_t shortest_name = 3;
  const auto arn = aws::parse_arn(text);
  if (!arn) return validation(std::string(invalid));
  if (arn->account != context.account)
    return base::Failure{ApiError{api::ErrorCode::access_denied_exception, "Access is denied"}};
  const auto table = model::parse_table_resource(arn->resource);
  const std::string part = std::string(kind) + "/";
  const bool right = table && table->part.starts_with(part) && table->name.size() >= shortest_name &&
                     model::is_dated_id(table->part.substr(part.size()));
  if (!right) return validation(std::string(invalid));
  return DatedArn{text.substr(0, text.size() - table->part.size() - 1), table->part.substr(part.size())};
}

}  // namespace dinette::dynamodb
