#include "dynamodb/expr/placeholders.h"

#include <algorithm>
#include <array>

#include "dinette/base/ascii.h"

#include "dynamodb/api/limits.h"
#include "dynamodb/model/value_checks.h"

namespace dinette::dynamodb::expr {
namespace {

// `{#a, :b}` of the entries that no expression used.
template <class Entry, class Used>
std::string unused_keys(std::span<const Entry> entries, Used used) {
  std::string keys;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (used(i)) continue;
    keys += keys.empty() ? "{" : ", ";
    keys += entries[i].first;
  }
  return keys.empty() ? keys : keys + "}";
}

bool is_placeholder(std::string_view key, char mark) {
  return key.size() > 1 && key.front() == mark && std::ranges::all_of(key.substr(1), base::is_word_character);
}

// The checks of one map's keys; `map` is its member name.
template <class Entry>
base::Result<void, ExpressionError> check_keys(std::string_view map, char mark,
                                               std::span<const Entry> entries) {
  if (entries.empty()) return base::Failure{ExpressionError{std::string(map) + " must not be empty"}};
  const auto refuse = [&](const std::string& problem) {
    return base::Failure{ExpressionError{std::string(map) + " contains invalid key: " + problem}};
  };
  for (const Entry& entry : entries) {
    if (!is_placeholder(entry.first, mark)) {
      return refuse("Syntax error; key: \"" + entry.first + "\"");
    }
    if (entry.first.size() > model::limits::placeholder_bytes) {
      return refuse("The key is longer than " + std::to_string(model::limits::placeholder_bytes) +
                    " bytes; key: \"" + entry.first + "\"");
    }
  }
  return {};
}

ExpressionError without_expression(std::string_view map, model::Generation generation, Kind missing) {
  std::string message = std::string(map) + " can only be specified when using expressions";
  if (generation == model::Generation::current) return {std::move(message)};
  const bool updates = missing == Kind::update;
  message += updates ? ": UpdateExpression and ConditionExpression are null"
                     : ": " + std::string(member_name(missing)) + " is null";
  return {std::move(message)};
}

std::string braced(std::span<const std::string_view> members) {
  std::string text = "{";
  for (const std::string_view member : members) {
    if (text.size() > 1) text += ", ";
    text += member;
  }
  return text + "}";
}

constexpr std::string_view names_map = "ExpressionAttributeNames";
constexpr std::string_view values_map = "ExpressionAttributeValues";

}  // namespace

std::string_view member_name(Kind kind) {
  constexpr std::array<std::string_view, 6> members = {"ConditionExpression",    "FilterExpression",
                                                       "UpdateExpression",       "ProjectionExpression",
                                                       "KeyConditionExpression", "SearchConditionExpression"};
  return members[static_cast<std::size_t>(kind)];
}

Placeholders::Placeholders(std::span<const NameEntry> names, std::span<const ValueEntry> values,
                           std::span<const std::string> refused)
    : names_(names),
      values_(values),
      refused_(refused),
      names_used_(names.size(), 0),
      values_used_(values.size(), 0) {}

/// The number of entries if there is none of that key. Requests have a handful of entries, as a rule, which
/// are not worth an index.
template <class Entry>
std::size_t Placeholders::position_of(std::span<const Entry> entries, Index& index, std::string_view key) {
  constexpr std::size_t few = 32;
  if (entries.size() <= few) {
    comparisons_ += entries.size();
    const auto has_key = [&](const Entry& entry) { return std::string_view(entry.first) == key; };
    return static_cast<std::size_t>(std::ranges::find_if(entries, has_key) - entries.begin());
  }
  if (index.empty()) {
    index.reserve(entries.size());
    for (std::size_t i = 0; i < entries.size(); ++i) index.emplace(entries[i].first, i);
  }
  const auto found = index.find(key);
  comparisons_ += found == index.end() ? 0 : 1;
  return found == index.end() ? entries.size() : found->second;
}

const std::string* Placeholders::name(std::string_view key, Kind user) {
  const std::size_t position = position_of(names_, names_index_, key);
  if (position == names_.size()) return nullptr;
  names_used_[position] |= static_cast<std::uint8_t>(1U << bit(user));
  return &names_[position].second;
}

const model::AttributeValue* Placeholders::value(std::string_view key, Kind user) {
  const std::size_t position = position_of(values_, values_index_, key);
  if (position == values_.size()) return nullptr;
  values_used_[position] |= static_cast<std::uint8_t>(1U << bit(user));
  return &values_[position].second;
}

base::Result<void, ExpressionError> check_unused(const Placeholders& placeholders) {
  const auto refuse = [](std::string_view map, const std::string& keys) {
    return base::Failure{
        ExpressionError{"Value provided in " + std::string(map) + " unused in expressions: keys: " + keys}};
  };
  const std::string names =
      unused_keys(placeholders.names(), [&](std::size_t i) { return placeholders.name_used(i); });
  if (!names.empty()) return refuse(names_map, names);
  const std::string values =
      unused_keys(placeholders.values(), [&](std::size_t i) { return placeholders.value_used(i); });
  if (!values.empty()) return refuse(values_map, values);
  return {};
}

base::Result<void, ExpressionError> check_names(std::span<const NameEntry> names) {
  DINETTE_CHECK(check_keys(names_map, '#', names));
  for (const auto& [key, name] : names) {
    if (name.size() > model::limits::attribute_name_bytes)
      return base::Failure{ExpressionError{std::string(model::attribute_name_too_large), true}};
    if (!name.empty()) continue;
    return base::Failure{ExpressionError{std::string(names_map) +
                                         " contains invalid value: Empty attribute name for key " + key}};
  }
  return {};
}

base::Result<void, ExpressionError> check_values(std::span<const ValueEntry> values) {
  return check_keys(values_map, ':', values);
}

base::Result<void, ExpressionError> check_total_size(const Placeholders& placeholders) {
  std::size_t bytes = 0;
  for (const auto& [key, name] : placeholders.names()) bytes += key.size() + name.size();
  for (const auto& [key, value] : placeholders.values()) bytes += key.size() + size_in_bytes(value);
  if (bytes <= model::limits::expression_attributes_bytes) return {};
  return base::Failure{
      ExpressionError{"The total size of ExpressionAttributeNames and ExpressionAttributeValues has exceeded "
                      "the maximum allowed size"}};
}

ExpressionError names_without_expression(model::Generation generation, Kind missing) {
  return without_expression(names_map, generation, missing);
}

ExpressionError values_without_expression(model::Generation generation, Kind missing) {
  return without_expression(values_map, generation, missing);
}

ExpressionError mixed_families(std::span<const std::string_view> legacy,
                               std::span<const std::string_view> modern) {
  return {
      "Can not use both expression and non-expression parameters in the same request: Non-expression "
      "parameters: " +
      braced(legacy) + " Expression parameters: " + braced(modern)};
}

}  // namespace dinette::dynamodb::expr
