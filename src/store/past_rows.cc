#include "dinette/store/past_rows.h"

#include <algorithm>

#include "dinette/base/bytes.h"
#include "dinette/kv/commit_position.h"

#include "store/row_version.h"

namespace dinette::store {
namespace {

/// The key of the row that a version is of.
std::string_view row_of(const RowCursor& version) {
  return version.key().substr(0, version.key().size() - kv::CommitPosition::encoded_size);
}

kv::Result<void> check_version(const RowCursor& version) {
  if (version.key().size() >= kv::CommitPosition::encoded_size && decode_version(version.value())) return {};
  return base::Failure{kv::Error{kv::ErrorKind::corrupt, "a former value of a row cannot be read"}};
}

bool is_later(const RowVersionView& version, const PastMoment& moment) {
  return version.moment > moment.moment || version.table_version >= moment.table_version;
}

kv::Value value_of(const RowVersionView& version) {
  return version.former ? kv::Value(*version.former) : kv::Value();
}

/// The versions of the rows in `range` after the row `after`.
KeyRange versions_after(const KeyRange& range, std::string_view after) {
  KeyRange versions = range;
  if (!after.empty()) versions.begin = std::max(versions.begin, base::prefix_end(after));
  return versions;
}

}  // namespace

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
  return check_version(versions_);
}

std::string_view PastRows::row_of_version() const {
  return row_of(versions_);
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
    if (!found && is_later(*version, moment_)) {
      found = true;
      value_ = value_of(*version);
    }
    DINETTE_CHECK(advance_version());
  }
  return {};
}

kv::Result<void> PastChanges::advance() {
  DINETTE_TRY(on_version_, versions_.next());
  if (!on_version_) return {};
  ++walked_;
  return check_version(versions_);
}

std::string_view PastChanges::row_of_version() const {
  return row_of(versions_);
}

kv::Result<bool> PastChanges::next() {
  if (!started_) {
    started_ = true;
    DINETTE_CHECK(advance());
  }
  if (!on_version_) return false;
  key_ = row_of_version();
  changed_.reset();
  before_ = kv::Value();
  after_ = kv::Value();
  bool ended = false;  // a version is later than the second moment
  while (on_version_ && row_of_version() == key_) {
    const auto version = decode_version(versions_.value());
    if (!ended && is_later(*version, from_)) {
      const kv::Value former = value_of(*version);
      ended = is_later(*version, to_);
      if (ended) {
        after_ = former;
      } else {
        if (!changed_) before_ = former;
        changed_ = version->moment;
      }
    }
    DINETTE_CHECK(advance());
  }
  if (!changed_ || ended) return true;
  DINETTE_TRY(const auto present, read_(key_));
  if (present) after_ = *present;
  return true;
}

kv::Result<PastRows> View::scan_past(const Table& table, PastMoment moment, std::string_view after,
                                     const KeyRange& range) const {
  KeyRange rows = range;
  if (!after.empty()) rows.start_after(after, Direction::forward);
  DINETTE_TRY(RowCursor row_cursor, scan(table, Area::rows(), rows, Direction::forward));
  DINETTE_TRY(RowCursor version_cursor,
              scan(table, Area::versions(), versions_after(range, after), Direction::forward));
  return PastRows(std::move(row_cursor), std::move(version_cursor), moment);
}

kv::Result<PastChanges> View::scan_changes(const Table& table, PastMoment from, PastMoment to,
                                           std::string_view after, const KeyRange& range) const {
  DINETTE_TRY(RowCursor versions,
              scan(table, Area::versions(), versions_after(range, after), Direction::forward));
  return PastChanges(std::move(versions), from, to,
                     [this, &table](std::string_view key) { return read(table, key); });
}

}  // namespace dinette::store
