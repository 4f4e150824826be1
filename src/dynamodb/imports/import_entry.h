#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/kv/error.h"
#include "dinette/store/entry.h"
#include "dinette/store/scan.h"
#include "dinette/store/store.h"

#include "dynamodb/api/import_entry.h"
#include "dynamodb/codec/inputs.h"

/// What is kept of each import from S3 (docs/service/export-import.md section 2): an entry of no table, since
/// an import outlives its table.
namespace dinette::dynamodb {

/// Kept on disk (FORMAT.md): never renumber.
inline constexpr store::SpaceId imports_space{7};
inline constexpr store::SpaceId import_tokens_space{8};

/// Returns the key of an import: the newest first (newest_first_key).
std::string key_of(const api::ImportEntry& entry);

/// Returns the part of the ARN after `/import/`.
std::string_view id_of(const api::ImportEntry& entry);

bool is_running(const api::ImportEntry& entry);
/// Returns true if it began 90 days ago: it is not shown any more.
bool is_over(const api::ImportEntry& entry, codec::Timestamp now);

kv::Result<std::optional<api::ImportEntry>> read_import(const store::View& view, std::string_view key);
kv::Result<api::ImportEntry> decode_import(std::string_view entry);
store::EntryWrite write_of(const api::ImportEntry& entry);

/// Returns true if there are or were any.
kv::Result<bool> has_imports(store::Store& store);

/// Returns the keys of all imports that have not ended.
kv::Result<std::vector<std::string>> running_imports(store::Store& store);

/// Returns the key of a client's token in import_tokens_space. Its value is the key of the import.
std::string import_token_key(std::string_view account, std::string_view token);

}  // namespace dinette::dynamodb
