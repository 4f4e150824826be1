#include "lambda/filters/filter_pattern.h"

#include <algorithm>
#include <optional>

namespace dinette::lambda {
namespace {

using Kind = JsonTree::Kind;

constexpr std::string_view alternatives_name = "$or";

/// Returns true for the members that count: the last of each name.
bool counts(const JsonTree& object, std::size_t at) {
  return std::find(object.names.begin() + static_cast<std::ptrdiff_t>(at) + 1, object.names.end(),
                   object.names[at]) == object.names.end();
}

/// Returns true if a list may be the alternatives of `$or`, and no list of rules for a field of that name.
bool has_alternatives(const JsonTree& json) {
  const auto is_alternative = [](const JsonTree& one) {
    return one.kind == Kind::object && std::ranges::none_of(one.names, is_filter_operator);
  };
  return json.kind == Kind::list && json.values.size() >= 2 &&
         std::ranges::all_of(json.values, is_alternative);
}

std::size_t characters_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

}  // namespace

base::Result<FilterPattern, FilterProblem> FilterPattern::read(std::string_view json) {
  if (characters_of(json) > most_pattern_characters) return base::Failure{FilterProblem::too_long};
  const auto tree = aws::read_json_tree(json, most_filter_levels);
  Fields fields;
  if (!tree || !read(*tree, fields)) return base::Failure{FilterProblem::invalid};
  return FilterPattern(std::move(fields));
}

/// As deep as the pattern is nested.
bool FilterPattern::read(const JsonTree& json, Fields& out) {
  if (json.kind != Kind::object || json.names.empty()) return false;
  for (std::size_t i = 0; i < json.names.size(); ++i) {
    if (!counts(json, i)) continue;
    const JsonTree& value = json.values[i];
    if (json.names[i] == alternatives_name && has_alternatives(value)) {
      if (!read_alternatives(value, out.alternatives.emplace_back())) return false;
      continue;
    }
    Field& field = out.all.emplace_back();
    field.name = json.names[i];
    if (value.kind == Kind::list ? !read_rules(value, field.rules) : !read(value, field.inside)) return false;
  }
  return true;
}

bool FilterPattern::read_alternatives(const JsonTree& json, std::vector<Fields>& out) {
  return std::ranges::all_of(json.values, [&](const JsonTree& one) { return read(one, out.emplace_back()); });
}

bool FilterPattern::read_rules(const JsonTree& json, std::vector<FilterRule>& out) {
  for (const JsonTree& one : json.values) {
    auto rule = FilterRule::of(one);
    if (!rule) return false;
    out.push_back(*std::move(rule));
  }
  return !out.empty();
}

bool FilterPattern::admits(const JsonTree& record) const {
  return admits(fields_, &record);
}

bool FilterPattern::has_rules_for(const Fields& fields, std::string_view member) {
  const auto is_rule = [&](const Field& field) { return field.name == member && !field.rules.empty(); };
  const auto has_rule = [&](const Fields& one) { return has_rules_for(one, member); };
  return std::ranges::any_of(fields.all, is_rule) ||
         std::ranges::any_of(fields.alternatives, [&](const std::vector<Fields>& alternatives) {
           return std::ranges::any_of(alternatives, has_rule);
         });
}

/// In a list, one element must have all fields.
bool FilterPattern::admits(const Fields& fields, const JsonTree* value) {
  const bool is_list = value != nullptr && value->kind == Kind::list && !value->values.empty();
  if (!is_list)
    return admits_object(fields, value != nullptr && value->kind == Kind::object ? value : nullptr);
  return std::ranges::any_of(value->values, [&](const JsonTree& one) { return admits(fields, &one); });
}

bool FilterPattern::admits_object(const Fields& fields, const JsonTree* object) {
  const auto fits = [&](const Field& field) {
    const JsonTree* const value = object ? object->member(field.name) : nullptr;
    return field.rules.empty() ? admits(field.inside, value) : admits(field.rules, value);
  };
  const auto fits_one = [&](const std::vector<Fields>& alternatives) {
    return std::ranges::any_of(alternatives, [&](const Fields& one) { return admits_object(one, object); });
  };
  return std::ranges::all_of(fields.all, fits) && std::ranges::all_of(fields.alternatives, fits_one);
}

namespace {

/// Calls `visit` for each string, number, boolean and null of a value that is one, or of the elements of a
/// list and of the lists in it, until it returns true. Returns what it returned last.
template <class Visit>
bool any_scalar(const JsonTree& value, const Visit& visit) {
  if (value.kind == Kind::object) return false;
  if (value.kind != Kind::list) return visit(value);
  return std::ranges::any_of(value.values, [&](const JsonTree& one) { return any_scalar(one, visit); });
}

}  // namespace

/// An object is no value: rules are about what is at the end of a path.
bool FilterPattern::admits(const std::vector<FilterRule>& rules, const JsonTree* value) {
  const auto fits = [&](const JsonTree& scalar) {
    return std::ranges::any_of(rules, [&](const FilterRule& rule) { return rule.admits(scalar); });
  };
  const bool is_there = value != nullptr && any_scalar(*value, [](const JsonTree&) { return true; });
  if (!is_there) return std::ranges::any_of(rules, &FilterRule::admits_absence);
  return any_scalar(*value, fits);
}

base::Result<FilterCriteria, FilterProblem> FilterCriteria::read(std::span<const std::string_view> patterns) {
  if (patterns.size() > most_filters) return base::Failure{FilterProblem::too_many};
  FilterCriteria criteria;
  for (const std::string_view pattern : patterns) {
    DINETTE_TRY(auto read, FilterPattern::read(pattern));
    criteria.patterns_.push_back(std::move(read));
  }
  return criteria;
}

bool FilterCriteria::have_rules_for(std::string_view member) const {
  return std::ranges::any_of(patterns_, [&](const FilterPattern& one) { return one.has_rules_for(member); });
}

bool FilterCriteria::admit(std::string_view record) const {
  if (patterns_.empty()) return true;
  const auto tree = aws::read_json_tree(record, most_filter_levels);
  return tree && admit(*tree);
}

bool FilterCriteria::admit(const JsonTree& record) const {
  if (patterns_.empty()) return true;
  return std::ranges::any_of(patterns_, [&](const FilterPattern& one) { return one.admits(record); });
}

}  // namespace dinette::lambda
