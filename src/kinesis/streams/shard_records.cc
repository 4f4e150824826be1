#include "kinesis/streams/shard_records.h"

#include <algorithm>
#include <span>
#include <utility>

#include "dinette/base/bytes.h"

#include "kinesis/streams/stream_schema.h"

namespace dinette::kinesis {
namespace {

/// Kept on disk (FORMAT.md): never renumber.
constexpr store::SpaceId trim_marks{1};

std::string mark_key(store::StreamId shard) {
  std::string key;
  base::append_big_endian(key, static_cast<std::uint64_t>(shard));
  return key;
}

kv::Result<store::StreamPosition> trimmed_up_to(const store::View& view, store::StreamId shard) {
  DINETTE_TRY(const auto mark, view.read(trim_marks, mark_key(shard)));
  if (!mark) return store::StreamPosition();
  if (mark->size() != store::StreamPosition::encoded_size)
    return base::Failure{kv::Error{kv::ErrorKind::corrupt, "the trim mark of a shard cannot be read"}};
  return store::StreamPosition::at_end_of(mark->view());
}

kv::Result<void> write_entry(store::Store& store, store::SpaceId space, const std::string& key,
                             const store::RowChange& change) {
  const store::WriteTarget target = store::WriteTarget::entry(space, key);
  const auto decide = [&](const store::Rows&, store::RowChanges changes) {
    changes[0].row = change.row;
    changes[0].value = change.value;
    return true;
  };
  DINETTE_CHECK(store.write(std::span(&target, 1), decide));
  return {};
}

}  // namespace

kv::Result<store::StreamPosition> last_position(const store::View& view, const api::ShardRecord& shard) {
  DINETTE_TRY(store::StreamCursor records,
              view.read_stream(records_of(shard), {}, store::Direction::backward));
  DINETTE_TRY(const bool any, records.next());
  if (any) return records.position();
  return trimmed_up_to(view, records_of(shard));
}

kv::Result<StreamPlace> end_of(const store::View& view, const api::ShardRecord& shard) {
  DINETTE_TRY(const store::StreamPosition last, last_position(view, shard));
  const auto start = SequenceNumber::parse(shard.start);
  return std::max(StreamPlace{last}, start ? start->place : StreamPlace()).next();
}

kv::Result<void> trim_records(store::Store& store, store::StreamId shard, store::StreamPosition last,
                              const store::Count& erased) {
  std::string value;
  last.append_to(value);
  DINETTE_CHECK(put_entry(store, trim_marks, mark_key(shard), kv::Value(value)));
  return store.trim_stream(shard, last.next(), erased);
}

kv::Result<void> remove_records(store::Store& store, store::StreamId shard) {
  DINETTE_CHECK(erase_entry(store, trim_marks, mark_key(shard)));
  return store.trim_stream(shard, store::stream_end);
}

kv::Result<void> erase_entry(store::Store& store, store::SpaceId space, const std::string& key) {
  store::RowChange change;
  change.row = store::RowChange::Row::erase;
  return write_entry(store, space, key, change);
}

kv::Result<void> put_entry(store::Store& store, store::SpaceId space, const std::string& key,
                           kv::Value value) {
  store::RowChange change;
  change.row = store::RowChange::Row::put;
  change.value = std::move(value);
  return write_entry(store, space, key, change);
}

}  // namespace dinette::kinesis
