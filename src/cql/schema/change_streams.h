#pragma once

#include <optional>

#include "dinette/store/store.h"

#include "cql/error.h"
#include "cql/grammar/ast.h"
#include "cql/schema/place.h"
#include "cql/schema/schema.h"

/// Streams of the changes of tables, as far as definitions begin and end them
/// (docs/service-keyspaces/control-plane.md section 5).
namespace dinette::cql::schema {

/// How long records can be read.
inline constexpr std::chrono::hours streams_keep{24};

/// Returns the id of a stream that the properties may begin; nothing if they begin none.
Answer<std::optional<store::StreamId>> reserve_stream(const Place& place,
                                                      const grammar::Properties& properties);

/// Begins the stream of a table that is to capture changes, and forgets those of which nothing can be read.
void begin_stream(const Place& place, std::optional<store::StreamId> reserved, Table& table);

/// Drops a table of users, or a keyspace, from the store. Returns false if it is already gone. The records of
/// its streams go later, by trim_dropped_streams(); a table that can be restored keeps its rows
/// (dropped_tables.h).
kv::Result<bool> drop_stored(store::Store& store, const store::Table& stored);

/// Erases the records of streams whose tables were dropped.
kv::Result<void> trim_dropped_streams(store::Store& store);

}  // namespace dinette::cql::schema
