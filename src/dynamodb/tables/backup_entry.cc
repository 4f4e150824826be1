#include "dynamodb/tables/backup_entry.h"

#include "dynamodb/api/table_settings.h"
#include "dynamodb/tables/table_schema.h"

namespace dinette::dynamodb {

std::string backup_key(std::string_view id, std::string_view table_name) {
  return std::string(id).append("/").append(table_name);
}

std::string arn_of(const api::BackupEntry& backup) {
  return arn_of_table(backup.table) + "/backup/" + backup.id;
}

api::TableRecord recorded(api::TableRecord table, const api::TableSettings& settings) {
  table.settings = settings;
  table.transition.reset();
  table.recovery.reset();
  table.copies.reset();
  table.exports.reset();
  table.filling.reset();
  table.restore.reset();
  table.kinesis_destinations.reset();
  table.replication.reset();
  table.auto_scaling.reset();
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
