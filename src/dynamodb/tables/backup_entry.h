#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dinette/kv/error.h"
#include "dinette/store/entry.h"
#include "dinette/store/scan.h"

#include "dynamodb/api/backup_entry.h"
#include "dynamodb/codec/inputs.h"

/// What is kept of each backup (docs/service/backups-pitr.md): an entry of no table, since a backup outlives
/// its table. Its items are the rows of a table without a name (FORMAT.md).
namespace dinette::dynamodb {

/// Kept on disk (FORMAT.md): never renumber.
inline constexpr store::SpaceId backups_space{5};

/// The id of the backup that the service makes of a deleted table ends with this.
inline constexpr std::string_view system_backup = "00000000";

/// Returns the id of a backup: the moment of its creation as 14 digits, and `suffix`, 8 hexadecimal digits.
std::string backup_id(codec::Timestamp created, std::string_view suffix);

/// Returns the key of a backup. Keys are in the order of creation times.
std::string backup_key(std::string_view id, std::string_view table_name);
std::string key_of(const api::BackupEntry& backup);

/// Returns `<ARN of the table>/backup/<id>`.
std::string arn_of(const api::BackupEntry& backup);

kv::Result<std::optional<api::BackupEntry>> read_backup(const store::View& view, std::string_view key);
kv::Result<api::BackupEntry> decode_backup(std::string_view entry);
store::EntryWrite write_of(const api::BackupEntry& backup);

/// Returns what a backup records of its table, which has these settings now.
api::TableRecord recorded(api::TableRecord table, const api::TableSettings& settings);

/// Returns the table without a name for the items of a backup: with the keys of the backup's table, and no
/// indexes.
api::TableRecord rows_of_backup(const api::BackupEntry& backup);

}  // namespace dinette::dynamodb
