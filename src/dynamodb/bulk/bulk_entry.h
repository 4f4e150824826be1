#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "dinette/base/clock.h"
#include "dinette/base/function_ref.h"
#include "dinette/kv/error.h"
#include "dinette/store/entry.h"
#include "dinette/store/scan.h"
#include "dinette/store/store.h"

#include "dynamodb/api/bulk_entry.h"
#include "dynamodb/codec/inputs.h"

/// What is kept of each bulk operation (docs/service/export-import.md section 3): entries of no table, since
/// an operation outlives its table.
namespace dinette::dynamodb {

/// Kept on disk (FORMAT.md): never renumber.
inline constexpr store::SpaceId bulk_space{9};
inline constexpr store::SpaceId bulk_tokens_space{10};
inline constexpr store::SpaceId bulk_tables_space{11};
inline constexpr store::SpaceId bulk_lines_space{12};

/// The part of an ARN between the table and the id.
inline constexpr std::string_view bulk_arn_part = "bulk-operation";

/// Returns the key of an operation: the newest first (newest_first_key).
std::string key_of(const api::BulkEntry& entry);
/// Returns the last part of the ARN.
std::string_view id_of(const api::BulkEntry& entry);

/// Returns true if it has not ended: it is IN_PROGRESS or CANCELLING.
bool is_running(const api::BulkEntry& entry);
bool is_cancelling(const api::BulkEntry& entry);

/// Returns the time from which on it is not shown any more: 90 days after its beginning.
base::TimePoint end_of(const api::BulkEntry& entry);
bool is_over(const api::BulkEntry& entry, codec::Timestamp now);

kv::Result<api::BulkEntry> decode_bulk(std::string_view entry);
kv::Result<std::optional<api::BulkEntry>> read_bulk(const store::View& view, std::string_view key);
store::EntryWrite write_of(const api::BulkEntry& entry);

/// Calls `visit` for the operations of a range of keys, the newest first, until it returns false.
kv::Result<void> for_each_bulk(const store::Store& store, const store::KeyRange& range,
                               base::FunctionRef<bool(const api::BulkEntry& entry)> visit);

/// Returns the key of a client's token in bulk_tokens_space. Its value is the key of the operation, as is the
/// value of each entry in bulk_tables_space, whose key is the id of a table with a running operation.
std::string bulk_token_key(std::string_view account, std::string_view token);

/// Returns what the keys in bulk_lines_space of the lines of a report begin with that are in no object yet;
/// `report` is its index in BulkEntry::reports.
std::string bulk_lines_prefix(std::string_view operation, std::size_t report);
std::string bulk_line_key(std::string_view operation, std::size_t report, std::int64_t line);

}  // namespace dinette::dynamodb
