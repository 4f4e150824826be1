#include "tablestore/rows/row_scan.h"

#include <utility>

#include "tablestore/rows/wide_cells.h"

namespace dinette::tablestore {

using store::Direction;

kv::Result<RowScan> RowScan::open(const store::View& view, const ReadTarget& target,
                                  const store::KeyRange& range, Direction direction,
                                  const RowSelection& selection, base::TimePoint now,
                                  const PendingRows* pending) {
  DINETTE_TRY(store::RowCursor cursor, view.scan(*target.table, target.area, range, direction));
  return RowScan(view, target, range, direction, selection, now, pending, std::move(cursor));
}

RowScan::RowScan(const store::View& view, const ReadTarget& target, const store::KeyRange& range,
                 Direction direction, const RowSelection& selection, base::TimePoint now,
                 const PendingRows* pending, store::RowCursor cursor)
    : view_(&view),
      target_(&target),
      range_(range),
      direction_(direction),
      selection_(&selection),
      visibility_(Visibility::of(target.options(), now)),
      pending_(pending),
      cursor_(std::move(cursor)) {}

kv::Result<bool> RowScan::next() {
  if (!std::exchange(started_, true) && pending_ != nullptr) begin_pending();
  for (;;) {
    if (!has_stored_ && !stored_end_) DINETTE_CHECK(find_stored());
    if (!has_stored_ && !has_pending_) return false;
    DINETTE_TRY(const bool visible, pending_first() ? load_pending() : load_stored());
    if (visible) return true;
  }
}

void RowScan::begin_pending() {
  if (direction_ == Direction::forward)
    next_pending_ = pending_->lower_bound(range_.begin);
  else
    next_pending_ = range_.end.empty() ? pending_->end() : pending_->lower_bound(range_.end);
  find_pending();
}

kv::Result<void> RowScan::find_stored() {
  if (!std::exchange(on_next_, false)) {
    DINETTE_TRY(has_more_, cursor_.next());
  }
  has_stored_ = has_more_;
  stored_end_ = !has_more_;
  if (stored_end_) return {};
  key_is_stored_ = true;
  if (!key_->read(cursor_.key(), target_->key)) return base::Failure{corrupt_row()};
  stored_key_ = cursor_.key().substr(0, key_->size());
  if (cursor_.key().size() > stored_key_.size()) {  // the last cell of a wide row, from behind
    DINETTE_TRY(const bool found, cursor_.seek(stored_key_));
    if (!found || cursor_.key() != stored_key_) return base::Failure{corrupt_row()};
  }
  stored_value_ = cursor_.shared_value();
  if (direction_ == Direction::backward || !wide_row(stored_value_.view())) return {};
  // From the front, the cells follow.
  DINETTE_TRY(has_more_, cursor_.seek(end_of_row(stored_key_)));
  on_next_ = true;
  return {};
}

void RowScan::find_pending() {
  if (direction_ == Direction::forward) {
    has_pending_ = next_pending_ != pending_->end() && range_.contains(next_pending_->first);
    return;
  }
  has_pending_ = next_pending_ != pending_->begin() && range_.contains(std::prev(next_pending_)->first);
  if (has_pending_) --next_pending_;
}

bool RowScan::pending_first() const {
  if (!has_pending_ || !has_stored_) return has_pending_;
  if (next_pending_->first == stored_key_) return true;
  return (next_pending_->first < stored_key_) == (direction_ == Direction::forward);
}

kv::Result<bool> RowScan::load_pending() {
  if (has_stored_ && next_pending_->first == stored_key_) has_stored_ = false;
  key_is_stored_ = false;
  const auto& [key, value] = *next_pending_;
  if (direction_ == Direction::forward) ++next_pending_;
  find_pending();
  if (!value) return false;
  if (!key_->read(key, target_->key)) return base::Failure{corrupt_row()};
  packed_ = value;
  DINETTE_CHECK(unpack(packed_.view(), cells_));
  return keep_visible(cells_, visibility_);
}

kv::Result<bool> RowScan::load_stored() {
  has_stored_ = false;
  packed_ = std::move(stored_value_);
  if (!key_is_stored_ && !key_->read(stored_key_, target_->key)) return base::Failure{corrupt_row()};
  if (target_->is_index()) {
    DINETTE_TRY(const CellVersion lasts_with, unpack_entry(packed_.view(), cells_));
    keep_visible(cells_, visibility_);
    return !visibility_.expired(lasts_with);
  }
  if (!wide_row(packed_.view())) {
    DINETTE_CHECK(unpack(packed_.view(), cells_));
    return keep_visible(cells_, visibility_);
  }
  wide_ = std::make_unique<WideCells>();
  return read_wide(*view_, *target_->table, stored_key_, *selection_, visibility_, *wide_, cells_);
}

}  // namespace dinette::tablestore
