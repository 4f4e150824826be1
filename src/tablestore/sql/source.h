#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dinette/base/function_ref.h"

#include "tablestore/search/query.h"
#include "tablestore/sql/mappings.h"
#include "tablestore/sql/session.h"

namespace dinette::tablestore::sql {

/// A column of the rows that a query works on.
struct RelationColumn {
  std::string table;
  std::string name;
  ResultType type = ResultType::none;
  /// False: `*` leaves it out, and it is only found with the name of its table.
  bool is_shown = true;
};

/// Returns the place of a column, or nothing if there is none. Fails if there are several.
Answer<std::optional<std::size_t>> find_column(std::span<const RelationColumn> columns,
                                               const Expression& wanted);

/// What a query reads: a table, an index, or the rows of another query.
class Source {
 public:
  static Answer<Source> open(Session& session, const FromItem& item);
  /// `rows` is what a query in place of a table has returned.
  static Source of_rows(const std::string& alias, Result&& rows);

  const std::vector<RelationColumn>& columns() const { return columns_; }
  std::vector<RelationColumn>& columns() { return columns_; }

  /// Returns the schema of the search index that its search functions are about; null if there is none.
  Answer<const search::IndexSchema*> schema(Session& session);
  /// Adds a column that says of each row if it meets a condition, and returns its name.
  std::string add_condition(search::Condition condition);

  /// Returns false if no more rows are needed.
  using Take = base::FunctionRef<Answer<bool>(SqlRow&& row)>;
  Answer<void> read(Session& session, Take take);

 private:
  Answer<void> read_table(Session& session, Take take);
  SqlRow row_of(const PrimaryKey& key, const Cells& cells) const;
  void add_values(const search::Document& document, SqlRow& row) const;

  std::vector<RelationColumn> columns_;
  std::optional<MappedTable> table_ = {};
  Result rows_ = {};
  std::unique_ptr<const search::IndexSchema> schema_ = {};
  std::vector<search::Condition> conditions_ = {};
};

}  // namespace dinette::tablestore::sql
