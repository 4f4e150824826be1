#include "tablestore/search/groups.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "tablestore/api/limits.h"
#include "tablestore/api/refusals.h"
#include "tablestore/codec/field_reader.h"
#include "tablestore/codec/field_writer.h"
#include "tablestore/plainbuffer/variant.h"

namespace dinette::tablestore::search {
namespace {

using api::GroupByType;

Answer<std::optional<double>> number_of_variant(const std::optional<std::string_view>& variant) {
  if (!variant) return std::optional<double>();
  DINETTE_TRY(const Value value, plainbuffer::decode_variant(*variant));
  if (value.type() == ValueType::integer) return std::optional(static_cast<double>(value.as_integer()));
  if (value.type() == ValueType::real) return std::optional(value.as_real());
  return std::optional<double>();
}

Answer<std::vector<Group>> ranges_of(const std::vector<api::GroupRange>& ranges) {
  if (ranges.size() > limits::groups) return refuse::too_many_groups(limits::groups);
  constexpr double infinite = std::numeric_limits<double>::infinity();
  std::vector<Group> groups;
  for (const api::GroupRange& range : ranges)
    groups.push_back({.from = range.begin.value_or(-infinite), .to = range.end.value_or(infinite)});
  return groups;
}

/// Times beyond are in no calendar.
constexpr double latest_time = 9e14;

std::int64_t whole_of(double number) {
  constexpr double end = 9.2e18;
  return static_cast<std::int64_t>(std::clamp(number, -end, end));
}

api::GeoPoint point_of(const Place& place) {
  return {.lat = place.latitude, .lon = place.longitude};
}

/// Returns the word of a type in messages.
std::string_view group_word_of(GroupByType type) {
  switch (type) {
    case GroupByType::field:
      return "groupby_field";
    case GroupByType::range:
      return "groupby_range";
    case GroupByType::filter:
      return "groupby_filter";
    case GroupByType::geo_distance:
      return "groupby_geo_distance";
    case GroupByType::histogram:
      return "groupby_histogram";
    case GroupByType::date_histogram:
      return "groupby_date_histogram";
    case GroupByType::geo_grid:
      return "groupby_geo_grid";
    case GroupByType::composite:
      return "groupby_composite";
  }
  return "";
}

bool has(const Group& range, double number) {
  return number >= range.from && number < range.to;
}

}  // namespace

// NOLINTNEXTLINE(misc-no-recursion): limited
Answer<Grouping> Grouping::read(const api::GroupBy& message, const IndexSchema& schema, std::size_t depth) {
  if (!message.type) return refuse::grouping_not_served();
  Grouping grouping;
  grouping.name_ = message.name.value_or(std::string_view());
  grouping.type_ = *message.type;
  grouping.size_ = limits::groups;
  grouping.depth_ = depth;
  DINETTE_CHECK(grouping.read_body(message.body.value_or(std::string_view()), schema, depth));
  return grouping;
}

// NOLINTNEXTLINE(misc-no-recursion)
Answer<void> Grouping::read_body(std::string_view body, const IndexSchema& schema, std::size_t depth) {
  switch (type_) {
    case GroupByType::field:
      return read_as<api::GroupByField>(body, schema, depth);
    case GroupByType::range:
      return read_as<api::GroupByRange>(body, schema, depth);
    case GroupByType::filter:
      return read_as<api::GroupByFilter>(body, schema, depth);
    case GroupByType::geo_distance:
      return read_as<api::GroupByGeoDistance>(body, schema, depth);
    case GroupByType::histogram:
      return read_as<api::GroupByHistogram>(body, schema, depth);
    case GroupByType::date_histogram:
      return read_as<api::GroupByDateHistogram>(body, schema, depth);
    case GroupByType::geo_grid:
      return read_as<api::GroupByGeoGrid>(body, schema, depth);
    case GroupByType::composite:
      return read_as<api::GroupByComposite>(body, schema, depth);
  }
  return refuse::grouping_not_served();
}

// NOLINTNEXTLINE(misc-no-recursion)
template <class Message>
Answer<void> Grouping::read_as(std::string_view body, const IndexSchema& schema, std::size_t depth) {
  const auto message = codec::decode_message<Message>(body);
  if (!message) return refuse::unreadable_message();
  DINETTE_CHECK(fill(*message, schema));
  DINETTE_TRY(aggregations_, read_aggregations(message->sub_aggs, schema));
  DINETTE_TRY(groupings_, read_groupings(message->sub_group_bys, schema, depth + 1));
  return {};
}

Answer<void> Grouping::fill(const api::GroupByField& message, const IndexSchema& schema) {
  DINETTE_CHECK(set_field(message.field_name, schema));
  set_size(message.size);
  min_count_ = message.min_doc_count.value_or(1);
  return set_sort(message.sort, {.by = Sorter::By::count, .descending = true});
}

Answer<void> Grouping::fill(const api::GroupByRange& message, const IndexSchema& schema) {
  DINETTE_TRY(ranges_, ranges_of(message.ranges));
  return set_field(message.field_name, schema);
}

Answer<void> Grouping::fill(const api::GroupByFilter& message, const IndexSchema& schema) {
  if (message.filters.size() > limits::groups) return refuse::too_many_groups(limits::groups);
  for (const api::Query& query : message.filters) {
    DINETTE_TRY(Condition filter, read_query(query, schema));
    filters_.push_back(std::move(filter));
  }
  return {};
}

Answer<void> Grouping::fill(const api::GroupByGeoDistance& message, const IndexSchema& schema) {
  DINETTE_TRY(ranges_, ranges_of(message.ranges));
  if (message.origin) origin_ = {message.origin->lat.value_or(0), message.origin->lon.value_or(0)};
  return set_field(message.field_name, schema);
}

Answer<void> Grouping::fill(const api::GroupByHistogram& message, const IndexSchema& schema) {
  DINETTE_CHECK(set_field(message.field_name, schema));
  DINETTE_TRY(const auto interval, number_of_variant(message.interval));
  DINETTE_TRY(const auto offset, number_of_variant(message.offset));
  if (!interval || !(*interval > 0) || !std::isfinite(*interval)) return refuse::invalid_interval();
  interval_ = *interval;
  offset_ = offset.value_or(0);
  if (!std::isfinite(offset_)) return refuse::invalid_interval();
  min_count_ = message.min_doc_count.value_or(0);
  DINETTE_CHECK(set_sort(message.sort, {.by = Sorter::By::key}));
  DINETTE_CHECK(set_bounds(message.field_range));
  return set_missing(message.missing_value);
}

Answer<void> Grouping::fill(const api::GroupByDateHistogram& message, const IndexSchema& schema) {
  DINETTE_CHECK(set_field(message.field_name, schema));
  const std::string_view zone = message.time_zone.value_or(std::string_view());
  const auto ahead = read_time_zone(zone);
  if (!ahead) return refuse::unknown_time_zone(zone);
  parts_ = CalendarParts::read(message.interval.value_or(api::DateTimeValue()), *ahead);
  if (!parts_) return refuse::invalid_interval();
  offset_ = static_cast<double>(milliseconds_of(message.offset.value_or(api::DateTimeValue())).value_or(0));
  min_count_ = message.min_doc_count.value_or(0);
  DINETTE_CHECK(set_sort(message.sort, {.by = Sorter::By::key}));
  DINETTE_CHECK(set_bounds(message.field_range));
  return set_missing(message.missing);
}

Answer<void> Grouping::fill(const api::GroupByGeoGrid& message, const IndexSchema& schema) {
  DINETTE_CHECK(set_field(message.field_name, schema));
  const std::int32_t precision = message.precision.value_or(0);
  if (precision < 1 || precision > static_cast<std::int32_t>(finest_cell))
    return refuse::invalid_geo_precision();
  precision_ = static_cast<std::size_t>(precision);
  set_size(message.size);
  return set_sort({}, {.by = Sorter::By::count, .descending = true});
}

Answer<void> Grouping::set_field(const std::optional<std::string_view>& name, const IndexSchema& schema) {
  field_ = schema.find(name.value_or(std::string_view()));
  if (field_ == nullptr) return refuse::no_such_group_field(name.value_or(std::string_view()));
  return check_sortable(*field_, group_word_of(type_));
}

Answer<void> Grouping::set_missing(const std::optional<std::string_view>& variant) {
  if (!variant) return {};
  DINETTE_TRY(const Value value, plainbuffer::decode_variant(*variant));
  missing_ = field_value_of(*field_, value);
  return {};
}

/// The values of a field that is a date may be texts.
Answer<void> Grouping::set_bounds(const std::optional<api::FieldRange>& range) {
  if (!range) return {};
  const auto bound = [&](const std::optional<std::string_view>& variant) -> Answer<std::optional<double>> {
    if (!variant) return std::optional<double>();
    DINETTE_TRY(const Value value, plainbuffer::decode_variant(*variant));
    const auto of_field = field_value_of(*field_, value);
    return of_field ? number_of(*of_field) : std::nullopt;
  };
  DINETTE_TRY(least_, bound(range->min));
  DINETTE_TRY(most_, bound(range->max));
  return check_bounds();
}

/// Bounds are at most as many intervals apart as there may be groups (tablestore/search-index.md section 2).
Answer<void> Grouping::check_bounds() const {
  const bool has_both = least_ && most_ && *least_ <= *most_;
  if (!has_both) return {};
  if (!parts_) {
    constexpr auto limit = static_cast<double>(limits::groups);
    if ((*most_ - *least_) / interval_ > limit) return refuse::too_many_groups(limits::groups);
    return {};
  }
  const double last = std::clamp(*most_, -latest_time, latest_time);
  double begin = begin_of(std::clamp(*least_, -latest_time, latest_time));
  for (std::size_t intervals = 0; begin <= last; ++intervals, begin = next(begin))
    if (intervals > limits::groups) return refuse::too_many_groups(limits::groups);
  return {};
}

void Grouping::set_size(const std::optional<std::int32_t>& size) {
  constexpr int usual_size = 10;
  size_ =
      static_cast<std::size_t>(std::clamp(size.value_or(usual_size), 0, static_cast<int>(limits::groups)));
}

Answer<void> Grouping::set_sort(const std::optional<api::GroupBySort>& sort, Sorter usual) {
  const auto descends = [](const auto& one) { return one.order == api::SortOrder::desc; };
  if (!sort || sort->sorters.empty()) {
    sorters_.push_back(std::move(usual));
    return {};
  }
  if (sort->sorters.size() > limits::search_sorters) return refuse::too_many_sorters(limits::search_sorters);
  for (const api::GroupBySorter& one : sort->sorters) {
    if (one.group_key_sort)
      sorters_.push_back({.by = Sorter::By::key, .descending = descends(*one.group_key_sort)});
    if (one.row_count_sort)
      sorters_.push_back({.by = Sorter::By::count, .descending = descends(*one.row_count_sort)});
    if (one.sub_agg_sort)
      sorters_.push_back(
          {.by = Sorter::By::aggregation,
           .descending = descends(*one.sub_agg_sort),
           .aggregation = std::string(one.sub_agg_sort->sub_agg_name.value_or(std::string_view()))});
  }
  return {};
}

Answer<std::vector<Group>> Grouping::divide(const FoundList& found) const {
  switch (type_) {
    case GroupByType::field:
      return by_value(found);
    case GroupByType::filter:
      return by_filter(found);
    case GroupByType::geo_grid:
      return by_cell(found);
    case GroupByType::histogram:
    case GroupByType::date_histogram:
      return by_interval(found);
    default:
      return by_range(found);
  }
}

std::vector<FieldValue> Grouping::values_of(const Found& found) const {
  std::vector<FieldValue> values;
  append_values(found.document, field_->name, values);
  if (values.empty() && missing_) values.push_back(*missing_);
  return values;
}

/// A document with several values is in several groups, but in each once.
std::vector<Group> Grouping::by_value(const FoundList& found) const {
  std::map<FieldValue, FoundList, LessValue> members;
  for (const Found* const one : found) {
    for (FieldValue& value : values_of(*one)) {
      FoundList& group = members[std::move(value)];
      if (group.empty() || group.back() != one) group.push_back(one);
    }
  }
  std::vector<Group> groups;
  for (auto& [key, group] : members) groups.push_back({.key = key, .members = std::move(group)});
  return groups;
}

std::vector<Group> Grouping::by_cell(const FoundList& found) const {
  std::map<std::string, FoundList> members;
  for (const Found* const one : found) {
    for (const FieldValue& value : values_of(*one)) {
      const auto place = read_place(text_of(value));
      if (!place) continue;
      FoundList& group = members[cell_of(*place, precision_)];
      if (group.empty() || group.back() != one) group.push_back(one);
    }
  }
  std::vector<Group> groups;
  for (auto& [key, group] : members) groups.push_back({.key = key, .members = std::move(group)});
  return groups;
}

std::vector<Group> Grouping::by_range(const FoundList& found) const {
  std::vector<Group> groups = ranges_;
  for (const Found* const one : found) {
    for (const FieldValue& value : values_of(*one)) {
      const auto place = type_ == GroupByType::geo_distance ? read_place(text_of(value)) : std::nullopt;
      const auto number = place ? distance(*place, origin_) : number_of(value);
      for (Group& group : groups) {
        const bool known = !group.members.empty() && group.members.back() == one;
        if (number && has(group, *number) && !known) group.members.push_back(one);
      }
    }
  }
  return groups;
}

std::vector<Group> Grouping::by_filter(const FoundList& found) const {
  std::vector<Group> groups;
  for (const Condition& filter : filters_) {
    Group& group = groups.emplace_back();
    std::ranges::copy_if(found, std::back_inserter(group.members),
                         [&](const Found* one) { return filter(one->document); });
  }
  return groups;
}

/// Groups without members are there too, between others, unless the request wants more.
Answer<std::vector<Group>> Grouping::by_interval(const FoundList& found) const {
  std::map<double, FoundList> members;
  for (const Found* const one : found) {
    for (const FieldValue& value : values_of(*one)) {
      const auto number = number_of(value);
      if (!number || !is_counted(*number)) continue;
      FoundList& group = members[begin_of(*number)];
      if (group.empty() || group.back() != one) group.push_back(one);
    }
  }
  if (min_count_ <= 0 && !members.empty()) {
    const double last = members.rbegin()->first;
    double begin = members.begin()->first;
    for (std::size_t count = 1; begin < last; ++count, begin = next(begin)) {
      if (count > limits::groups) return refuse::too_many_groups(limits::groups);
      members.try_emplace(begin);
    }
  }
  std::vector<Group> groups;
  for (auto& [begin, group] : members) groups.push_back({.key = key_at(begin), .members = std::move(group)});
  return groups;
}

/// Returns true if a value is in the range that the request names, and in calendars.
bool Grouping::is_counted(double number) const {
  if ((least_ && number < *least_) || (most_ && number > *most_)) return false;
  return !parts_ || std::abs(number) <= latest_time;
}

/// Returns the key of the group that begins there.
FieldValue Grouping::key_at(double begin) const {
  const bool real = type_ == GroupByType::histogram && field_->type == api::FieldType::double_;
  return real ? FieldValue(begin) : FieldValue(whole_of(begin));
}

double Grouping::begin_of(double number) const {
  if (parts_) return static_cast<double>(parts_->begin_of(whole_of(number - offset_))) + offset_;
  return std::floor((number - offset_) / interval_) * interval_ + offset_;
}

double Grouping::next(double begin) const {
  if (parts_) return static_cast<double>(parts_->next(whole_of(begin - offset_))) + offset_;
  return begin_of(begin + interval_ * 1.5);
}

void Grouping::sort(std::vector<Group>& groups) const {
  if (sorters_.empty()) return;
  std::ranges::stable_sort(groups, [&](const Group& a, const Group& b) {
    for (const Sorter& sorter : sorters_)
      if (const int order = order_of(sorter, a, b); order != 0) return order < 0;
    return false;
  });
}

int Grouping::order_of(const Sorter& sorter, const Group& a, const Group& b) const {
  const auto sign = [](const std::partial_ordering order) { return order < 0 ? -1 : order > 0 ? 1 : 0; };
  int order = 0;
  if (sorter.by == Sorter::By::key) order = sign(compare(a.key, b.key));
  if (sorter.by == Sorter::By::count) order = sign(a.members.size() <=> b.members.size());
  if (sorter.by == Sorter::By::aggregation) {
    const auto found = std::ranges::find(aggregations_, sorter.aggregation, &Aggregation::name);
    if (found != aggregations_.end())
      order = sign(found->number(a.members).value_or(0) <=> found->number(b.members).value_or(0));
  }
  return sorter.descending ? -order : order;
}

// NOLINTNEXTLINE(misc-no-recursion)
bool Grouping::by_score() const {
  return std::ranges::any_of(aggregations_, &Aggregation::by_score) ||
         std::ranges::any_of(groupings_, &Grouping::by_score);
}

// NOLINTNEXTLINE(misc-no-recursion)
Answer<api::GroupByResult> Grouping::result(const FoundList& found, ReadRow read_row) const {
  if (type_ == GroupByType::composite) {
    api::GroupByResult result{.name = name_, .type = type_};
    DINETTE_TRY(result.group_by_result, by_keys(found, read_row));
    return result;
  }
  DINETTE_TRY(std::vector<Group> groups, divide(found));
  const bool counts =
      type_ != GroupByType::range && type_ != GroupByType::filter && type_ != GroupByType::geo_distance;
  if (counts)
    std::erase_if(groups, [&](const Group& group) { return std::ssize(group.members) < min_count_; });
  sort(groups);
  if (groups.size() > size_) groups.resize(size_);
  api::GroupByResult result{.name = name_, .type = type_};
  DINETTE_TRY(result.group_by_result, encode(groups, read_row));
  return result;
}

// NOLINTNEXTLINE(misc-no-recursion)
template <class Message>
Answer<void> Grouping::add_inner(const Group& group, ReadRow read_row, Message& message) const {
  DINETTE_TRY(message.sub_aggs_result, results_of(aggregations_, group.members, read_row));
  DINETTE_TRY(message.sub_group_bys_result, results_of(groupings_, group.members, read_row));
  return {};
}

// NOLINTNEXTLINE(misc-no-recursion)
Answer<std::string> Grouping::encode(const std::vector<Group>& groups, ReadRow read_row) const {
  api::FieldGroups fields;
  api::RangeGroups ranges;
  api::FilterGroups filters;
  api::HistogramGroups histogram;
  api::DateHistogramGroups dates;
  api::GeoGridGroups cells;
  for (const Group& group : groups) {
    const auto count = std::ssize(group.members);
    switch (type_) {
      case GroupByType::field:
        fields.group_by_field_result_items.push_back({.key = text_of(group.key), .row_count = count});
        DINETTE_CHECK(add_inner(group, read_row, fields.group_by_field_result_items.back()));
        break;
      case GroupByType::filter:
        filters.group_by_filter_result_items.push_back({.row_count = count});
        DINETTE_CHECK(add_inner(group, read_row, filters.group_by_filter_result_items.back()));
        break;
      case GroupByType::histogram: {
        auto& item = histogram.group_by_histogra_items.emplace_back();
        const auto* const whole = std::get_if<std::int64_t>(&group.key);
        plainbuffer::append_variant(item.key.emplace(), whole != nullptr
                                                            ? Value::integer(*whole)
                                                            : Value::real(std::get<double>(group.key)));
        item.value = count;
        DINETTE_CHECK(add_inner(group, read_row, item));
        break;
      }
      case GroupByType::date_histogram:
        dates.group_by_date_histogram_items.push_back(
            {.timestamp = std::get<std::int64_t>(group.key), .row_count = count});
        DINETTE_CHECK(add_inner(group, read_row, dates.group_by_date_histogram_items.back()));
        break;
      case GroupByType::geo_grid: {
        auto& item = cells.group_by_geo_grid_result_items.emplace_back();
        const Box box = box_of(std::get<std::string>(group.key));
        item.key = std::get<std::string>(group.key);
        item.geo_grid =
            api::GeoGrid{.top_left = point_of(box.top_left), .bottom_right = point_of(box.bottom_right)};
        item.row_count = count;
        DINETTE_CHECK(add_inner(group, read_row, item));
        break;
      }
      default:
        ranges.group_by_range_result_items.push_back(
            {.range_from = group.from, .range_to = group.to, .row_count = count});
        DINETTE_CHECK(add_inner(group, read_row, ranges.group_by_range_result_items.back()));
        break;
    }
  }
  switch (type_) {
    case GroupByType::field:
      return codec::encode_message(fields);
    case GroupByType::filter:
      return codec::encode_message(filters);
    case GroupByType::histogram:
      return codec::encode_message(histogram);
    case GroupByType::date_histogram:
      return codec::encode_message(dates);
    case GroupByType::geo_grid:
      return codec::encode_message(cells);
    default:
      return codec::encode_message(ranges);
  }
}

// NOLINTNEXTLINE(misc-no-recursion)
/// A message with the results of inner aggregations and groups.
Answer<void> Grouping::add_inner_results(const Group& group, ReadRow read_row,
                                         api::CompositeGroup& message) const {
  return add_inner(group, read_row, message);
}

// NOLINTNEXTLINE(misc-no-recursion)
Answer<Groupings> read_groupings(const std::optional<api::GroupBys>& message, const IndexSchema& schema,
                                 std::size_t depth) {
  Groupings groupings;
  if (!message || message->group_bys.empty()) return groupings;
  if (depth >= limits::grouping_depth || message->group_bys.size() > limits::groupings)
    return refuse::too_many_groupings(limits::groupings, limits::grouping_depth);
  for (const api::GroupBy& one : message->group_bys) {
    DINETTE_TRY(Grouping grouping, Grouping::read(one, schema, depth));
    groupings.push_back(std::move(grouping));
  }
  return groupings;
}

// NOLINTNEXTLINE(misc-no-recursion)
Answer<api::GroupBysResult> results_of(const Groupings& groupings, const FoundList& found, ReadRow read_row) {
  api::GroupBysResult results;
  for (const Grouping& grouping : groupings) {
    DINETTE_TRY(api::GroupByResult result, grouping.result(found, read_row));
    results.group_by_results.push_back(std::move(result));
  }
  return results;
}

}  // namespace dinette::tablestore::search
