#include "tablestore/search/order.h"

#include <algorithm>
#include <utility>

#include "tablestore/api/limits.h"
#include "tablestore/api/refusals.h"
#include "tablestore/codec/field_reader.h"
#include "tablestore/plainbuffer/variant.h"

namespace dinette::tablestore::search {
namespace {

bool descends(const std::optional<api::SortOrder>& order) {
  return order == api::SortOrder::desc;
}

/// Returns the one of several values that counts. By default that is the one that comes first.
std::optional<FieldValue> one_of(std::vector<FieldValue> values, api::SortMode mode) {
  if (values.empty()) return std::nullopt;
  if (mode == api::SortMode::max) return *std::ranges::max_element(values, LessValue());
  if (mode == api::SortMode::min) return *std::ranges::min_element(values, LessValue());
  double sum = 0;
  for (const FieldValue& value : values) sum += number_of(value).value_or(0);
  return sum / static_cast<double>(values.size());
}

void append(std::vector<FieldValue>& values, const std::vector<FieldValue>& more) {
  values.insert(values.end(), more.begin(), more.end());
}

}  // namespace

Answer<Order> Order::read(std::string_view sort, const IndexSchema& schema) {
  const auto message = codec::decode_message<api::Sort>(sort);
  if (!message) return refuse::unreadable_message();
  return read(*message, schema);
}

Answer<Order> Order::read(const api::Sort& sort, const IndexSchema& schema) {
  Order order;
  if (sort.sorter.size() > limits::search_sorters) return refuse::too_many_sorters(limits::search_sorters);
  for (const api::Sorter& sorter : sort.sorter) {
    if (sorter.field_sort) DINETTE_CHECK(order.add(*sorter.field_sort, schema));
    if (sorter.geo_distance_sort) DINETTE_CHECK(order.add(*sorter.geo_distance_sort, schema));
    if (sorter.pk_sort) order.sorters_.push_back({.descending = descends(sorter.pk_sort->order)});
    if (sorter.score_sort)
      order.sorters_.push_back(
          {.kind = Sorter::Kind::score, .descending = sorter.score_sort->order != api::SortOrder::asc});
  }
  return order;
}

Answer<void> Order::add(const api::FieldSort& sort, const IndexSchema& schema) {
  DINETTE_TRY(const Field* const field, schema.find_indexed(sort.field_name.value_or(std::string_view())));
  DINETTE_CHECK(check_sortable(*field, "field_sort"));
  Sorter sorter{.kind = Sorter::Kind::field, .descending = descends(sort.order), .field = field};
  sorter.mode = sort.mode.value_or(sorter.descending ? api::SortMode::max : api::SortMode::min);
  if (sort.nested_filter) {
    sorter.nested_path = sort.nested_filter->path.value_or(std::string_view());
    if (sort.nested_filter->filter) {
      DINETTE_TRY(sorter.nested_filter, read_query(*sort.nested_filter->filter, schema));
    }
  }
  if (sort.missing_value) {
    DINETTE_TRY(const Value value, plainbuffer::decode_variant(*sort.missing_value));
    if (value.type() == ValueType::inf_min) sorter.missing = Sorter::Missing::first;
    sorter.missing_value = field_value_of(*field, value);
    if (sorter.missing_value) sorter.missing = Sorter::Missing::replaced;
  }
  if (sort.missing_field) sorter.missing_field = schema.find(*sort.missing_field);
  sorters_.push_back(std::move(sorter));
  return {};
}

Answer<void> Order::add(const api::GeoDistanceSort& sort, const IndexSchema& schema) {
  DINETTE_TRY(const Field* const field, schema.find_indexed(sort.field_name.value_or(std::string_view())));
  DINETTE_CHECK(check_sortable(*field, "geo_distance_sort"));
  Sorter sorter{.kind = Sorter::Kind::distance, .descending = descends(sort.order), .field = field};
  sorter.mode = sort.mode.value_or(sorter.descending ? api::SortMode::max : api::SortMode::min);
  for (const std::string_view point : sort.points) {
    const auto place = read_place(point);
    if (!place) return refuse::invalid_geo_point(point);
    sorter.places.push_back(*place);
  }
  sorters_.push_back(std::move(sorter));
  return {};
}

SortValues Order::values_of(const Document& document, double score) const {
  SortValues values;
  for (const Sorter& sorter : sorters_) {
    if (sorter.kind == Sorter::Kind::score)
      values.emplace_back(score);
    else if (sorter.kind != Sorter::Kind::key)
      values.push_back(value_of(sorter, document));
  }
  return values;
}

bool Order::by_score() const {
  return std::ranges::any_of(sorters_, [](const Sorter& one) { return one.kind == Sorter::Kind::score; });
}

std::size_t Order::size() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(sorters_, [](const Sorter& one) { return one.kind != Sorter::Kind::key; }));
}

std::optional<FieldValue> Order::value_of(const Sorter& sorter, const Document& document) {
  std::vector<FieldValue> values = document.values_of(sorter.field->name);
  any_inner(document, sorter.nested_path, [&](const Document& inner, std::int32_t) {
    if (!sorter.nested_filter || sorter.nested_filter(inner))
      append(values, inner.values_of(sorter.field->name));
    return false;
  });
  if (sorter.kind == Sorter::Kind::distance) {
    std::vector<FieldValue> distances;
    for (const FieldValue& value : values)
      for (const Place& place : sorter.places)
        if (const auto own = read_place(text_of(value))) distances.emplace_back(distance(*own, place));
    return one_of(std::move(distances), sorter.mode);
  }
  if (values.empty() && sorter.missing_field != nullptr)
    values = document.values_of(sorter.missing_field->name);
  auto value = one_of(std::move(values), sorter.mode);
  return value ? std::move(value) : sorter.missing_value;
}

/// Missing values are last, whatever the direction, unless the sorter says otherwise.
int Order::order_of(const Sorter& sorter, const std::optional<FieldValue>& a,
                    const std::optional<FieldValue>& b) {
  if (!a || !b) {
    if (!a && !b) return 0;
    const int missing_first = sorter.missing == Sorter::Missing::first ? -1 : 1;
    return a ? -missing_first : missing_first;
  }
  const auto order = compare(*a, *b);
  const int ascending = order < 0 ? -1 : order > 0 ? 1 : 0;
  return sorter.descending ? -ascending : ascending;
}

int Order::order_of(const Hit& a, const Hit& b) const {
  const int keys = a.row_key.compare(b.row_key);
  std::size_t place = 0;
  for (const Sorter& sorter : sorters_) {
    const bool by_key = sorter.kind == Sorter::Kind::key;
    const int order =
        by_key ? (sorter.descending ? -keys : keys) : order_of(sorter, a.values[place], b.values[place]);
    if (order != 0) return order;
    if (!by_key) ++place;
  }
  return keys;
}

}  // namespace dinette::tablestore::search
