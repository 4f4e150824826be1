#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "dinette/base/function_ref.h"
#include "dinette/kv/error.h"
#include "dinette/store/entry.h"
#include "dinette/store/scan.h"
#include "dinette/store/store.h"

#include "dynamodb/tasks/kept_json.h"

/// Entries of no table that are kept as JSON: of streams, backups, exports, imports and bulk operations, all
/// of which outlive the table that they belong to.
namespace dinette::dynamodb {

/// Says how entries of one type are kept. Specialized for each type, with these members:
///
///     static constexpr store::SpaceId space;           // kept on disk (FORMAT.md): never renumber
///     static constexpr std::string_view name;          // for errors, such as "an export"
///     static std::string key(const Entry& entry);
///     static bool is_whole(const Entry& entry);        // false if it lacks what its users rely on
template <class Entry>
struct KeptEntry;

template <class Entry>
std::string key_of(const Entry& entry) {
  return KeptEntry<Entry>::key(entry);
}

/// Fails if the bytes are no such entry.
template <class Entry>
kv::Result<Entry> decode_entry(std::string_view bytes) {
  auto decoded = decode_kept<Entry>(bytes);
  if (decoded && KeptEntry<Entry>::is_whole(*decoded)) return *std::move(decoded);
  std::string message("the entry of ");
  message.append(KeptEntry<Entry>::name).append(" cannot be read");
  return base::Failure{kv::Error{kv::ErrorKind::corrupt, std::move(message)}};
}

template <class Entry>
kv::Result<std::optional<Entry>> read_entry(const store::View& view, std::string_view key) {
  DINETTE_TRY(const auto entry, view.read(KeptEntry<Entry>::space, key));
  if (!entry) return std::optional<Entry>();
  DINETTE_TRY(Entry decoded, decode_entry<Entry>(entry->view()));
  return std::optional(std::move(decoded));
}

template <class Entry>
store::EntryWrite write_of(const Entry& entry) {
  return {KeptEntry<Entry>::space, key_of(entry), kv::Value(encode_kept(entry))};
}

template <class Entry>
store::EntryWrite erasure_of(const Entry& entry) {
  return {KeptEntry<Entry>::space, key_of(entry), {}};
}

/// Calls `visit` for the entries of a range of keys, in the order of the keys, until it returns false.
template <class Entry>
kv::Result<void> for_each_entry(const store::View& view, const store::KeyRange& range,
                                base::FunctionRef<bool(const Entry& entry)> visit) {
  DINETTE_TRY(store::RowCursor entries, view.scan(KeptEntry<Entry>::space, range, store::Direction::forward));
  for (;;) {
    DINETTE_TRY(const bool more, entries.next());
    if (!more) return {};
    DINETTE_TRY(const Entry entry, decode_entry<Entry>(entries.value()));
    if (!visit(entry)) return {};
  }
}

/// Returns true if there is an entry of this type.
template <class Entry>
kv::Result<bool> has_entries(const store::View& view) {
  DINETTE_TRY(store::RowCursor entries, view.scan(KeptEntry<Entry>::space, {}, store::Direction::forward));
  return entries.next();
}

/// Writes an entry outside of any other write.
kv::Result<void> write_entry(store::Store& store, const store::EntryWrite& entry);

}  // namespace dinette::dynamodb
