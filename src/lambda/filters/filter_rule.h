#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "dinette/aws/json_tree.h"
#include "dinette/base/network.h"

namespace dinette::lambda {

using aws::JsonTree;

/// What a filter pattern says about a value: one element of the list at the end of a path, such as "a",
/// {"prefix": "a"} or {"exists": false}. Immutable.
class FilterRule {
 public:
  /// Returns nothing if it is no rule.
  static std::optional<FilterRule> of(const JsonTree& json);

  /// `value` is a string, a number, a boolean or null.
  bool admits(const JsonTree& value) const;
  /// Returns true if the rule is satisfied where there is no such value: {"exists": false}.
  bool admits_absence() const { return std::holds_alternative<Absent>(check_); }

 private:
  struct Present {};
  struct Absent {};
  /// The same null, boolean, string, or text of a number.
  struct Same {
    JsonTree value;
  };
  /// A comparison of a string.
  struct Text {
    enum class How {
      equal_ignoring_case,
      prefix,
      prefix_ignoring_case,
      suffix,
      suffix_ignoring_case,
      wildcard
    };
    How how;
    std::string text = {};
    std::vector<std::string> pieces = {};  ///< between the stars of a wildcard

    bool admits(std::string_view value) const;
  };
  /// Ends that are null do not exist.
  struct Range {
    std::optional<double> above, at_least, below, at_most;
  };
  /// Every value but those that one of these admits.
  struct Not {
    std::vector<JsonTree> values = {};
    std::vector<Text> texts = {};
  };
  using Check = std::variant<Same, Present, Absent, Text, Range, Not, base::Network>;

  explicit FilterRule(Check check) : check_(std::move(check)) {}

  static std::optional<FilterRule> of_operator(std::string_view name, const JsonTree& operand);
  static std::optional<Text> text_of(std::string_view name, const JsonTree& operand);
  static std::optional<Text> wildcard_of(std::string_view text);
  static std::optional<Range> range_of(const JsonTree& operand);
  static std::optional<Not> not_of(const JsonTree& operand);
  static std::optional<base::Network> network_of(const JsonTree& operand);

  static bool admits(const Same& same, const JsonTree& value);
  static bool admits(const Text& text, const JsonTree& value);
  static bool admits(const Range& range, const JsonTree& value);
  static bool admits(const Not& excluded, const JsonTree& value);
  static bool admits(const base::Network& network, const JsonTree& value);

  Check check_;
};

/// Returns true if a name is an operator, which `$or` does not take for the name of a field.
bool is_filter_operator(std::string_view name);

}  // namespace dinette::lambda
