#include "dinette/store/size.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "dinette/base/bytes.h"
#include "dinette/store/store.h"

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

Size& Size::operator+=(const Size& other) {
  tables += other.tables;
  rows += other.rows;
  bytes += other.bytes;
  return *this;
}

KeptHistory& KeptHistory::operator+=(const KeptHistory& other) {
  stream_records += other.stream_records;
  former_values += other.former_values;
  return *this;
}

kv::Result<KeptHistory> Store::kept_history() const {
  KeptHistory kept;
  DINETTE_TRY(const auto snapshot, engine_.snapshot());
  DINETTE_CHECK(add_counts(*snapshot, EngineKey::stream_counters(face_.id, StreamId{}), kept.stream_records));
  DINETTE_CHECK(add_counts(*snapshot, EngineKey::former_counters(face_.id, no_table), kept.former_values));
  return kept;
}

kv::Result<Size> Store::size() const {
  Size size;
  const EngineKey begin = EngineKey::names(face_.id);
  const std::string end = base::prefix_end(begin.view());
  DINETTE_TRY(const auto snapshot, engine_.snapshot());
  DINETTE_TRY(const auto cursor, snapshot->cursor({begin.view(), end}));
  DINETTE_TRY(bool on_table, cursor->first());
  while (on_table) {
    if (!is_name_record(cursor->value()))
      return base::Failure{kv::Error{kv::ErrorKind::corrupt, "a name record cannot be read"}};
    const EngineKey counters = EngineKey::counters(face_.id, id_in_name_record(cursor->value()), 0);
    DINETTE_TRY(const Count count, decode_count(snapshot->get(counters.view())));
    ++size.tables;
    size.rows += static_cast<std::uint64_t>(count.rows);
    size.bytes += static_cast<std::uint64_t>(count.bytes);
    DINETTE_TRY(on_table, cursor->next());
  }
  return size;
}

}  // namespace dinette::store
