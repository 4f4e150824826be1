#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace dinette::dynamodb::model {

/// The resource of an ARN: `table/<name>`, or `table/<name>/<part>` for what belongs to a table.
struct TableResource {
  std::string_view name;
  std::string_view part;  ///< `index/<name>`, `stream/<label>` and the like; empty for the table itself
};

/// Returns `arn:<partition>:dynamodb:<region>:<account>:table/<name>`, the partition being the region's.
std::string table_arn(std::string_view region, std::string_view account, std::string_view name);

/// Returns nothing for the resource of another kind.
std::optional<TableResource> parse_table_resource(std::string_view resource);

/// Returns the table's name in the ARN of a table or of something that belongs to one, in any account. Empty
/// if the text is not such an ARN.
std::string_view table_name_in_arn(std::string_view text);

/// Returns the table's name if the text is such an ARN, else the text.
inline std::string_view plain_table_name(std::string_view name_or_arn) {
  if (!name_or_arn.starts_with("arn:")) return name_or_arn;
  const std::string_view in_arn = table_name_in_arn(name_or_arn);
  return in_arn.empty() ? name_or_arn : in_arn;
}

/// Returns true for the id of a backup or an export: a time as 14 digits, `-`, and 8 hexadecimal digits.
bool is_dated_id(std::string_view id);

}  // namespace dinette::dynamodb::model
