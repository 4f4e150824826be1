#include "dynamodb/model/resource_arn.h"

#include <algorithm>
#include <cstddef>

#include "dinette/aws/arn.h"
#include "dinette/aws/region.h"

namespace dinette::dynamodb::model {

std::string table_arn(std::string_view region, std::string_view account, std::string_view name) {
  std::string arn("arn:");
  arn.append(aws::partition_of(region)).append(":dynamodb:").append(region).append(":").append(account);
  return arn.append(":table/").append(name);
}

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

bool is_dated_id(std::string_view id) {
  constexpr std::size_t digits = 14;
  constexpr std::size_t size = 23;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto is_hexadecimal = [&](char c) {
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  };
  return id.size() == size && std::ranges::all_of(id.substr(0, digits), is_digit) && id[digits] == '-' &&
         std::ranges::all_of(id.substr(digits + 1), is_hexadecimal);
}

}  // namespace dinette::dynamodb::model
