#include "dinette/store/past_rows.h"

#include "dinette/base/bytes.h"
#include "dinette/kv/commit_position.h"

#include "store/row_version.h"

namespace dinette::store {

kv::Result<bool> PastRows::next() {
  DINETTE_CHECK(start());
  while (on_row_ || on_version_) {
    const bool row_is_next = on_row_ && (!on_version_ || rows_.key() <= row_of_version());
    key_ = row_is_next ? rows_.key() : row_of_version();
    value_ = kv::Value();
    if (row_is_next) DINETTE_CHECK(take_row());
    DINETTE_CHECK(take_versions());
    if (value_) return true;
  }
  return false;
}

kv::Result<void> PastRows::start() {
  if (started_) return {};
  started_ = true;
  DINETTE_CHECK(advance_row());
  return advance_version();
}

kv::Result<void> PastRows::advance_row() {
  DINETTE_TRY(on_row_, rows_.next());
  if (on_row_) ++walked_;
  return {};
}

kv::Result<void> PastRows::advance_version() {
  DINETTE_TRY(on_version_, versions_.next());
  if (!on_version_) return {};
  ++walked_;
  if (versions_.key().size() >= kv::CommitPosition::encoded_size && decode_version(versions_.value()))
    return {};
  return base::Failure{kv::Error{kv::ErrorKind::corrupt, "a former value of a row cannot be read"}};
}

std::string_view PastRows::row_of_version() const {
  return versions_.key().substr(0, versions_.key().size() - kv::CommitPosition::encoded_size);
}

kv::Result<void> PastRows::take_row() {
  value_ = rows_.shared_value();
  return advance_row();
}

/// The first version that is later than the moment says what the row was.
kv::Result<void> PastRows::take_versions() {
  bool found = false;
  while (on_version_ && row_of_version() == key_) {
    const auto version = decode_version(versions_.value());
    const bool later = version->moment > moment_.moment || version->table_version >= moment_.table_version;
    if (later && !found) {
      found = true;
      value_ = version->former ? kv::Value(*version->former) : kv::Value();
    }
    DINETTE_CHECK(advance_version());
  }
  return {};
}

kv::Result<PastRows> View::scan_past(const Table& table, PastMoment moment, std::string_view after) const {
  KeyRange rows;
  KeyRange versions;
  if (!after.empty()) {
    rows.start_after(after, Direction::forward);
    versions.begin = base::prefix_end(after);
  }
  DINETTE_TRY(RowCursor row_cursor, scan(table, Area::rows(), rows, Direction::forward));
  DINETTE_TRY(RowCursor version_cursor, scan(table, Area::versions(), versions, Direction::forward));
  return PastRows(std::move(row_cursor), std::move(version_cursor), moment);
}

}  // namespace dinette::store
