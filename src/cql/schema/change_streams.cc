#include "cql/schema/change_streams.h"

#include <span>
#include <string>
#include <utility>

#include "dinette/base/ascii.h"
#include "dinette/base/bytes.h"

#include "cql/schema/dropped_tables.h"
#include "cql/schema/properties.h"
#include "cql/schema/table_schema.h"

namespace dinette::cql::schema {
namespace {

/// The streams of dropped tables, by their ids. Kept on disk (FORMAT.md): never renumber.
constexpr store::SpaceId dropped_streams{1};

std::string key_of(std::uint64_t stream) {
  std::string key;
  base::append_big_endian(key, stream);
  return key;
}

kv::Result<void> erase_entry(store::Store& store, const std::string& key) {
  const store::WriteTarget target = store::WriteTarget::entry(dropped_streams, key);
  const auto decide = [](const store::Rows&, store::RowChanges changes) {
    changes[0].row = store::RowChange::Row::erase;
    return true;
  };
  DINETTE_CHECK(store.write(std::span(&target, 1), decide));
  return {};
}

bool is_readable(const ChangeStream& stream, base::TimePoint now) {
  return !stream.ended || now - *stream.ended < streams_keep;
}

}  // namespace

Answer<std::optional<store::StreamId>> reserve_stream(const Place& place,
                                                      const grammar::Properties& properties) {
  const grammar::PropertyValue* const cdc = find_property(properties, "cdc");
  if (cdc == nullptr || !base::equal_ignoring_case(cdc->text, "true"))
    return std::optional<store::StreamId>();
  DINETTE_CQL_STORED(const store::StreamId stream, place.store.new_stream());
  return std::optional(stream);
}

void begin_stream(const Place& place, std::optional<store::StreamId> reserved, Table& table) {
  ChangeCapture& cdc = table.options.cdc;
  // All records of the others were erased when they were a day old.
  std::erase_if(cdc.streams, [&](const ChangeStream& stream) { return !is_readable(stream, place.now); });
  const bool is_open = !cdc.streams.empty() && !cdc.streams.back().ended;
  if (!cdc.enabled || is_open || !reserved) return;
  cdc.streams.push_back(
      {.id = static_cast<std::uint64_t>(*reserved), .view_type = cdc.view_type, .since = place.now});
}

kv::Result<bool> drop_stored(store::Store& store, const store::Table& stored) {
  if (names_keyspace(stored.name)) return store.catalog().drop(stored);
  const base::TimePoint now = store.clock().now();
  const auto decide = [now](const store::Table& current) {
    const Table& table = current.schema_as<TableSchema>().table();
    store::TableDrop drop;
    for (const ChangeStream& stream : table.options.cdc.streams)
      drop.entries.push_back({dropped_streams, key_of(stream.id), kv::Value(std::string_view("\x01"))});
    if (const auto kept = kept_when_dropped(table, now)) drop.unnamed = encode(*kept);
    return std::optional(std::move(drop));
  };
  return store.catalog().drop(stored, decide);
}

kv::Result<void> trim_dropped_streams(store::Store& store) {
  DINETTE_TRY(const store::View view, store.view());
  DINETTE_TRY(auto cursor, view.scan(dropped_streams, {}, store::Direction::forward));
  for (;;) {
    DINETTE_TRY(const bool more, cursor.next());
    if (!more) return {};
    const std::string key(cursor.key());
    if (key.size() != sizeof(std::uint64_t)) continue;
    const auto stream = base::load_big_endian<std::uint64_t>(key.data());
    DINETTE_CHECK(store.trim_stream(store::StreamId{stream}, store::stream_end));
    DINETTE_CHECK(erase_entry(store, key));
  }
}

}  // namespace dinette::cql::schema
