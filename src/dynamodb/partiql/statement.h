#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dynamodb/api/enums.h"
#include "dynamodb/expr/ast.h"
#include "dynamodb/expr/binder.h"
#include "dynamodb/model/attribute_value.h"
#include "dynamodb/partiql/parse/parser.h"

namespace dinette::dynamodb::partiql {

enum class Verb : std::uint8_t {
  select,
  exists,  // EXISTS(SELECT ...)
  insert,
  update,
  erase,  // DELETE
};

/// A value written in the statement, or the parameter of that position, from 0.
struct Constant {
  std::optional<std::uint16_t> parameter;
  model::AttributeValue literal;
};

/// A constant that may be of certain types only: what the operator or function is called, or what is said
/// instead of that, for a rule that has a sentence of its own.
struct OperandCheck {
  expr::Slot constant;
  expr::TypeSet allowed;
  std::string op;
  std::string sentence = {};
};

/// An attribute that an INSERT gives the item; `constant` is a slot.
struct Member {
  std::string name;
  expr::Slot constant;
};

struct Sort {
  std::string attribute;
  bool descending;
};

/// A statement that passed every check that depends on its text alone. Immutable; any number of requests may
/// share it. Constants are in one table, and expressions have them by their slots in it.
struct Statement {
  Verb verb = Verb::select;
  std::string table;
  std::optional<std::string> index;
  std::size_t parameters = 0;  ///< that it wants
  std::vector<Constant> constants;
  std::vector<OperandCheck> checks;       ///< in written order
  std::vector<expr::Slot> type_names;     ///< constants that must name a type
  expr::ParsedRef where;                  ///< null for none
  expr::ParsedRef columns;                ///< null for all
  std::vector<std::string> column_names;  ///< by which the columns are returned
  std::string column_refusal;             ///< empty, or why the columns cannot be had
  std::vector<Sort> order;
  expr::ParsedRef update;    ///< of an UPDATE
  std::vector<Member> item;  ///< of an INSERT
  std::optional<api::ReturnValue> returning;

  bool reads() const { return verb == Verb::select; }
  /// Bytes of memory, roughly.
  std::size_t footprint() const;
};
using StatementRef = std::shared_ptr<const Statement>;

/// Reads a statement, and checks all that depends on its text alone (docs/service/partiql.md sections 1
/// and 2).
Checked<StatementRef> compile(std::string_view text);

}  // namespace dinette::dynamodb::partiql
