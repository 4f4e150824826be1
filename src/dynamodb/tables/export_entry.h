#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dinette/base/clock.h"
#include "dinette/kv/error.h"
#include "dinette/store/entry.h"
#include "dinette/store/scan.h"

#include "dynamodb/api/export_entry.h"
#include "dynamodb/codec/inputs.h"

/// What is kept of each export to S3 (docs/service/export-import.md section 1): an entry of no table, since
/// an export outlives its table.
namespace dinette::dynamodb {

/// Kept on disk (FORMAT.md): never renumber.
inline constexpr store::SpaceId exports_space{6};

/// Returns the key of the export `id` of a table: tables in the order of their ARNs, within a table the
/// newest export first. `id` is well-formed: 14 digits, `-` and 8 hexadecimal digits.
std::string export_key(std::string_view table_arn, std::string_view id);
std::string key_of(const api::ExportEntry& entry);

/// Returns the part of the ARN after `/export/`.
std::string_view id_of(const api::ExportEntry& entry);

bool is_running(const api::ExportEntry& entry);
/// Returns the time from which on it is not shown any more: 90 days after its beginning.
base::TimePoint end_of(const api::ExportEntry& entry);
bool is_over(const api::ExportEntry& entry, codec::Timestamp now);

kv::Result<std::optional<api::ExportEntry>> read_export(const store::View& view, std::string_view key);
kv::Result<api::ExportEntry> decode_export(std::string_view entry);
store::EntryWrite write_of(const api::ExportEntry& entry);

}  // namespace dinette::dynamodb
