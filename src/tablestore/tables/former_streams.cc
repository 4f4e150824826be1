#include "tablestore/tables/former_streams.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>

#include "dinette/base/bytes.h"
#include "dinette/tenancy/upkeep.h"

#include "tablestore/request/entry_spaces.h"

namespace dinette::tablestore {
namespace {

using entry_spaces::former_streams;

// Kept on disk: never renumber.
constexpr std::string_view note_format("\x01", 1);

/// Returns the key of the first note, or nothing if there is none.
kv::Result<std::optional<std::string>> first_note(const store::Store& store) {
  DINETTE_TRY(const store::View view, store.view());
  DINETTE_TRY(auto notes, view.scan(former_streams, {}, store::Direction::forward));
  DINETTE_TRY(const bool found, notes.next());
  if (!found) return std::optional<std::string>();
  return std::optional(std::string(notes.key()));
}

kv::Result<void> erase_note(store::Store& store, std::string_view key) {
  const store::WriteTarget targets[] = {store::WriteTarget::entry(former_streams, key)};
  const auto erase = [](const store::Rows&, store::RowChanges changes) {
    changes[0].row = store::RowChange::Row::erase;
    return true;
  };
  DINETTE_CHECK(store.write(targets, erase));
  return {};
}

/// Erases one stream.
kv::Result<base::Jobs::Next> erase_one(store::Store& store) {
  DINETTE_TRY(const auto key, first_note(store));
  if (!key) return base::Jobs::done;
  if (key->size() == sizeof(std::uint64_t)) {
    const auto stream = base::load_big_endian<std::uint64_t>(key->data());
    DINETTE_CHECK(store.trim_stream(store::StreamId{stream}, store::stream_end));
  }
  DINETTE_CHECK(erase_note(store, *key));
  return base::Jobs::Next(base::Jobs::at_once);
}

}  // namespace

void note_former_stream(const TableMeta& before, const TableMeta* after,
                        std::vector<store::EntryWrite>& entries) {
  if (!before.stream) return;
  if (after != nullptr && after->stream && after->stream->stream == before.stream->stream) return;
  std::string key;
  base::append_big_endian(key, before.stream->stream);
  entries.push_back({.space = former_streams, .key = std::move(key), .value = kv::Value(note_format)});
}

void erase_former_streams_later(store::Store& store, base::Jobs& jobs) {
  tenancy::run_upkeep(store, jobs, "former streams", base::Jobs::at_once,
                      [&store](const std::stop_token&) { return erase_one(store); });
}

}  // namespace dinette::tablestore
