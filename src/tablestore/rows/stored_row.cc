#include "tablestore/rows/stored_row.h"

#include <algorithm>

namespace dinette::tablestore {
namespace {

bool precedes(const Cell& a, const Cell& b) {
  return a.name != b.name ? a.name < b.name : a.version > b.version;
}

}  // namespace

kv::Result<void> StoredRow::read(std::string_view row_key, const kv::Value* value,
                                 std::span<const store::KeyAndValue> keys, RowReading reading) {
  present_ = value != nullptr;
  reading_ = reading;
  if (!present_) return {};
  wide_ = wide_row(value->view());
  if (!wide_) return unpack(value->view(), cells_);
  for (const store::KeyAndValue& key : keys) {
    if (key.key.size() == row_key.size()) continue;  // the row's own
    DINETTE_CHECK(wide_cells_.add(std::string_view(key.key).substr(row_key.size()), key.value));
  }
  cells_ = wide_cells_.cells();
  if (!std::ranges::is_sorted(cells_, precedes)) std::ranges::sort(cells_, precedes);
  return {};
}

std::int64_t StoredRow::bytes() const {
  if (!present_) return 0;
  return static_cast<std::int64_t>(wide_ ? wide_->bytes : packed_size(cells_));
}

}  // namespace dinette::tablestore
