#include "dynamodb/tables/backup_entry.h"

#include <algorithm>
#include <utility>

#include "dynamodb/api/table_settings.h"
#include "dynamodb/tables/kept_json.h"
#include "dynamodb/tables/table_schema.h"

namespace dinette::dynamodb {

std::string backup_id(codec::Timestamp created, std::string_view suffix) {
  constexpr std::size_t digits = 14;
  const std::string number = std::to_string(created.milliseconds);
  const std::size_t zeros = digits - std::min(digits, number.size());
  return std::string(zeros, '0').append(number).append("-").append(suffix);
}

std::string backup_key(std::string_view id, std::string_view table_name) {
  return std::string(id).append("/").append(table_name);
}

std::string key_of(const api::BackupEntry& backup) {
  return backup_key(backup.id, backup.table.table_name);
}

std::string arn_of(const api::BackupEntry& backup) {
  return arn_of_table(backup.table) + "/backup/" + backup.id;
}

kv::Result<api::BackupEntry> decode_backup(std::string_view entry) {
  auto backup = decode_kept<api::BackupEntry>(entry);
  if (!backup)
    return base::Failure{kv::Error{kv::ErrorKind::corrupt, "the entry of a backup cannot be read"}};
  return *std::move(backup);
}

kv::Result<std::optional<api::BackupEntry>> read_backup(const store::View& view, std::string_view key) {
  DINETTE_TRY(const auto entry, view.read(backups_space, key));
  if (!entry) return std::optional<api::BackupEntry>();
  DINETTE_TRY(api::BackupEntry backup, decode_backup(entry->view()));
  return std::optional(std::move(backup));
}

store::EntryWrite write_of(const api::BackupEntry& backup) {
  return {backups_space, key_of(backup), kv::Value(encode_kept(backup))};
}

api::TableRecord recorded(api::TableRecord table, const api::TableSettings& settings) {
  table.settings = settings;
  table.transition.reset();
  table.recovery.reset();
  table.copies.reset();
  table.exports.reset();
  table.filling.reset();
  table.restore.reset();
  return table;
}

api::TableRecord rows_of_backup(const api::BackupEntry& backup) {
  api::TableRecord rows;
  rows.table_name = backup.table.table_name;
  rows.table_id = backup.table.table_id;
  rows.account = backup.table.account;
  rows.region = backup.table.region;
  rows.created = backup.table.created;
  rows.attribute_definitions = backup.table.attribute_definitions;
  rows.key_schema = backup.table.key_schema;
  rows.backup = key_of(backup);
  return rows;
}

}  // namespace dinette::dynamodb
