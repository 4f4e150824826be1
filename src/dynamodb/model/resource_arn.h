#pragma once

#include <optional>
#include <string_view>

namespace dinette::dynamodb::model {

/// The resource of an ARN: `table/<name>`, or `table/<name>/<part>` for what belongs to a table.
struct TableResource {
  std::string_view name;
  std::string_view part;  ///< `index/<name>`, `stream/<label>` and the like; empty for the table itself
};

/// Returns nothing for the resource of another kind.
std::optional<TableResource> parse_table_resource(std::string_view resource);

/// Returns the table's name in the ARN of a table or of something that belongs to one, whoever owns it. Empty
/// if the text is no such ARN.
std::string_view table_name_in_arn(std::string_view text);

}  // namespace dinette::dynamodb::model
