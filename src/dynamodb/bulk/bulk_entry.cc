#include "dynamodb/bulk/bulk_entry.h"

#include <chrono>
#include <utility>

#include "dinette/base/bytes.h"

#include "dynamodb/api/enums.h"
#include "dynamodb/tables/dated_id.h"
#include "dynamodb/tables/kept_json.h"

namespace dinette::dynamodb {
namespace {

constexpr std::chrono::days bulk_shown_for{90};

}  // namespace

std::string key_of(const api::BulkEntry& entry) {
  return newest_first_key(entry.table_arn, id_of(entry));
}

std::string_view id_of(const api::BulkEntry& entry) {
  const std::string_view arn = *entry.description.bulk_operation_arn;
  return arn.substr(arn.rfind('/') + 1);
}

bool is_running(const api::BulkEntry& entry) {
  return entry.description.bulk_operation_status == api::BulkOperationStatus::in_progress ||
         is_cancelling(entry);
}

bool is_cancelling(const api::BulkEntry& entry) {
  return entry.description.bulk_operation_status == api::BulkOperationStatus::cancelling;
}

base::TimePoint end_of(const api::BulkEntry& entry) {
  return base::TimePoint(std::chrono::milliseconds(entry.description.start_time->milliseconds)) +
         bulk_shown_for;
}

bool is_over(const api::BulkEntry& entry, codec::Timestamp now) {
  return end_of(entry) <= base::TimePoint(std::chrono::milliseconds(now.milliseconds));
}

kv::Result<api::BulkEntry> decode_bulk(std::string_view entry) {
  auto decoded = decode_kept<api::BulkEntry>(entry);
  const bool whole =
      decoded && decoded->description.bulk_operation_arn && decoded->description.bulk_operation_status &&
      decoded->description.start_time && decoded->description.input_s3_configuration &&
      decoded->description.output_s3_configuration && decoded->description.processed_item_count &&
      decoded->description.failed_item_count && decoded->description.bulk_operation_usage &&
      decoded->description.bulk_operation_usage->size() == 1;
  if (!whole)
    return base::Failure{kv::Error{kv::ErrorKind::corrupt, "the entry of a bulk operation cannot be read"}};
  return *std::move(decoded);
}

kv::Result<std::optional<api::BulkEntry>> read_bulk(const store::View& view, std::string_view key) {
  DINETTE_TRY(const auto entry, view.read(bulk_space, key));
  if (!entry) return std::optional<api::BulkEntry>();
  DINETTE_TRY(api::BulkEntry decoded, decode_bulk(entry->view()));
  return std::optional(std::move(decoded));
}

store::EntryWrite write_of(const api::BulkEntry& entry) {
  return {bulk_space, key_of(entry), kv::Value(encode_kept(entry))};
}

kv::Result<void> for_each_bulk(const store::Store& store, const store::KeyRange& range,
                               base::FunctionRef<bool(const api::BulkEntry& entry)> visit) {
  DINETTE_TRY(const store::View view, store.view());
  DINETTE_TRY(store::RowCursor entries, view.scan(bulk_space, range, store::Direction::forward));
  for (;;) {
    DINETTE_TRY(const bool more, entries.next());
    if (!more) return {};
    DINETTE_TRY(const api::BulkEntry entry, decode_bulk(entries.value()));
    if (!visit(entry)) return {};
  }
}

std::string bulk_token_key(std::string_view account, std::string_view token) {
  return std::string(account).append("/").append(token);
}

std::string bulk_lines_prefix(std::string_view operation, std::size_t report) {
  return std::string(operation).append(" ").append(std::to_string(report)).append(" ");
}

std::string bulk_line_key(std::string_view operation, std::size_t report, std::int64_t line) {
  std::string key = bulk_lines_prefix(operation, report);
  base::append_big_endian(key, static_cast<std::uint64_t>(line));
  return key;
}

}  // namespace dinette::dynamodb
