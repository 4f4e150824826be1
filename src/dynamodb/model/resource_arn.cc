#include "dynamodb/model/resource_arn.h"

#include "dinette/aws/arn.h"

namespace dinette::dynamodb::model {

std::optional<TableResource> parse_table_resource(std::string_view resource) {
  constexpr std::string_view kind = "table/";
  if (!resource.starts_with(kind)) return std::nullopt;
  resource.remove_prefix(kind.size());
  const auto end = resource.find('/');
  if (end == 0 || resource.empty()) return std::nullopt;
  if (end == std::string_view::npos) return TableResource{resource, {}};
  return TableResource{resource.substr(0, end), resource.substr(end + 1)};
}

std::string_view table_name_in_arn(std::string_view text) {
  const auto arn = aws::parse_arn(text);
  if (!arn || arn->service != "dynamodb") return {};
  const auto table = parse_table_resource(arn->resource);
  return table ? table->name : std::string_view();
}

}  // namespace dinette::dynamodb::model
