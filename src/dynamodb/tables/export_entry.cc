#include "dynamodb/tables/export_entry.h"

#include <chrono>
#include <cstddef>
#include <utility>

#include "dynamodb/api/enums.h"
#include "dynamodb/tables/kept_json.h"

namespace dinette::dynamodb {
namespace {

constexpr std::string_view export_mark = "/export/";
constexpr std::chrono::days shown_for{90};

}  // namespace

std::string export_key(std::string_view table_arn, std::string_view id) {
  constexpr std::size_t digits = 14;
  std::string key(table_arn);
  key += ' ';  // precedes the next character of any longer table name
  for (const char digit : id.substr(0, digits)) key += static_cast<char>('9' - (digit - '0'));
  return key.append(id.substr(digits));
}

std::string_view id_of(const api::ExportEntry& entry) {
  const std::string_view arn = *entry.description.export_arn;
  return arn.substr(arn.rfind(export_mark) + export_mark.size());
}

std::string key_of(const api::ExportEntry& entry) {
  return export_key(*entry.description.table_arn, id_of(entry));
}

bool is_running(const api::ExportEntry& entry) {
  return entry.description.export_status == api::ExportStatus::in_progress;
}

base::TimePoint end_of(const api::ExportEntry& entry) {
  return base::TimePoint(std::chrono::milliseconds(entry.description.start_time->milliseconds)) + shown_for;
}

bool is_over(const api::ExportEntry& entry, codec::Timestamp now) {
  return end_of(entry) <= base::TimePoint(std::chrono::milliseconds(now.milliseconds));
}

kv::Result<api::ExportEntry> decode_export(std::string_view entry) {
  auto decoded = decode_kept<api::ExportEntry>(entry);
  const bool whole = decoded && decoded->description.export_arn && decoded->description.table_arn &&
                     decoded->description.start_time && decoded->description.export_status;
  if (!whole)
    return base::Failure{kv::Error{kv::ErrorKind::corrupt, "the entry of an export cannot be read"}};
  return *std::move(decoded);
}

kv::Result<std::optional<api::ExportEntry>> read_export(const store::View& view, std::string_view key) {
  DINETTE_TRY(const auto entry, view.read(exports_space, key));
  if (!entry) return std::optional<api::ExportEntry>();
  DINETTE_TRY(api::ExportEntry decoded, decode_export(entry->view()));
  return std::optional(std::move(decoded));
}

store::EntryWrite write_of(const api::ExportEntry& entry) {
  return {exports_space, key_of(entry), kv::Value(encode_kept(entry))};
}

}  // namespace dinette::dynamodb
