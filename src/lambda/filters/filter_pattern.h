#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dinette/base/result.h"

#include "lambda/filters/filter_rule.h"

/// The filters of Lambda's event source mappings: which records of a stream a function gets.
namespace dinette::lambda {

/// Limits of Lambda, inclusive. Characters are those of Unicode.
inline constexpr std::size_t most_filters = 5;
inline constexpr std::size_t most_pattern_characters = 4096;

/// Levels of nesting in a pattern and in a record; an item of DynamoDB has 70 in a record.
inline constexpr std::size_t most_filter_levels = 128;

/// Lambda's message for FilterProblem::invalid.
inline constexpr std::string_view invalid_filter_message = "Invalid filter pattern definition.";

enum class FilterProblem {
  too_many,  ///< more than most_filters
  too_long,  ///< a pattern of more than most_pattern_characters
  invalid,   ///< a pattern that is no JSON object of rules
};

/// One pattern. Immutable.
///
///     {"eventName": ["INSERT"], "dynamodb": {"NewImage": {"state": {"S": [{"prefix": "open"}]}}}}
class FilterPattern {
 public:
  static base::Result<FilterPattern, FilterProblem> read(std::string_view json);

  /// `record`: as the function would get it, an object.
  bool admits(const JsonTree& record) const;

  /// Returns true if it has rules for a member of the record itself, and not for what is in that member.
  bool has_rules_for(std::string_view member) const { return has_rules_for(fields_, member); }

 private:
  struct Field;
  /// Fields of one object, all of which must fit; and for each `$or`, patterns of which one must.
  struct Fields {
    std::vector<Field> all = {};
    std::vector<std::vector<Fields>> alternatives = {};
  };
  /// Either rules, of which one must fit, or fields of the object inside.
  struct Field {
    std::string name;
    std::vector<FilterRule> rules = {};
    Fields inside = {};
  };

  explicit FilterPattern(Fields fields) : fields_(std::move(fields)) {}

  static bool read(const JsonTree& json, Fields& out);
  static bool read_alternatives(const JsonTree& json, std::vector<Fields>& out);
  static bool read_rules(const JsonTree& json, std::vector<FilterRule>& out);

  static bool has_rules_for(const Fields& fields, std::string_view member);

  // Null is what is not there.
  static bool admits(const Fields& fields, const JsonTree* value);
  static bool admits_object(const Fields& fields, const JsonTree* object);
  static bool admits(const std::vector<FilterRule>& rules, const JsonTree* value);

  Fields fields_;
};

/// The filters of one mapping. Immutable, so any thread may use it.
///
///     const auto filters = FilterCriteria::read(patterns);
///     if (filters && filters->admit(record)) batch.push_back(record);
class FilterCriteria {
 public:
  static base::Result<FilterCriteria, FilterProblem> read(std::span<const std::string_view> patterns);

  /// Returns true if a record, as JSON, passes one of the filters, or there are none. What is no JSON object,
  /// or nests deeper than most_filter_levels, passes none.
  bool admit(std::string_view record) const;
  bool admit(const JsonTree& record) const;

  /// Returns true if one of the patterns has rules for a member of the record itself.
  bool have_rules_for(std::string_view member) const;

  /// Returns true if there are no filters.
  bool empty() const { return patterns_.empty(); }

 private:
  std::vector<FilterPattern> patterns_;
};

}  // namespace dinette::lambda
