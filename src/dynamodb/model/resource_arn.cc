#include "dynamodb/model/resource_arn.h"

namespace dinette::dynamodb::model {

std::optional<ResourceArn> parse_arn(std::string_view text) {
  constexpr std::string_view scheme = "arn:";
  if (!text.starts_with(scheme)) return std::nullopt;
  text.remove_prefix(scheme.size());
  ResourceArn arn;
  for (std::string_view* part : {&arn.partition, &arn.service, &arn.region, &arn.account}) {
    const auto end = text.find(':');
    if (end == std::string_view::npos) return std::nullopt;
    *part = text.substr(0, end);
    text.remove_prefix(end + 1);
  }
  arn.resource = text;
  return arn;
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

}  // namespace dinette::dynamodb::model
