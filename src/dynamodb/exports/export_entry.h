#pragma once

#include <string>
#include <string_view>

#include "dynamodb/api/export_entry.h"
#include "dynamodb/tasks/operation.h"

namespace dinette::dynamodb {

/// Returns the key of the export `id` of a table: tables in the order of their ARNs, within a table the
/// newest export first. `id` is well-formed: 14 digits, `-` and 8 hexadecimal digits.
std::string export_key(std::string_view table_arn, std::string_view id);

/// What is kept of each export to S3 (docs/service/export-import.md section 1).
template <>
struct KeptEntry<api::ExportEntry> {
  static constexpr store::SpaceId space{6};
  static constexpr std::string_view name = "an export";
  static std::string key(const api::ExportEntry& entry);
  static bool is_whole(const api::ExportEntry& entry);
  static std::string_view arn(const api::ExportEntry& entry) { return *entry.description.export_arn; }
  static bool is_running(const api::ExportEntry& entry);
};

}  // namespace dinette::dynamodb
