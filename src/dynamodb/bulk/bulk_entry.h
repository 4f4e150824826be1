#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "dynamodb/api/bulk_entry.h"
#include "dynamodb/tasks/operation.h"

namespace dinette::dynamodb {

/// What is kept of each bulk operation (docs/service/export-import.md section 3).
template <>
struct KeptEntry<api::BulkEntry> {
  static constexpr store::SpaceId space{9};
  static constexpr std::string_view name = "a bulk operation";
  /// The newest first (newest_first_key).
  static std::string key(const api::BulkEntry& entry);
  static bool is_whole(const api::BulkEntry& entry);
  static std::string_view arn(const api::BulkEntry& entry) { return *entry.description.bulk_operation_arn; }
  /// It is IN_PROGRESS or CANCELLING.
  static bool is_running(const api::BulkEntry& entry);
};

/// Kept on disk (FORMAT.md): never renumber. The value of each entry in the first is the key of the operation
/// that runs on a table, whose id is the key.
inline constexpr store::SpaceId bulk_tables_space{11};
inline constexpr store::SpaceId bulk_lines_space{12};

/// The part of an ARN between the table and the id.
inline constexpr std::string_view bulk_arn_part = "bulk-operation";

bool is_cancelling(const api::BulkEntry& entry);

/// Returns what the keys in bulk_lines_space of the lines of a report begin with that are in no object yet;
/// `report` is its index in BulkEntry::reports.
std::string bulk_lines_prefix(std::string_view operation, std::size_t report);
std::string bulk_line_key(std::string_view operation, std::size_t report, std::int64_t line);

}  // namespace dinette::dynamodb
