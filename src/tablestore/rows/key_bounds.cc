#include "tablestore/rows/key_bounds.h"

#include <algorithm>
#include <string>
#include <utility>

#include "dinette/base/bytes.h"

#include "tablestore/api/refusals.h"
#include "tablestore/rows/row_key.h"

namespace dinette::tablestore {
namespace {

using store::Direction;
using store::KeyRange;

/// Orders two columns of bounds: INF_MIN is below, INF_MAX above everything.
std::weak_ordering compare_bounds(const Value& a, const Value& b) {
  const auto rank = [](const Value& value) {
    if (value.type() == ValueType::inf_min) return -1;
    return value.type() == ValueType::inf_max ? 1 : 0;
  };
  if (rank(a) != rank(b) || rank(a) != 0) return rank(a) <=> rank(b);
  const std::partial_ordering order = compare(a, b);
  if (order < 0) return std::weak_ordering::less;
  return order > 0 ? std::weak_ordering::greater : std::weak_ordering::equivalent;
}

std::weak_ordering compare_bounds(const PrimaryKey& a, const PrimaryKey& b) {
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
    if (const auto order = compare_bounds(a[i].value, b[i].value); order != 0) return order;
  }
  return std::weak_ordering::equivalent;
}

/// A place between keys of rows: before all keys that are not less than `bytes`, or after all keys.
struct Place {
  std::string bytes;
  bool at_end = false;
};

/// Returns the place of a bound. What follows an infinite column has no effect. `after`: behind the row, if
/// the bound is a whole key.
Place place_of(const PrimaryKey& bound, bool after) {
  Place place;
  for (const KeyColumn& column : bound) {
    if (column.value.is_infinite()) {
      after = column.value.type() == ValueType::inf_max;
      break;
    }
    append_key_value(place.bytes, column.value);
  }
  if (!after) return place;
  place.bytes = base::prefix_end(place.bytes);
  place.at_end = place.bytes.empty();
  return place;
}

KeyRange range_between(Place begin, Place end) {
  if (begin.at_end || (!end.at_end && end.bytes.empty())) return {"\x01", std::string(1, '\0')};  // no key
  return {std::move(begin.bytes), std::move(end.bytes)};
}

}  // namespace

Answer<KeyRange> key_range(const PrimaryKey& start, const PrimaryKey& end, Direction direction) {
  const auto order = compare_bounds(start, end);
  if (direction == Direction::forward) {
    if (order >= 0) return refuse::begin_not_less_than_end();
    return range_between(place_of(start, false), place_of(end, false));
  }
  if (order <= 0) return refuse::begin_not_more_than_end();
  return range_between(place_of(end, true), place_of(start, true));
}

}  // namespace dinette::tablestore
