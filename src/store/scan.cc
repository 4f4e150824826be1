#include "dinette/store/scan.h"

#include "store/count.h"
#include "store/keys.h"
#include "store/stamp.h"

namespace dinette::store {
namespace {

kv::Result<RowCursor> scan_keys(const kv::Reader& reader, const EngineKey& prefix, const KeyRange& range,
                                Direction direction) {
  DINETTE_TRY(auto cursor, reader.cursor(EngineRange(prefix, range).view()));
  return RowCursor(std::move(cursor), prefix.view(), direction);
}

}  // namespace

std::int64_t partition_bytes_in(std::string_view value) {
  return static_cast<std::int64_t>(read_stamp(value));
}

kv::Result<bool> RowCursor::next() {
  const bool forward = direction_ == Direction::forward;
  if (started_) return forward ? cursor_->next() : cursor_->previous();
  started_ = true;
  return forward ? cursor_->first() : cursor_->last();
}

kv::Result<bool> RowCursor::seek(std::string_view key) {
  started_ = true;
  const std::string engine_key = prefix_ + std::string(key);
  return direction_ == Direction::forward ? cursor_->seek(engine_key)
                                          : cursor_->seek_for_previous(engine_key);
}

kv::Result<std::optional<kv::Value>> View::read(const Table& table, std::string_view key, Area area) const {
  return snapshot_->get(EngineKey::area({face_, name_space_}, table.id, area).append(key).view());
}

kv::Result<RowCursor> View::scan(const Table& table, Area area, const KeyRange& range,
                                 Direction direction) const {
  return scan_keys(*snapshot_, EngineKey::area({face_, name_space_}, table.id, area), range, direction);
}

kv::Result<std::optional<kv::Value>> View::read(SpaceId space, std::string_view key) const {
  return snapshot_->get(EngineKey::space({face_, name_space_}, space).append(key).view());
}

kv::Result<RowCursor> View::scan(SpaceId space, const KeyRange& range, Direction direction) const {
  return scan_keys(*snapshot_, EngineKey::space({face_, name_space_}, space), range, direction);
}

kv::Result<StreamCursor> View::read_stream(StreamId stream, StreamPosition from, Direction direction) const {
  KeyRange range;
  from.append_to(range.begin);
  DINETTE_TRY(RowCursor records, scan_keys(*snapshot_, EngineKey::stream(face_, stream), range, direction));
  return StreamCursor(std::move(records));
}

kv::Result<RowCursor> View::scan_partition_bytes(const Table& table) const {
  return scan_keys(*snapshot_, EngineKey::partition_bytes(face_, table.id, {}), {}, Direction::forward);
}

kv::Result<Count> View::count_stream(StreamId stream) const {
  return decode_count(snapshot_->get(EngineKey::stream_counters(face_, stream).view()));
}

kv::Result<Count> View::count(const Table& table, IndexId index) const {
  return decode_count(snapshot_->get(EngineKey::counters(face_, table.id, index).view()));
}

}  // namespace dinette::store
