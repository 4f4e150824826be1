#pragma once

#include <optional>
#include <string_view>

namespace dinette::dynamodb::model {

/// `arn:<partition>:<service>:<region>:<account>:<resource>`, as views of the text.
struct ResourceArn {
  std::string_view partition;
  std::string_view service;
  std::string_view region;
  std::string_view account;
  std::string_view resource;
};

/// Returns the parts of an ARN, or nothing if the text is not one.
std::optional<ResourceArn> parse_arn(std::string_view text);

/// `table/<name>`, or `table/<name>/<part>` for what belongs to a table.
struct TableResource {
  std::string_view name;
  std::string_view part;  ///< `index/<name>`, `stream/<label>` and the like; empty for the table itself
};

/// Returns nothing for the resource of another kind.
std::optional<TableResource> parse_table_resource(std::string_view resource);

}  // namespace dinette::dynamodb::model
