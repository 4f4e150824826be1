#include <algorithm>
#include <iterator>
#include <limits>
#include <set>
#include <utility>

#include "dinette/base/bytes.h"

#include "cql/data/row_key.h"
#include "cql/statements/where.h"
#include "cql/types/key_order.h"
#include "cql/types/parts.h"
#include "cql/values/numbers.h"

namespace dinette::cql::statements {
namespace {

std::string names_in(const schema::Table& table, const Restriction& restriction) {
  std::string names;
  for (const std::size_t column : restriction.columns) {
    names.append(names.empty() ? "" : ", ").append(table.columns[column].name);
  }
  return restriction.columns.size() == 1 ? names : "(" + names + ")";
}

/// What a value is for, which messages depend on (docs/service-keyspaces/dml.md section 4).
enum class ValueUse : std::uint8_t { key, filter };

/// `name` returns the name of the column, for messages.
template <class Name>
Answer<std::string> bytes_of(TermValue value, ValueUse use, Name name) {
  if (value.has_bytes()) return std::move(value.bytes);
  if (use == ValueUse::filter) {
    return invalid(
        (value.is_null() ? "Unsupported null value for column " : "Unsupported unset value for column ") +
        name());
  }
  if (value.is_null()) return invalid("Invalid null value in condition for column " + name());
  return invalid("Invalid unset value for column " + name());
}

base::Failure<Error> null_component(const Restriction& restriction, std::size_t column, ValueUse use,
                                    const schema::Table& table) {
  const std::string& name = table.columns[column].name;
  if (use == ValueUse::filter) return invalid("Unsupported null value for column " + name);
  if (restriction.kind == Restriction::Kind::equal) return invalid("Invalid null value for column " + name);
  if (restriction.kind == Restriction::Kind::slice)
    return invalid("Invalid null value in condition for column " + name);
  std::string names;
  for (const std::size_t one : restriction.columns)
    names.append(names.empty() ? "" : ", ").append(table.columns[one].name);
  return invalid("Invalid null value in condition for columns: [" + names + "]");
}

/// The components of a tuple, or one value.
Answer<KeyValues> values_of(const Restriction& restriction, std::string bytes, ValueUse use,
                            const schema::Table& table) {
  if (!restriction.is_tuple) return KeyValues{std::move(bytes)};
  KeyValues values;
  PartReader in(bytes);
  for (const std::size_t column : restriction.columns) {
    const auto size = in.read_int();
    const auto part = size && *size >= 0 ? in.read(static_cast<std::size_t>(*size)) : std::nullopt;
    if (!part) return null_component(restriction, column, use, table);
    values.emplace_back(*part);
  }
  return values;
}

Answer<std::string> value_of(const Restriction& restriction, const Term& term, ValueUse use,
                             const Bindings& bindings, const schema::Table& table) {
  DINETTE_TRY(TermValue value, term.evaluate(bindings));
  if (restriction.is_tuple && value.is_unset())
    return invalid("Invalid unset value for tuple " + term.name());
  return bytes_of(std::move(value), use, [&] { return names_in(table, restriction); });
}

Answer<KeyValues> evaluate(const Restriction& restriction, const Term& term, ValueUse use,
                           const Bindings& bindings, const schema::Table& table) {
  DINETTE_TRY(std::string bytes, value_of(restriction, term, use, bindings, table));
  return values_of(restriction, std::move(bytes), use, table);
}

/// The list that IN is bound to.
Answer<std::string> list_of_in(const Restriction& restriction, const Bindings& bindings,
                               const schema::Table& table) {
  const Term& term = *restriction.in.list;
  DINETTE_TRY(TermValue list, term.evaluate(bindings));
  if (list.has_bytes()) return std::move(list.bytes);
  if (restriction.is_tuple) {
    return invalid(list.is_null() ? "Invalid null value for IN restriction"
                                  : "Invalid unset value for " + term.name());
  }
  return invalid((list.is_null() ? "Invalid null value for column " : "Invalid unset value for column ") +
                 names_in(table, restriction));
}

/// The values of IN, or the one that is equal.
Answer<std::vector<KeyValues>> evaluate_all(const Restriction& restriction, ValueUse use,
                                            const Bindings& bindings, const schema::Table& table) {
  std::vector<KeyValues> out;
  if (restriction.kind == Restriction::Kind::equal) {
    DINETTE_TRY(out.emplace_back(), evaluate(restriction, *restriction.equal, use, bindings, table));
    return out;
  }
  DINETTE_CHECK(check_combinations(restriction.in.terms.size()));
  for (const Term& term : restriction.in.terms) {
    DINETTE_TRY(out.emplace_back(), evaluate(restriction, term, use, bindings, table));
  }
  if (!restriction.in.list) return out;
  DINETTE_TRY(const std::string list, list_of_in(restriction, bindings, table));
  PartReader in(list);
  DINETTE_CHECK(check_combinations(static_cast<std::size_t>(in.read_int().value_or(0))));
  while (!in.at_end()) {
    const std::int32_t size = in.read_int().value_or(-1);
    const auto part = size < 0 ? std::nullopt : in.read(static_cast<std::size_t>(size));
    if (!part) return invalid("Invalid null value in condition for column " + names_in(table, restriction));
    DINETTE_TRY(out.emplace_back(), values_of(restriction, std::string(*part), use, table));
  }
  return out;
}

/// Adds each of `values` to each of `keys`.
Answer<std::vector<KeyValues>> extended(const std::vector<KeyValues>& keys,
                                        const std::vector<KeyValues>& values) {
  DINETTE_CHECK(check_combinations(keys.size() * values.size()));
  std::vector<KeyValues> out;
  for (const KeyValues& key : keys) {
    for (const KeyValues& value : values) {
      KeyValues& one = out.emplace_back(key);
      one.insert(one.end(), value.begin(), value.end());
    }
  }
  return out;
}

/// Adds to each of `keys` what a restriction says.
Answer<void> extend(std::vector<KeyValues>& keys, const Restriction& restriction, const Bindings& bindings,
                    const schema::Table& table) {
  if (restriction.kind == Restriction::Kind::equal && keys.size() == 1) {
    DINETTE_TRY(KeyValues values, evaluate(restriction, *restriction.equal, ValueUse::key, bindings, table));
    std::ranges::move(values, std::back_inserter(keys.front()));
    return {};
  }
  DINETTE_TRY(const auto values, evaluate_all(restriction, ValueUse::key, bindings, table));
  DINETTE_TRY(keys, extended(keys, values));
  return {};
}

std::vector<std::string_view> views(const KeyValues& values) {
  return {values.begin(), values.end()};
}

/// One end of a slice, whose values are bytes that order.
struct SliceEnd {
  std::vector<std::string> values{};
  std::vector<store::Order> orders{};  ///< of their columns
  bool is_lower = true;
  bool inclusive = true;
};

Answer<SliceEnd> end_of_slice(const Restriction& restriction, bool is_lower, const Bindings& bindings,
                              const schema::Table& table) {
  const Bound& bound = is_lower ? *restriction.lower : *restriction.upper;
  DINETTE_TRY(const KeyValues values, evaluate(restriction, bound.term, ValueUse::key, bindings, table));
  SliceEnd end{.is_lower = is_lower, .inclusive = bound.inclusive};
  for (std::size_t i = 0; i < values.size(); ++i) {
    const schema::Column& column = table.columns[restriction.columns[i]];
    append_key(end.values.emplace_back(), column.type, values[i], column.order);
    end.orders.push_back(column.order);
  }
  return end;
}

/// The ends of all slices of a clause, each of which leaves out some of the rows.
Answer<std::vector<SliceEnd>> ends_of_slices(const Where& where, const Bindings& bindings,
                                             const schema::Table& table) {
  std::vector<SliceEnd> ends;
  const auto add = [&](const Restriction& restriction) -> Answer<void> {
    if (restriction.kind != Restriction::Kind::slice) return {};
    if (restriction.lower) {
      DINETTE_TRY(ends.emplace_back(), end_of_slice(restriction, true, bindings, table));
    }
    if (restriction.upper) {
      DINETTE_TRY(ends.emplace_back(), end_of_slice(restriction, false, bindings, table));
    }
    return {};
  };
  for (const Restriction& restriction : where.clustering) DINETTE_CHECK(add(restriction));
  for (const Restriction& restriction : where.more_slices) DINETTE_CHECK(add(restriction));
  return ends;
}

store::KeyRange all_after(const std::string& prefix) {
  return {prefix, prefix.empty() ? std::string() : base::prefix_end(prefix)};
}

/// Returns the keys that begin with `prefix` and go on with a value that comes after `value`, or before it.
/// `with_value`: also with that one.
std::optional<store::KeyRange> keys_beside(const std::string& prefix, const std::string& value, bool after,
                                           bool with_value) {
  store::KeyRange range = all_after(prefix);
  std::string beyond = base::prefix_end(prefix + value);
  if (after) {
    if (!with_value && beyond.empty()) return std::nullopt;  // no key comes after the value
    range.begin = with_value ? prefix + value : std::move(beyond);
  } else {
    range.end = with_value ? std::move(beyond) : prefix + value;
  }
  if (range.empty()) return std::nullopt;
  return range;
}

/// Returns the rows that one end of a slice leaves: of several columns those whose first one is beyond its
/// value, those that have this value and whose second one is beyond, and so on. Where all columns have one
/// order these ranges adjoin.
std::vector<store::KeyRange> ranges_of(std::string prefix, const SliceEnd& end) {
  std::vector<store::KeyRange> ranges;
  for (std::size_t i = 0; i < end.values.size(); ++i) {
    const bool after = end.is_lower == (end.orders[i] == store::Order::ascending);
    const bool is_last = i + 1 == end.values.size();
    if (auto range = keys_beside(prefix, end.values[i], after, is_last && end.inclusive))
      ranges.push_back(*std::move(range));
    prefix += end.values[i];
  }
  return ranges;
}

std::vector<store::KeyRange> common_ranges(std::span<const store::KeyRange> some,
                                           std::span<const store::KeyRange> others) {
  std::vector<store::KeyRange> ranges;
  for (const store::KeyRange& one : some) {
    for (const store::KeyRange& other : others) {
      store::KeyRange both{std::max(one.begin, other.begin), one.end};
      if (one.end.empty() || (!other.end.empty() && other.end < one.end)) both.end = other.end;
      if (!both.empty()) ranges.push_back(std::move(both));
    }
  }
  return ranges;
}

/// Returns disjoint ranges ascending, those that adjoin as one.
std::vector<data::Slice> slices_of(std::vector<store::KeyRange> ranges, bool is_row) {
  std::ranges::sort(ranges, {}, &store::KeyRange::begin);
  std::vector<data::Slice> slices;
  for (store::KeyRange& range : ranges) {
    if (!slices.empty() && slices.back().range.end == range.begin) {
      slices.back().range.end = std::move(range.end);
    } else {
      slices.push_back({std::move(range), is_row});
    }
  }
  return slices;
}

bool compares(const std::vector<Type>& types, const KeyValues& values, const KeyValues& bound, bool is_lower,
              bool inclusive) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto order = compare_values(types[i], values[i], bound[i]);
    if (order != 0) return is_lower == std::is_gt(order);
  }
  return inclusive;
}

/// Returns true if a collection has an element; of a map `offset` 0 are keys, and 1 values.
bool contains(const Type& type, std::string_view collection, std::size_t offset, std::string_view wanted) {
  const std::size_t step = type.arguments.size();
  PartReader in(collection);
  in.read_int();
  for (std::size_t i = 0; !in.at_end(); ++i) {
    const auto part = in.read(static_cast<std::size_t>(std::max(in.read_int().value_or(0), 0)));
    if (!part) return false;
    if (i % step == offset && compare_values(type.arguments[offset], *part, wanted) == 0) return true;
  }
  return false;
}

/// Returns the value of an entry of a map.
std::optional<std::string_view> entry_of(const Type& type, std::string_view map, std::string_view key) {
  PartReader in(map);
  in.read_int();
  while (!in.at_end()) {
    const auto found = in.read(static_cast<std::size_t>(std::max(in.read_int().value_or(0), 0)));
    const auto value = in.read(static_cast<std::size_t>(std::max(in.read_int().value_or(0), 0)));
    if (!found || !value) return std::nullopt;
    if (compare_values(type.arguments[0], *found, key) == 0) return value;
  }
  return std::nullopt;
}

bool passes_restriction(const BoundFilter& bound, const data::RowValues& row) {
  const Restriction& restriction = bound.filter->restriction;
  KeyValues values;
  for (const std::size_t column : restriction.columns) {
    const auto value = row.value(column);
    if (!value) return false;
    values.emplace_back(*value);
  }
  if (restriction.kind != Restriction::Kind::slice) {
    return std::ranges::any_of(bound.values, [&](const KeyValues& wanted) {
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (compare_values(restriction.types[i], values[i], wanted[i]) != 0) return false;
      }
      return true;
    });
  }
  // A bound of several columns may be shorter than the values that are compared.
  if (bound.lower && !compares(restriction.types, values, *bound.lower, true, restriction.lower->inclusive)) {
    return false;
  }
  return !bound.upper ||
         compares(restriction.types, values, *bound.upper, false, restriction.upper->inclusive);
}

bool passes_one(const schema::Table& table, const BoundFilter& bound, const data::RowValues& row) {
  const Filter& filter = *bound.filter;
  if (filter.kind == Filter::Kind::restriction) return passes_restriction(bound, row);
  const std::size_t place = filter.restriction.columns.front();
  const Type& type = table.columns[place].type;
  const auto value = row.value(place);
  if (!value) return false;
  const std::string& wanted = bound.values.front().front();
  switch (filter.kind) {
    case Filter::Kind::contains:
      return contains(type, *value, type.arguments.size() - 1, wanted);
    case Filter::Kind::contains_key:
      return contains(type, *value, 0, wanted);
    default: {
      const auto entry = entry_of(type, *value, bound.key);
      return entry && compare_values(type.arguments[1], *entry, wanted) == 0;
    }
  }
}

}  // namespace

Answer<void> check_combinations(std::size_t count) {
  if (count <= most_combinations) return {};
  return invalid("IN clause with " + std::to_string(count) + " subqueries exceeds the maximum of " +
                 std::to_string(most_combinations) + ".");
}

base::Failure<Error> key_too_long(std::size_t size, std::size_t most) {
  return invalid("Key length of " + std::to_string(size) + " is longer than maximum of " +
                 std::to_string(most));
}

// docs/service-keyspaces/types.md section 4, docs/service-keyspaces/limits.md.
Answer<void> check_partition_key(const KeyValues& values, std::size_t most) {
  if (values.size() == 1 && values.front().empty()) return invalid("Key may not be empty");
  std::size_t size = 0;
  for (const std::string& value : values) size += value.size();
  if (size > most) return key_too_long(size, most);
  return {};
}

Answer<std::vector<KeyValues>> partition_keys(const schema::Table& table, const Where& where,
                                              const Bindings& bindings) {
  std::vector<KeyValues> keys(1);
  for (const Restriction& restriction : where.partition)
    DINETTE_CHECK(extend(keys, restriction, bindings, table));
  if (keys.size() == 1) return keys;
  std::set<KeyValues> seen;
  std::erase_if(keys, [&](const KeyValues& key) { return !seen.insert(key).second; });
  return keys;
}

Answer<ClusteringKeys> clustering_keys(const schema::Table& table, const Where& where,
                                       const Bindings& bindings) {
  std::vector<KeyValues> prefixes(1);
  for (const Restriction& restriction : where.clustering) {
    if (restriction.kind == Restriction::Kind::slice) break;
    DINETTE_CHECK(extend(prefixes, restriction, bindings, table));
  }
  DINETTE_TRY(const std::vector<SliceEnd> ends, ends_of_slices(where, bindings, table));
  ClusteringKeys out;
  std::set<std::string> seen;
  for (KeyValues& values : prefixes) {
    const std::string prefix = data::clustering_part(table, views(values));
    if (prefixes.size() > 1 && !seen.insert(prefix).second) continue;
    std::vector<store::KeyRange> ranges{all_after(prefix)};
    for (const SliceEnd& end : ends) ranges = common_ranges(ranges, ranges_of(prefix, end));
    if (ranges.empty()) continue;
    const bool is_row = values.size() == table.clustering_size();
    out.slices.push_back(slices_of(std::move(ranges), is_row));
    if (is_row) out.rows.push_back(std::move(values));
  }
  return out;
}

bool Where::is_point(const schema::Table& table) const {
  const auto is_equal = [](const Restriction& one) { return one.kind == Restriction::Kind::equal; };
  return !partition.empty() && !has_token() && std::ranges::all_of(partition, is_equal) &&
         std::ranges::all_of(clustering, is_equal) && clustering_columns() == table.clustering_size();
}

Answer<PointKey> point_key(const schema::Table& table, const Where& where, const Bindings& bindings) {
  PointKey key;
  const auto add = [&](const std::vector<Restriction>& restrictions, KeyValues& values) -> Answer<void> {
    values.reserve(restrictions.size());
    for (const Restriction& restriction : restrictions) {
      DINETTE_TRY(std::string bytes,
                  value_of(restriction, *restriction.equal, ValueUse::key, bindings, table));
      if (!restriction.is_tuple) {
        values.push_back(std::move(bytes));
      } else {
        DINETTE_TRY(KeyValues own, values_of(restriction, std::move(bytes), ValueUse::key, table));
        std::ranges::move(own, std::back_inserter(values));
      }
    }
    return {};
  };
  DINETTE_CHECK(add(where.partition, key.partition));
  DINETTE_CHECK(add(where.clustering, key.clustering));
  return key;
}

Answer<std::optional<store::KeyRange>> token_keys(const Where& where, const Bindings& bindings) {
  using Limits = std::numeric_limits<std::int64_t>;
  const auto token = [&](const Bound& bound) -> Answer<std::int64_t> {
    DINETTE_TRY(TermValue value, bound.term.evaluate(bindings));
    if (value.is_null()) return invalid("Invalid null token value");
    const auto name = [] { return std::string("partition key token"); };
    DINETTE_TRY(const std::string bytes, bytes_of(std::move(value), ValueUse::key, name));
    return read_fixed(bytes);
  };
  std::int64_t first = Limits::min();
  std::int64_t last = Limits::max();
  if (where.token_lower) {
    DINETTE_TRY(first, token(*where.token_lower));
    if (!where.token_lower->inclusive) {
      if (first == Limits::max()) return std::optional<store::KeyRange>();
      ++first;
    }
  }
  if (where.token_upper) {
    DINETTE_TRY(last, token(*where.token_upper));
    // The least token is no partition's: as an upper bound it is the end.
    if (last == Limits::min()) {
      last = Limits::max();
    } else if (!where.token_upper->inclusive) {
      --last;
    }
  }
  return data::token_range(first, last);
}

namespace {

/// `part`: "map key" or "map value".
Answer<std::string> bytes_of_part(const Term& term, std::string_view part, const schema::Column& column,
                                  const Bindings& bindings) {
  DINETTE_TRY(TermValue value, term.evaluate(bindings));
  if (value.has_bytes()) return std::move(value.bytes);
  return invalid((value.is_null() ? "Unsupported null " : "Unsupported unset ") + std::string(part) +
                 " for column " + column.name);
}

/// Binds a filter on parts of a collection.
Answer<void> bind_parts(const schema::Column& column, const Bindings& bindings, BoundFilter& bound) {
  const Filter& filter = *bound.filter;
  if (filter.key) {
    DINETTE_TRY(bound.key, bytes_of_part(*filter.key, "map key", column, bindings));
  }
  DINETTE_TRY(std::string value,
              bytes_of_part(*filter.value, filter.key ? "map value" : "value", column, bindings));
  bound.values.push_back({std::move(value)});
  return {};
}

}  // namespace

Answer<std::vector<BoundFilter>> bind_filters(const schema::Table& table, const Where& where,
                                              const Bindings& bindings) {
  std::vector<BoundFilter> out;
  for (const Filter& filter : where.filters) {
    BoundFilter& bound = out.emplace_back(BoundFilter{.filter = &filter});
    const Restriction& restriction = filter.restriction;
    if (filter.kind != Filter::Kind::restriction) {
      DINETTE_CHECK(bind_parts(table.columns[restriction.columns.front()], bindings, bound));
      continue;
    }
    const ValueUse use = filter.in_order ? ValueUse::key : ValueUse::filter;
    if (restriction.kind != Restriction::Kind::slice) {
      DINETTE_TRY(bound.values, evaluate_all(restriction, use, bindings, table));
    }
    if (restriction.lower) {
      DINETTE_TRY(bound.lower.emplace(),
                  evaluate(restriction, restriction.lower->term, use, bindings, table));
    }
    if (restriction.upper) {
      DINETTE_TRY(bound.upper.emplace(),
                  evaluate(restriction, restriction.upper->term, use, bindings, table));
    }
  }
  return out;
}

bool passes(const schema::Table& table, std::span<const BoundFilter> filters, const data::RowValues& row) {
  return std::ranges::all_of(filters, [&](const BoundFilter& one) { return passes_one(table, one, row); });
}

}  // namespace dinette::cql::statements
