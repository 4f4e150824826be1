#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cql/data/row_write.h"
#include "cql/grammar/ast.h"
#include "cql/statements/checker.h"
#include "cql/statements/data_plan.h"
#include "cql/statements/where.h"

/// INSERT, UPDATE and DELETE (docs/service-keyspaces/dml.md sections 2, 3, 5 and 6).
namespace dinette::cql::statements {

/// A change of a column, of an element or of a field.
struct Operation {
  enum class Kind : std::uint8_t {
    set,
    add,
    subtract,
    prepend,
    set_element,
    set_field,
    erase,
    erase_element,
    erase_field,
  };

  Kind kind = Kind::set;
  const schema::Column* column = nullptr;
  std::optional<Term> value{};
  std::optional<Term> key{};  ///< of an element
  std::uint16_t field = 0;
};

/// A part of IF.
struct ConditionCheck {
  const schema::Column* column = nullptr;
  std::size_t place = 0;  ///< of the column in the table
  std::optional<Term> key{};
  std::optional<std::size_t> field{};
  grammar::Operator comparison = grammar::Operator::equal;
  std::optional<Term> value{};
  InList in{};
  Type type{};  ///< of what is compared
};

/// The attributes of USING, or those of the batch.
struct Attributes {
  std::optional<Term> timestamp{};
  std::optional<Term> time_to_live{};
};

/// A checked statement.
struct Modification {
  enum class Kind : std::uint8_t { insert, update, delete_ };

  system::OpenTable open{};
  Kind kind = Kind::insert;
  Where where{};
  std::vector<Operation> operations{};
  std::vector<Operation> static_operations{};
  grammar::Conditions::Existence existence = grammar::Conditions::Existence::any;
  std::vector<ConditionCheck> conditions{};
  Attributes attributes{};
  std::optional<Term> json{};  ///< of INSERT JSON: the text from which keys and operations are made
  bool json_unset = false;     ///< columns that it does not name stay as they are

  const schema::Table& table() const { return open.table(); }
  bool is_conditional() const {
    return existence != grammar::Conditions::Existence::any || !conditions.empty();
  }
  /// Only static cells are changed or tested: the partition key is enough.
  bool only_static() const;
};

/// Checks a statement; notes its markers with `checker`.
Answer<Modification> check_modification(Checker& checker, system::OpenTable open,
                                        const grammar::Modification& statement);
const grammar::QualifiedName& table_of(const grammar::Modification& statement);
/// Fails if a statement has more columns than the service takes in one.
Answer<void> check_column_count(const Modification& statement);
Answer<Attributes> check_attributes(Checker& checker, const grammar::Using& given);

/// What statements do, with their values.
struct Writes {
  std::vector<data::RowWrite> rows{};
  std::vector<data::RangeDeletion> ranges{};
  std::vector<std::size_t> statements{};  ///< of each row: the number of its statement
};

/// Attributes with their values.
struct BoundAttributes {
  std::optional<data::Timestamp> timestamp{};
  std::optional<data::Timestamp> server{};     ///< of all statements of a batch that have none
  std::optional<std::int32_t> time_to_live{};  ///< 0 also overrides the default of the table
};
Answer<BoundAttributes> bind_attributes(const Attributes& attributes, const Bindings& bindings);

/// Returns an INSERT of the columns that an INSERT JSON gives (docs/service-keyspaces/types.md section 8).
Answer<Modification> insert_of_json(const Modification& statement, const Bindings& bindings);

/// Adds what a statement does. `batch`: the attributes of its batch; `number`: of the statement.
Answer<void> add_writes(const Place& place, const Modification& statement, const Bindings& bindings,
                        const Options& options, const BoundAttributes& batch, std::size_t number,
                        Writes& out);

/// A condition whose terms are evaluated.
struct BoundCondition {
  const ConditionCheck* check = nullptr;
  std::vector<TermValue> values{};
  TermValue key{};
};
Answer<std::vector<BoundCondition>> bind_conditions(const Modification& statement, const Bindings& bindings);

/// Returns true if a row fulfils what the statement demands of it.
Answer<bool> holds(const Modification& statement, std::span<const BoundCondition> conditions,
                   const data::RowWrite& write, const data::SeenRow& seen);

/// Returns the columns of the answer of a statement whose conditions do not hold, in their order.
std::vector<std::size_t> columns_of_refusal(const Modification& statement);

/// Returns the answer of conditional statements that were applied.
RowSet applied_answer(const schema::Table& table);

/// A timestamp of the server's clock, later than all others that it gave in this world recently.
data::Timestamp server_timestamp(const Place& place);

}  // namespace dinette::cql::statements
