#pragma once

#include <optional>
#include <string_view>

#include "dinette/base/jobs.h"
#include "dinette/store/store.h"

#include "cql/error.h"
#include "cql/schema/objects.h"
#include "cql/schema/place.h"

/// Tables with point-in-time recovery that were dropped: they stay without a name, to be restored, for as
/// long as recovery reaches back (docs/service-keyspaces/ddl.md section 5).
namespace dinette::cql::schema {

/// How far point-in-time recovery reaches back.
inline constexpr std::chrono::hours recovery_window{35 * 24};

/// Returns the description of a table that is dropped now and can be restored; nothing if it cannot. Its
/// transition ends when it was dropped.
std::optional<Table> kept_when_dropped(const Table& table, base::TimePoint now);

/// Returns the table of that name that was dropped last and can still be restored.
Answer<std::optional<StoredTable>> find_dropped_table(const Place& place, std::string_view keyspace,
                                                      std::string_view table);

/// Drops those that can no longer be restored. Returns when the next one cannot; nothing if there is none.
kv::Result<base::Jobs::Next> drop_unrestorable(store::Store& store);

}  // namespace dinette::cql::schema
