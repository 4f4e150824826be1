#pragma once

#include <cstdint>
#include <memory>
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

struct ShowIndex {
  std::string table;
};

struct Describe {
  std::string table;
};

struct CreateMapping {
  std::string table;
  bool if_absent = false;
  std::vector<SqlColumn> columns = {};
  bool searches = false;  ///< it is that of a search index:
  std::string index = {};
  std::string index_table = {};
};

struct DropMapping {
  std::vector<std::string> tables = {};
  bool if_present = false;
};

/// Adds a column to a mapping, or removes one.
struct AlterMapping {
  std::string table;
  std::optional<SqlColumn> added = {};
  std::string dropped = {};  ///< if none is added
};

struct SelectItem {
  Expression expression = {};
  std::string name = {};    ///< of the column in the result
  bool is_all = false;      ///< all columns, in place of one; later one of them
  std::string all_of = {};  ///< of which table; empty: of all
};

/// A table, or a query in its place, and how it is joined to those before it.
struct FromItem {
  enum class Join : std::uint8_t { inner, left, right };

  std::string table = {};
  std::string alias = {};  ///< empty: the name of the table
  std::shared_ptr<const Select> query = {};
  Join join = Join::inner;
  std::optional<Expression> condition = {};
  std::vector<std::string> common = {};   ///< columns of USING
  std::vector<std::string> indexes = {};  ///< those of USE INDEX

  const std::string& name() const { return alias.empty() ? table : alias; }
};

struct OrderItem {
  Expression expression;
  bool descending = false;
};

struct Select {
  bool is_distinct = false;
  std::vector<SelectItem> items = {};
  std::vector<FromItem> from = {};  ///< none: one row without columns
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

using Statement = std::variant<ShowTables, ShowIndex, Describe, CreateMapping, DropMapping, AlterMapping,
                               Select, Insert, Update, Delete>;

/// Reads a statement. Fails for those that are not served.
Answer<Statement> parse(std::string_view text);

}  // namespace dinette::tablestore::sql
