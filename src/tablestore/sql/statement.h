#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tablestore/model/table_meta.h"
#include "tablestore/request/api_error.h"
#include "tablestore/sql/expression.h"

/// The statements that are served (tablestore/sql.md section 3).
namespace dinette::tablestore::sql {

struct ShowTables {};

struct Describe {
  std::string table;
};

struct CreateMapping {
  std::string table;
  bool if_absent = false;
  std::vector<SqlColumn> columns = {};
};

struct DropMapping {
  std::string table;
  bool if_present = false;
};

/// Adds a column to a mapping, or removes one.
struct AlterMapping {
  std::string table;
  std::optional<SqlColumn> added = {};
  std::string dropped = {};  ///< if none is added
};

struct SelectItem {
  Expression expression;
  std::string name;  ///< of the column in the result
};

struct OrderItem {
  Expression expression;
  bool descending = false;
};

struct Select {
  bool is_distinct = false;
  bool all_columns = false;  ///< `*`, before the items
  std::vector<SelectItem> items = {};
  std::string table;
  std::optional<Expression> where = {};
  std::vector<Expression> groups = {};
  std::optional<Expression> having = {};
  std::vector<OrderItem> order = {};
  std::uint64_t offset = 0;
  std::optional<std::uint64_t> limit = {};
};

/// An INSERT with its rows. Values have no columns.
struct Insert {
  /// What becomes of a row that is there.
  enum class Present : std::uint8_t { refused, kept, updated };

  std::string table;
  std::vector<std::string> columns = {};  ///< empty: all of the mapping
  std::vector<std::vector<Expression>> rows = {};
  Present present = Present::refused;
};

struct Assignment {
  std::string column;
  Expression value;
};

/// An UPDATE, or a DELETE, which has no assignments.
struct Change {
  std::string table;
  std::vector<Assignment> assignments = {};
  std::optional<Expression> where = {};
  bool has_order = false;
  bool has_limit = false;
};
struct Update : Change {};
struct Delete : Change {};

using Statement = std::variant<ShowTables, Describe, CreateMapping, DropMapping, AlterMapping, Select, Insert,
                               Update, Delete>;

/// Reads a statement. Fails for those that are not served.
Answer<Statement> parse(std::string_view text);

}  // namespace dinette::tablestore::sql
