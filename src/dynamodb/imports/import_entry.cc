#include "dynamodb/imports/import_entry.h"

#include <chrono>
#include <utility>

#include "dynamodb/api/enums.h"
#include "dynamodb/tables/dated_id.h"
#include "dynamodb/tables/kept_json.h"

namespace dinette::dynamodb {
namespace {

constexpr std::string_view import_mark = "/import/";
constexpr std::chrono::milliseconds shown_for = std::chrono::days(90);

}  // namespace

std::string_view id_of(const api::ImportEntry& entry) {
  const std::string_view arn = *entry.description.import_arn;
  return arn.substr(arn.rfind(import_mark) + import_mark.size());
}

std::string key_of(const api::ImportEntry& entry) {
  return newest_first_key(*entry.description.table_arn, id_of(entry));
}

bool is_running(const api::ImportEntry& entry) {
  return entry.description.import_status == api::ImportStatus::in_progress;
}

bool is_over(const api::ImportEntry& entry, codec::Timestamp now) {
  return entry.description.start_time->milliseconds + shown_for.count() <= now.milliseconds;
}

kv::Result<api::ImportEntry> decode_import(std::string_view entry) {
  auto decoded = decode_kept<api::ImportEntry>(entry);
  const bool whole = decoded && decoded->description.import_arn && decoded->description.table_arn &&
                     decoded->description.start_time && decoded->description.import_status &&
                     decoded->description.s3_bucket_source && decoded->description.input_format;
  if (!whole)
    return base::Failure{kv::Error{kv::ErrorKind::corrupt, "the entry of an import cannot be read"}};
  return *std::move(decoded);
}

kv::Result<std::optional<api::ImportEntry>> read_import(const store::View& view, std::string_view key) {
  DINETTE_TRY(const auto entry, view.read(imports_space, key));
  if (!entry) return std::optional<api::ImportEntry>();
  DINETTE_TRY(api::ImportEntry decoded, decode_import(entry->view()));
  return std::optional(std::move(decoded));
}

store::EntryWrite write_of(const api::ImportEntry& entry) {
  return {imports_space, key_of(entry), kv::Value(encode_kept(entry))};
}

kv::Result<bool> has_imports(store::Store& store) {
  DINETTE_TRY(const store::View view, store.view());
  DINETTE_TRY(store::RowCursor entries, view.scan(imports_space, {}, store::Direction::forward));
  return entries.next();
}

kv::Result<std::vector<std::string>> running_imports(store::Store& store) {
  DINETTE_TRY(const store::View view, store.view());
  DINETTE_TRY(store::RowCursor entries, view.scan(imports_space, {}, store::Direction::forward));
  std::vector<std::string> keys;
  for (;;) {
    DINETTE_TRY(const bool more, entries.next());
    if (!more) return keys;
    DINETTE_TRY(const api::ImportEntry entry, decode_import(entries.value()));
    if (is_running(entry)) keys.emplace_back(entries.key());
  }
}

std::string import_token_key(std::string_view account, std::string_view token) {
  return std::string(account).append("/").append(token);
}

}  // namespace dinette::dynamodb
