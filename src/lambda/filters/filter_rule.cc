#include "lambda/filters/filter_rule.h"

#include <algorithm>
#include <array>
#include <utility>

#include "dinette/base/ascii.h"

namespace dinette::lambda {
namespace {

using Kind = JsonTree::Kind;

constexpr std::string_view anything_but = "anything-but";
constexpr std::string_view cidr = "cidr";
constexpr std::string_view equals_ignore_case = "equals-ignore-case";
constexpr std::string_view exactly = "exactly";
constexpr std::string_view exists = "exists";
constexpr std::string_view numeric = "numeric";
constexpr std::string_view prefix = "prefix";
constexpr std::string_view suffix = "suffix";
constexpr std::string_view wildcard = "wildcard";
constexpr std::array filter_operators{
    anything_but, cidr, equals_ignore_case, exactly, exists, numeric, prefix, suffix, wildcard};

bool is_scalar(const JsonTree& json) {
  return json.kind != Kind::list && json.kind != Kind::object;
}

/// Returns the only member of an object; a name that repeats counts once. Null if there are others.
const JsonTree* only_member(const JsonTree& json) {
  if (json.kind != Kind::object || json.names.empty()) return nullptr;
  const bool alone = std::ranges::all_of(json.names, [&](const auto& name) { return name == json.names[0]; });
  return alone ? &json.values.back() : nullptr;
}

bool begins_ignoring_case(std::string_view value, std::string_view text) {
  return value.size() >= text.size() && base::equal_ignoring_case(value.substr(0, text.size()), text);
}

bool ends_ignoring_case(std::string_view value, std::string_view text) {
  return value.size() >= text.size() &&
         base::equal_ignoring_case(value.substr(value.size() - text.size()), text);
}

/// `pieces` are what is between the stars: at least one.
bool matches_pieces(std::string_view value, const std::vector<std::string>& pieces) {
  if (pieces.size() == 1) return value == pieces[0];
  const std::string& last = pieces.back();
  if (!value.starts_with(pieces.front())) return false;
  value.remove_prefix(pieces.front().size());
  for (std::size_t i = 1; i + 1 < pieces.size(); ++i) {
    const std::size_t found = value.find(pieces[i]);
    if (found == std::string_view::npos) return false;
    value.remove_prefix(found + pieces[i].size());
  }
  return value.ends_with(last);
}

}  // namespace

bool is_filter_operator(std::string_view name) {
  return std::ranges::find(filter_operators, name) != filter_operators.end();
}

std::optional<FilterRule> FilterRule::of(const JsonTree& json) {
  if (is_scalar(json)) return FilterRule(Same{json});
  const JsonTree* const operand = only_member(json);
  return operand ? of_operator(json.names[0], *operand) : std::nullopt;
}

std::optional<FilterRule> FilterRule::of_operator(std::string_view name, const JsonTree& operand) {
  const auto rule = [](auto check) {
    return check ? std::optional(FilterRule(*std::move(check))) : std::nullopt;
  };
  if (name == exists) {
    if (operand.kind != Kind::boolean) return std::nullopt;
    return FilterRule(operand.truth ? Check(Present()) : Check(Absent()));
  }
  if (name == exactly)
    return operand.kind == Kind::string ? std::optional(FilterRule(Same{operand})) : std::nullopt;
  if (name == numeric) return rule(range_of(operand));
  if (name == anything_but) return rule(not_of(operand));
  if (name == cidr) return rule(network_of(operand));
  return rule(text_of(name, operand));
}

std::optional<FilterRule::Text> FilterRule::text_of(std::string_view name, const JsonTree& operand) {
  using How = Text::How;
  const bool is_prefix = name == prefix;
  if (is_prefix || name == suffix) {
    if (operand.kind == Kind::string) return Text{is_prefix ? How::prefix : How::suffix, operand.text};
    const JsonTree* const inner = only_member(operand);
    if (!inner || inner->kind != Kind::string || operand.names[0] != equals_ignore_case) return std::nullopt;
    return Text{is_prefix ? How::prefix_ignoring_case : How::suffix_ignoring_case, inner->text};
  }
  if (operand.kind != Kind::string) return std::nullopt;
  if (name == equals_ignore_case) return Text{How::equal_ignoring_case, operand.text};
  return name == wildcard ? wildcard_of(operand.text) : std::nullopt;
}

/// A backslash before a star or another backslash makes it a character like any other.
std::optional<FilterRule::Text> FilterRule::wildcard_of(std::string_view text) {
  Text made{Text::How::wildcard};
  made.pieces.emplace_back();
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '*') {
      if (i > 0 && made.pieces.back().empty() && made.pieces.size() > 1) return std::nullopt;  // two in a row
      made.pieces.emplace_back();
      continue;
    }
    if (text[i] == '\\' && ++i == text.size()) return std::nullopt;
    if (i > 0 && text[i - 1] == '\\' && text[i] != '*' && text[i] != '\\') return std::nullopt;
    made.pieces.back() += text[i];
  }
  return made;
}

/// ["=", 1], ["<", 1], or [">", 1, "<=", 2]: the lower end first.
std::optional<FilterRule::Range> FilterRule::range_of(const JsonTree& operand) {
  const std::vector<JsonTree>& parts = operand.values;
  if (operand.kind != Kind::list || (parts.size() != 2 && parts.size() != 4)) return std::nullopt;
  Range range;
  for (std::size_t i = 0; i < parts.size(); i += 2) {
    if (parts[i].kind != Kind::string || parts[i + 1].kind != Kind::number) return std::nullopt;
    const std::string& sign = parts[i].text;
    const double number = parts[i + 1].number;
    const bool may_be_lower = i == 0;
    const bool may_be_upper = i == 2 || parts.size() == 2;
    if (sign == "=" && parts.size() == 2) {
      range.at_least = range.at_most = number;
    } else if (sign == ">" && may_be_lower) {
      range.above = number;
    } else if (sign == ">=" && may_be_lower) {
      range.at_least = number;
    } else if (sign == "<" && may_be_upper) {
      range.below = number;
    } else if (sign == "<=" && may_be_upper) {
      range.at_most = number;
    } else {
      return std::nullopt;
    }
  }
  if (parts.size() == 4 && !(parts[1].number < parts[3].number)) return std::nullopt;
  return range;
}

/// Strings or numbers, one or a list of one kind; or an operator on strings, with one or a list.
std::optional<FilterRule::Not> FilterRule::not_of(const JsonTree& operand) {
  Not excluded;
  const JsonTree* const inner = only_member(operand);
  if (operand.kind == Kind::object && !inner) return std::nullopt;
  const JsonTree& said = inner ? *inner : operand;
  const std::vector<JsonTree> one{said};
  const std::vector<JsonTree>& all = said.kind == Kind::list ? said.values : one;
  if (all.empty()) return std::nullopt;
  for (const JsonTree& value : all) {
    const bool fits = value.kind == Kind::string || (!inner && value.kind == Kind::number);
    if (!fits || value.kind != all[0].kind) return std::nullopt;
    if (!inner) {
      excluded.values.push_back(value);
      continue;
    }
    const std::string& name = operand.names[0];
    const bool ends = name == prefix || name == suffix;
    auto text = text_of(name, value);
    if (!text || (ends && value.text.empty())) return std::nullopt;
    excluded.texts.push_back(*std::move(text));
  }
  return excluded;
}

/// An address, or one with the number of its bits that count.
std::optional<base::Network> FilterRule::network_of(const JsonTree& operand) {
  return operand.kind == Kind::string ? base::Network::of(operand.text) : std::nullopt;
}

bool FilterRule::admits(const JsonTree& value) const {
  if (std::holds_alternative<Present>(check_)) return true;
  if (const auto* const same = std::get_if<Same>(&check_)) return admits(*same, value);
  if (const auto* const text = std::get_if<Text>(&check_)) return admits(*text, value);
  if (const auto* const range = std::get_if<Range>(&check_)) return admits(*range, value);
  if (const auto* const excluded = std::get_if<Not>(&check_)) return admits(*excluded, value);
  if (const auto* const network = std::get_if<base::Network>(&check_)) return admits(*network, value);
  return false;
}

bool FilterRule::admits(const Same& same, const JsonTree& value) {
  return value.kind == same.value.kind && value.truth == same.value.truth && value.text == same.value.text;
}

bool FilterRule::admits(const Text& text, const JsonTree& value) {
  return value.kind == Kind::string && text.admits(value.text);
}

bool FilterRule::Text::admits(std::string_view value) const {
  switch (how) {
    case How::equal_ignoring_case:
      return base::equal_ignoring_case(value, text);
    case How::prefix:
      return value.starts_with(text);
    case How::prefix_ignoring_case:
      return begins_ignoring_case(value, text);
    case How::suffix:
      return value.ends_with(text);
    case How::suffix_ignoring_case:
      return ends_ignoring_case(value, text);
    case How::wildcard:
      return matches_pieces(value, pieces);
  }
  return false;
}

bool FilterRule::admits(const Range& range, const JsonTree& value) {
  if (value.kind != Kind::number) return false;
  const double number = value.number;
  return (!range.above || number > *range.above) && (!range.at_least || number >= *range.at_least) &&
         (!range.below || number < *range.below) && (!range.at_most || number <= *range.at_most);
}

bool FilterRule::admits(const Not& excluded, const JsonTree& value) {
  const auto equals = [&](const JsonTree& one) {
    if (one.kind != value.kind) return false;
    return one.kind == Kind::number ? one.number == value.number : one.text == value.text;
  };
  return std::ranges::none_of(excluded.values, equals) &&
         std::ranges::none_of(excluded.texts, [&](const Text& text) { return admits(text, value); });
}

bool FilterRule::admits(const base::Network& network, const JsonTree& value) {
  return value.kind == Kind::string && network.has(value.text);
}

}  // namespace dinette::lambda
