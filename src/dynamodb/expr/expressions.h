#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <boost/container/small_vector.hpp>

#include "dinette/base/result.h"

#include "dynamodb/expr/expression_error.h"
#include "dynamodb/expr/placeholders.h"
#include "dynamodb/model/attribute_value.h"
#include "dynamodb/model/work.h"

/// Expressions as the operations use them, in two steps. `parse` depends on the text alone, so its result is
/// shared between requests (expr/cache.h); `bind_...` puts in the names and values of one request and does
/// every check that needs no table. What is bound refers to the request's placeholder entries, which must
/// outlive it. A bound expression is immutable: any number of threads may evaluate it.
///
///     DINETTE_TRY(const ParsedRef parsed, cache.parse(Kind::condition, text, SizeTail::omitted));
///     DINETTE_TRY(const Condition condition, bind_condition(parsed, placeholders));
///     DINETTE_CHECK(check_unused(placeholders));  // when all expressions of the request are bound
///     if (!condition.evaluate(&item, work)) ...
namespace dinette::dynamodb::expr {

/// Says if the refusal of an over-long expression ends with its size (docs/service/expressions.md section 3).
enum class SizeTail : std::uint8_t { omitted, printed };

/// A syntactically right expression of one kind; what it holds is in expr/ast.h.
struct Parsed;
using ParsedRef = std::shared_ptr<const Parsed>;

/// Checks size, syntax, reserved words, functions and parentheses of `text`.
base::Result<ParsedRef, ExpressionError> parse(Kind kind, std::string_view text, SizeTail tail);

/// The names and values of a parsed expression in one request, by the slots that the parser gave
/// them.
struct Bindings {
  std::vector<std::string_view> names;
  std::vector<const model::AttributeValue*> values;
  /// The top-level attributes that paths go into, in the order met, repeats included.
  std::vector<std::string_view> reached_into;
};

/// What a condition comes to without looking at an item. Found out once: values may be long, and items many.
struct Constants {
  std::vector<model::AttributeValue> sizes;   ///< of the values that size() is taken of, by slot
  std::vector<std::optional<bool>> outcomes;  ///< by node, as far as there are any
};

/// A ConditionExpression or FilterExpression.
class Condition {
 public:
  Condition(ParsedRef parsed, Bindings bindings);

  /// Returns true if `item` meets the condition; null is an item that does not exist
  /// (docs/service/expressions.md section 5). Charges `work` with what had to be read.
  bool evaluate(const model::Item* item, model::Work& work) const;

  /// Returns the top-level attributes that the expression reads, in written order, with repeats.
  std::vector<std::string_view> attributes() const;

  /// Those of them that it looks into.
  std::span<const std::string_view> reached_into() const { return bindings_.reached_into; }

 private:
  ParsedRef parsed_;
  Bindings bindings_;
  Constants constants_;
};

/// Document paths that neither overlap nor conflict, in the order in which a document is walked.
struct PathSet {
  ParsedRef parsed;
  Bindings bindings;
  /// Positions in the parsed expression's path list, ascending by path: names by their bytes, indexes by
  /// number.
  boost::container::small_vector<std::uint16_t, 8> order;
};

/// A ProjectionExpression.
class Projection {
 public:
  explicit Projection(PathSet paths) : paths_(std::move(paths)) {}

  /// The selected parts of `item`, nesting kept, list elements closed up (docs/service/expressions.md section
  /// 6).
  model::Item project(const model::Item& item) const;

  /// The top-level attributes that are selected or reached into, each once, ascending.
  std::vector<std::string_view> attributes() const;

  /// Those of them that are reached into.
  std::span<const std::string_view> reached_into() const { return paths_.bindings.reached_into; }

 private:
  PathSet paths_;
};

/// The columns of a PartiQL select list: document paths, each with the name that its value is returned under.
class Columns {
 public:
  /// `names` are by target of `parsed`, and must outlive this.
  Columns(ParsedRef parsed, Bindings bindings, std::span<const std::string> names);

  /// The values at the paths, as they are, under their names; those that `item` has.
  model::Item project(const model::Item& item) const;

  /// The top-level attributes that the paths begin with, in written order, repeats included.
  std::vector<std::string_view> attributes() const;

  /// Those of them that are reached into.
  std::span<const std::string_view> reached_into() const { return bindings_.reached_into; }

 private:
  ParsedRef parsed_;
  Bindings bindings_;
  std::span<const std::string> names_;
};

/// An UpdateExpression.
class Update {
 public:
  explicit Update(PathSet targets) : targets_(std::move(targets)) {}

  /// Returns the item after the update of `old`, or of an item made of `key` alone when there is none; both
  /// stay as they are. Returns no item when there was none and the update only removes, which creates nothing
  /// (docs/service/items.md section 2). Of `old` no more is needed than attributes() and operands(). All
  /// operands read the item before (docs/service/expressions.md section 7). May fail at run time; such errors
  /// are `bare`, except for a result that nests too deep.
  base::Result<std::optional<model::Item>, ExpressionError> apply(const model::Item* old,
                                                                  const model::Item& key) const;

  /// Returns, for ReturnValues UPDATED_OLD and UPDATED_NEW, the values of `item` at the paths of the
  /// statement, as nested fragments.
  model::Item touched(const model::Item& item) const;

  /// Bytes charged by the statement-sized rule, to be held against the item size limit before the condition
  /// is looked at (docs/service/values.md section 6); of a charge beyond the limit no more than shows that.
  std::size_t statement_charge(const model::Item* old) const;

  /// The top-level attributes that the update writes or removes, in written order, each once.
  std::vector<std::string_view> attributes() const;

  /// Returns the attributes that its operands read, in written order, with repeats.
  std::vector<std::string_view> operands() const;

  /// Returns the attributes of both kinds that it reaches into.
  std::span<const std::string_view> reached_into() const { return targets_.bindings.reached_into; }

  /// Returns true if SET gives `attribute` a value that comes from the item `before` and not from the
  /// request.
  bool takes_from_item(std::string_view attribute, const model::Item& before) const;

 private:
  bool only_removes() const;

  PathSet targets_;
};

/// Checks operand types, distinct operands, defined placeholders, operator counts of a condition or filter.
base::Result<Condition, ExpressionError> bind_condition(const ParsedRef& parsed, Placeholders& placeholders);
base::Result<Projection, ExpressionError> bind_projection(const ParsedRef& parsed,
                                                          Placeholders& placeholders);
base::Result<Update, ExpressionError> bind_update(const ParsedRef& parsed, Placeholders& placeholders);

}  // namespace dinette::dynamodb::expr
