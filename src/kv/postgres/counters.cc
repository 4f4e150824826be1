#include "kv/postgres/counters.h"

#include <utility>

#include "dinette/base/bytes.h"
#include "dinette/kv/write_batch.h"

namespace dinette::kv::postgres {

void FoundEntry::add_row(const Rows& rows, int row, int first_column) {
  const auto column = [first_column](int offset) { return first_column + offset; };
  digest_ ^= static_cast<std::uint64_t>(rows.int8(row, column(1)));
  const bool has_value = !rows.is_null(row, column(3));
  add_row(rows.int4(row, column(0)), rows.is_null(row, column(2)) ? 0 : rows.int8(row, column(2)), has_value,
          has_value ? rows.bytes(row, column(3)) : std::string_view());
}

void FoundEntry::add_row(std::int32_t slot, std::int64_t n, bool has_value, std::string_view value) {
  present_ = true;
  if (slot == 0) {
    if (has_value) value_ = Value(value);
    return;
  }
  const auto index = static_cast<std::size_t>((slot - 1) / counter_parts);
  if (sums_.size() <= index) sums_.resize(index + 1);
  sums_[index] += static_cast<std::uint64_t>(n);
}

Value FoundEntry::value() && {
  if (sums_.empty()) return std::move(value_);
  std::string increments;
  for (const std::uint64_t sum : sums_) base::append_big_endian(increments, sum);
  return add_counters(value_, increments);
}

}  // namespace dinette::kv::postgres
