#include "tablestore/filters/filter.h"

#include <algorithm>
#include <utility>

#include "tablestore/api/limits.h"
#include "tablestore/api/refusals.h"
#include "tablestore/codec/field_reader.h"
#include "tablestore/plainbuffer/variant.h"
#include "tablestore/request/names.h"

namespace dinette::tablestore {
namespace {

using api::ComparatorType;

/// Adds the filters of a message to `count`, and stops when these are too many: so the depth is limited too.
/// Leaves messages that cannot be read to the one who builds the filter.
void count_filters(const api::Filter& filter, std::size_t& count) {
  if (++count > limits::filters || filter.type != api::FilterType::composite_column_value) return;
  const auto composite = codec::decode_message<api::CompositeColumnValueFilter>(filter.filter);
  if (!composite) return;
  for (const api::Filter& inner : composite->sub_filters) {
    if (count > limits::filters) return;
    count_filters(inner, count);
  }
}

bool holds_between(ComparatorType comparator, const Value& stored, const Value& wanted) {
  const std::partial_ordering order = compare(stored, wanted);
  switch (comparator) {
    case ComparatorType::equal:
      return order == 0;
    case ComparatorType::not_equal:
      return order != 0;
    case ComparatorType::greater_than:
      return order > 0;
    case ComparatorType::greater_equal:
      return order >= 0;
    case ComparatorType::less_than:
      return order < 0;
    case ComparatorType::less_equal:
      return order <= 0;
    case ComparatorType::exist:
    case ComparatorType::not_exist:
      break;
  }
  return false;
}

}  // namespace

/// Makes a filter of a message that has no more filters than are allowed.
class FilterBuilder {
 public:
  FilterBuilder(FilterUse use, const Switches& switches) : use_(use), switches_(switches) {}

  Answer<void> add(const api::Filter& message) {
    const std::size_t place = out_.nodes_.size();
    out_.nodes_.emplace_back();
    DINETTE_CHECK(fill(place, message));
    out_.nodes_[place].next = static_cast<std::uint8_t>(out_.nodes_.size());
    return {};
  }

  Filter take() { return std::move(out_); }

 private:
  using Kind = Filter::Kind;

  Answer<void> fill(std::size_t place, const api::Filter& message) {
    switch (message.type) {
      case api::FilterType::single_column_value:
        return fill_comparison(out_.nodes_[place], message.filter);
      case api::FilterType::composite_column_value:
        return fill_composite(place, message.filter);
      case api::FilterType::column_pagination:
        break;
    }
    if (use_ == FilterUse::condition)
      return refuse::invalid_filter_type(static_cast<std::int64_t>(message.type));
    return set_page(message.filter);
  }

  Answer<void> fill_comparison(Filter::Node& node, std::string_view bytes) {
    const auto message = codec::decode_message<api::SingleColumnValueFilter>(bytes);
    if (!message) return refuse::unreadable_relation_filter();
    DINETTE_CHECK(check_attribute_name(message->column_name, switches_));
    node.column = message->column_name;
    node.comparator = message->comparator;
    node.passes_if_missing = !message->filter_if_missing;
    node.latest_only = message->latest_version_only;
    if (message->comparator == ComparatorType::exist || message->comparator == ComparatorType::not_exist) {
      node.kind = Kind::exists;
      return {};
    }
    node.kind = Kind::compare;
    DINETTE_TRY(node.value, plainbuffer::decode_variant(message->column_value));
    if (message->value_trans_rule) {
      DINETTE_TRY(node.rule, ValueRule::read(*message->value_trans_rule));
    }
    return {};
  }

  Answer<void> fill_composite(std::size_t place, std::string_view bytes) {
    const auto message = codec::decode_message<api::CompositeColumnValueFilter>(bytes);
    if (!message) return refuse::unreadable_composite_filter();
    const std::size_t count = message->sub_filters.size();
    switch (message->combinator) {
      case api::LogicalOperator::not_:
        if (count != 1) return refuse::wrong_number_under_not();
        out_.nodes_[place].kind = Kind::none_of;
        break;
      case api::LogicalOperator::and_:
        if (count < 2) return refuse::too_few_under_and_or();
        out_.nodes_[place].kind = Kind::all_of;
        break;
      case api::LogicalOperator::or_:
        if (count < 2) return refuse::too_few_under_and_or();
        out_.nodes_[place].kind = Kind::any_of;
        break;
    }
    for (const api::Filter& inner : message->sub_filters) DINETTE_CHECK(add(inner));
    return {};
  }

  Answer<void> set_page(std::string_view bytes) {
    const auto message = codec::decode_message<api::ColumnPaginationFilter>(bytes);
    if (!message) return refuse::unreadable_column_pagination_filter();
    if (message->offset < 0) return refuse::negative_pagination_offset();
    if (message->limit <= 0) return refuse::pagination_limit_not_positive();
    out_.page_ =
        ColumnPage{static_cast<std::size_t>(message->offset), static_cast<std::size_t>(message->limit)};
    return {};
  }

  const FilterUse use_;
  const Switches& switches_;
  Filter out_;
};

Answer<std::optional<Filter>> Filter::read(std::string_view message, FilterUse use,
                                           const Switches& switches) {
  if (message.empty()) return std::optional<Filter>();
  const auto filter = codec::decode_message<api::Filter>(message);
  if (!filter) return refuse::unreadable_filter();
  std::size_t count = 0;
  count_filters(*filter, count);
  if (count > limits::filters) return refuse::too_many_filters(limits::filters);
  FilterBuilder builder(use, switches);
  DINETTE_CHECK(builder.add(*filter));
  return std::optional(builder.take());
}

bool Filter::passes(std::span<const KeyColumn> key, std::span<const Cell> cells) const {
  return passes(0, key, cells);
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as there may be filters in a request
bool Filter::passes(std::size_t place, std::span<const KeyColumn> key, std::span<const Cell> cells) const {
  const Node& node = nodes_[place];
  if (node.kind == Kind::always) return true;
  if (node.kind == Kind::compare || node.kind == Kind::exists) return compares(node, key, cells);
  for (std::size_t inner = place + 1; inner < node.next; inner = nodes_[inner].next) {
    const bool passed = passes(inner, key, cells);
    if (node.kind == Kind::none_of) return !passed;
    if (passed != (node.kind == Kind::all_of)) return passed;
  }
  return node.kind == Kind::all_of;
}

/// What a rule makes nothing of is as a missing column.
bool Filter::holds(const Node& node, const Value& stored) {
  if (!node.rule) return holds_between(node.comparator, stored, node.value);
  const auto part = node.rule->apply(stored);
  return part ? holds_between(node.comparator, *part, node.value) : node.passes_if_missing;
}

bool Filter::compares(const Node& node, std::span<const KeyColumn> key, std::span<const Cell> cells) {
  const auto in_key = std::ranges::find(key, node.column, &KeyColumn::name);
  const std::span<const Cell> versions = cells_of(cells, node.column);
  const bool missing = in_key == key.end() && versions.empty();
  if (node.kind == Kind::exists) return missing == (node.comparator == ComparatorType::not_exist);
  if (missing) return node.passes_if_missing;
  if (in_key != key.end()) return holds(node, in_key->value);
  const auto wanted = node.latest_only ? versions.first(1) : versions;
  return std::ranges::any_of(wanted, [&](const Cell& cell) { return holds(node, cell.value); });
}

std::vector<std::string_view> Filter::columns() const {
  std::vector<std::string_view> names;
  for (const Node& node : nodes_) {
    if (node.kind == Kind::compare || node.kind == Kind::exists) names.push_back(node.column);
  }
  return names;
}

std::span<const Cell> cells_of(std::span<const Cell> cells, std::string_view column) {
  const auto begin = std::ranges::lower_bound(cells, column, {}, &Cell::name);
  return {begin, std::ranges::upper_bound(begin, cells.end(), column, {}, &Cell::name)};
}

}  // namespace dinette::tablestore
