#pragma once

#include <string>
#include <string_view>

#include "dynamodb/api/import_entry.h"
#include "dynamodb/tasks/operation.h"

namespace dinette::dynamodb {

/// What is kept of each import from S3 (docs/service/export-import.md section 2).
template <>
struct KeptEntry<api::ImportEntry> {
  static constexpr store::SpaceId space{7};
  static constexpr std::string_view name = "an import";
  /// The newest first (newest_first_key).
  static std::string key(const api::ImportEntry& entry);
  static bool is_whole(const api::ImportEntry& entry);
  static std::string_view arn(const api::ImportEntry& entry) { return *entry.description.import_arn; }
  static bool is_running(const api::ImportEntry& entry);
};

}  // namespace dinette::dynamodb
