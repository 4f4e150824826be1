#include "dinette/store/scan.h"

#include "dinette/base/bytes.h"

#include "store/count.h"
#include "store/keys.h"

namespace dinette::store {

kv::Result<bool> RowCursor::next() {
  const bool forward = direction_ == Direction::forward;
  if (started_) return forward ? cursor_->next() : cursor_->previous();
  started_ = true;
  return forward ? cursor_->first() : cursor_->last();
}

kv::Result<std::optional<kv::Value>> View::read(const Table& table, std::string_view key, Area area) const {
  return snapshot_->get(EngineKey::area(face_, table.id, area).append(key).view());
}

kv::Result<RowCursor> View::scan(const Table& table, Area area, const KeyRange& range,
                                 Direction direction) const {
  const EngineKey prefix = EngineKey::area(face_, table.id, area);
  EngineKey begin = prefix;
  begin.append(range.begin);
  std::string end;
  if (range.end.empty()) {
    end = base::prefix_end(prefix.view());
  } else {
    end.assign(prefix.view()).append(range.end);
  }
  DINETTE_TRY(auto cursor, snapshot_->cursor({begin.view(), end}));
  return RowCursor(std::move(cursor), prefix.size(), direction);
}

kv::Result<Count> View::count(const Table& table, IndexId index) const {
  return decode_count(snapshot_->get(EngineKey::counters(face_, table.id, index).view()));
}

}  // namespace dinette::store
