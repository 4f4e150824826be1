#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cql/data/row_values.h"
#include "cql/frames/replies.h"
#include "cql/grammar/ast.h"
#include "cql/statements/checker.h"
#include "cql/statements/term.h"

/// What SELECT returns of rows (docs/service-keyspaces/grammar.md section 6).
namespace dinette::cql::statements {

enum class Aggregate : std::uint8_t { count_rows, count, min, max, sum, avg };

/// A selector of a checked statement.
struct Selected {
  enum class Kind : std::uint8_t {
    column,
    write_time,
    time_to_live,
    function,
    aggregate,
    cast,
    to_json,
    field,
    term,
  };

  Kind kind = Kind::column;
  Type type{};
  std::string name{};      ///< of the result's column
  std::size_t column = 0;  ///< its place in the table
  std::vector<Selected> arguments{};
  const Function* function = nullptr;
  Aggregate aggregate = Aggregate::count_rows;
  std::size_t index = 0;  ///< of an aggregate among those of the statement, or of a field
  std::optional<Term> term{};
};

struct SelectionCheck {
  std::vector<Selected> columns{};
  std::size_t aggregates = 0;
  std::vector<std::size_t> used{};  ///< places of the columns that are named
};

/// Checks what is selected; of `*` all columns.
Answer<SelectionCheck> check_selection(Checker& checker, const std::vector<grammar::Selection>& selections);

/// What aggregates have seen so far.
class AggregateState {
 public:
  /// Adds a value, which is null or of the argument's type.
  Answer<void> add(const Selected& aggregate, std::optional<std::string_view> value);
  Answer<std::optional<std::string>> result(const Selected& aggregate) const;

 private:
  std::int64_t count_ = 0;
  std::optional<std::string> extreme_;
  __extension__ __int128 whole_ = 0;
  double floating_ = 0;
  std::int32_t scale_ = 0;
};

/// What selectors are evaluated on.
struct SelectionInput {
  const data::RowValues* row = nullptr;  ///< null: after aggregation of no rows
  const Bindings* bindings = nullptr;
  const std::vector<AggregateState>* aggregates = nullptr;
  data::Seconds now = 0;
};

Answer<std::optional<std::string>> evaluate(const Selected& selected, const SelectionInput& input);
/// Adds a row to the aggregates in a selector.
Answer<void> aggregate_row(const Selected& selected, const SelectionInput& input,
                           std::vector<AggregateState>& states);

}  // namespace dinette::cql::statements
