#include "dinette/cql/change_streams.h"

#include <utility>

#include "cql/data/change_record.h"
#include "cql/definitions/change_values.h"
#include "cql/definitions/scope.h"
#include "cql/schema/change_streams.h"
#include "cql/schema/objects.h"
#include "cql/system/node.h"

namespace dinette::cql {
namespace {

using schema::ChangeStream;
using schema::Table;

ChangeStreamDescription describe(const Place& place, const Table& table, const ChangeStream& stream) {
  return {.arn = system::stream_arn(place, table, stream),
          .label = system::stream_label(stream),
          .keyspace = table.keyspace,
          .table = table.name,
          .view_type = stream.view_type,
          .since = stream.since,
          .enabled = !stream.ended};
}

bool is_readable(const Place& place, const ChangeStream& stream) {
  return !stream.ended || place.now - *stream.ended < schema::streams_keep;
}

/// A stream that was found, with the table that it is of.
struct FoundStream {
  schema::StoredTable stored;
  const ChangeStream* stream;

  const Table& table() const { return stored.table(); }
};

Answer<std::optional<FoundStream>> find_stream(const Place& place, std::string_view keyspace,
                                               std::string_view table, std::string_view label) {
  DINETTE_TRY(auto stored, schema::find_table(place, keyspace, table));
  if (!stored) return std::optional<FoundStream>();
  for (const ChangeStream& stream : stored->table().options.cdc.streams) {
    if (system::stream_label(stream) == label && is_readable(place, stream))
      return std::optional(FoundStream{*std::move(stored), &stream});
  }
  return std::optional<FoundStream>();
}

ChangeImage image_of(const Table& table, const data::Row& row, bool of_statics) {
  ChangeImage image{.value_cells = "", .static_cells = ""};
  append_change_cells(of_statics ? image.static_cells : image.value_cells, table, row.cells);
  (of_statics ? image.value_cells : image.static_cells) = "{}";
  if (!row.marker) return image;
  image.write_time = row.marker->timestamp;
  if (row.marker->time_to_live != 0) image.expiration_time = row.marker->expires;
  return image;
}

ChangedRow row_of(const Table& table, const data::ChangeRecord& record, kv::CommitPosition position) {
  ChangedRow row{.position = position,
                 .created = record.created,
                 .by_time_to_live = record.origin == data::ChangeOrigin::time_to_live};
  const std::span columns(table.columns);
  append_key_values(row.partition_keys, columns.first(table.partition_key_size()), record.partition);
  if (!record.of_statics) {
    const auto clustering = columns.subspan(table.partition_key_size(), table.clustering_size());
    append_key_values(row.clustering_keys, clustering, record.clustering);
  }
  if (record.before) row.before = image_of(table, *record.before, record.of_statics);
  if (record.after) row.after = image_of(table, *record.after, record.of_statics);
  return row;
}

kv::Result<ChangePage> read_page(const Place& place, const FoundStream& found, kv::CommitPosition from,
                                 const ChangePageLimits& limits) {
  DINETTE_TRY(const store::View view, place.store.view());
  DINETTE_TRY(auto records, view.read_stream(store::StreamId{found.stream->id}, from));
  ChangePage page{.next = from};
  std::size_t bytes = 0;
  for (;;) {
    DINETTE_TRY(const bool more, records.next());
    if (!more) {
      page.at_end = true;
      return page;
    }
    bytes += records.record().size();
    const bool full = page.rows.size() == limits.records || bytes > limits.bytes;
    if (!page.rows.empty() && full) return page;
    DINETTE_TRY(const auto record, data::decode_change(records.record()));
    page.next = records.position().next();
    // Older ones are erased soon.
    if (place.now - record.created < schema::streams_keep)
      page.rows.push_back(row_of(found.table(), record, records.position()));
  }
}

kv::Result<kv::CommitPosition> end_of(const Place& place, const FoundStream& found) {
  DINETTE_TRY(const store::View view, place.store.view());
  const store::StreamId id{found.stream->id};
  DINETTE_TRY(auto records, view.read_stream(id, {}, store::Direction::backward));
  DINETTE_TRY(const bool any, records.next());
  return any ? records.position().next() : kv::CommitPosition();
}

/// As a Defined what may fail in the storage.
template <class Value>
Defined<std::optional<Value>> defined(kv::Result<Value> result) {
  if (result) return std::optional(std::move(result).value());
  return refusal_of(storage_failure(result.error()).error());
}

}  // namespace

Defined<std::vector<ChangeStreamDescription>> list_change_streams(const DefinitionScope& scope,
                                                                  std::string_view keyspace,
                                                                  std::string_view table) {
  const ScopePlace place(scope);
  std::vector<ChangeStreamDescription> out;
  DINETTE_CQL_DEFINED(const auto objects, schema::list_objects(*place));
  for (const schema::StoredTable& one : objects.tables) {
    const bool wanted = (keyspace.empty() || one.table().keyspace == keyspace) &&
                        (table.empty() || one.table().name == table);
    if (!wanted) continue;
    for (const ChangeStream& stream : one.table().options.cdc.streams) {
      if (is_readable(*place, stream)) out.push_back(describe(*place, one.table(), stream));
    }
  }
  return out;
}

Defined<std::optional<ChangeStreamDescription>> describe_change_stream(const DefinitionScope& scope,
                                                                       std::string_view keyspace,
                                                                       std::string_view table,
                                                                       std::string_view label) {
  const ScopePlace place(scope);
  DINETTE_CQL_DEFINED(const auto found, find_stream(*place, keyspace, table, label));
  if (!found) return std::optional<ChangeStreamDescription>();
  return std::optional(describe(*place, found->table(), *found->stream));
}

Defined<std::optional<ChangePage>> read_changes(const DefinitionScope& scope,
                                                const ChangeStreamDescription& stream,
                                                kv::CommitPosition from, const ChangePageLimits& limits) {
  const ScopePlace place(scope);
  DINETTE_CQL_DEFINED(const auto found, find_stream(*place, stream.keyspace, stream.table, stream.label));
  if (!found) return std::optional<ChangePage>();
  return defined(read_page(*place, *found, from, limits));
}

Defined<std::optional<kv::CommitPosition>> end_of_changes(const DefinitionScope& scope,
                                                          const ChangeStreamDescription& stream) {
  const ScopePlace place(scope);
  DINETTE_CQL_DEFINED(const auto found, find_stream(*place, stream.keyspace, stream.table, stream.label));
  if (!found) return std::optional<kv::CommitPosition>();
  return defined(end_of(*place, *found));
}

}  // namespace dinette::cql
