#include "store/world_size.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "dinette/base/bytes.h"

#include "store/count.h"
#include "store/keys.h"
#include "store/name_record.h"

namespace dinette::store {
namespace {

/// Adds up all counters whose keys begin so. Of what was kept before it was counted, less may be there than
/// was removed since.
kv::Result<void> add_counts(const kv::Snapshot& snapshot, const EngineKey& begin, Count& sum) {
  const std::string end = base::prefix_end(begin.view());
  DINETTE_TRY(const auto cursor, snapshot.cursor({begin.view(), end}));
  DINETTE_TRY(bool more, cursor->first());
  while (more) {
    sum.rows += std::max<std::int64_t>(0, kv::read_counter(cursor->value(), 0));
    sum.bytes += std::max<std::int64_t>(0, kv::read_counter(cursor->value(), 1));
    DINETTE_TRY(more, cursor->next());
  }
  return {};
}

}  // namespace

kv::Result<void> add_kept_history(const kv::Engine& engine, std::uint8_t face_id, KeptHistory& kept) {
  DINETTE_TRY(const auto snapshot, engine.snapshot());
  DINETTE_CHECK(add_counts(*snapshot, EngineKey::stream_counters(face_id, StreamId{}), kept.stream_records));
  return add_counts(*snapshot, EngineKey::former_counters(face_id, no_table), kept.former_values);
}

kv::Result<void> add_size(const kv::Engine& engine, std::uint8_t face_id, WorldSize& size) {
  const EngineKey begin = EngineKey::names(face_id);
  const std::string end = base::prefix_end(begin.view());
  DINETTE_TRY(const auto snapshot, engine.snapshot());
  DINETTE_TRY(const auto cursor, snapshot->cursor({begin.view(), end}));
  DINETTE_TRY(bool on_table, cursor->first());
  while (on_table) {
    if (!is_name_record(cursor->value()))
      return base::Failure{kv::Error{kv::ErrorKind::corrupt, "a name record cannot be read"}};
    const EngineKey counters = EngineKey::counters(face_id, id_in_name_record(cursor->value()), 0);
    DINETTE_TRY(const Count count, decode_count(snapshot->get(counters.view())));
    ++size.tables;
    size.rows += static_cast<std::uint64_t>(count.rows);
    size.bytes += static_cast<std::uint64_t>(count.bytes);
    DINETTE_TRY(on_table, cursor->next());
  }
  return {};
}

}  // namespace dinette::store
