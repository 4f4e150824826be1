#pragma once

#include <cstddef>
#include <vector>

#include "tablestore/sql/session.h"
#include "tablestore/sql/source.h"
#include "tablestore/sql/statement.h"

namespace dinette::tablestore::sql {

/// Rows, and how many values each of them has.
struct SomeRows {
  std::vector<SqlRow> rows = {};
  std::size_t width = 0;
};

/// One of the joins of a query.
struct JoinStep {
  FromItem::Join kind = FromItem::Join::inner;
  const Expression* condition = nullptr;       ///< bound to `columns`; null: all pairs
  const std::vector<RelationColumn>& columns;  ///< of both sides
};

/// Joins the rows before a table with those of the table. Where both sides have a column that must be equal,
/// not all pairs are looked at.
Answer<SomeRows> join(Session& session, const Environment& environment, HeldBytes& held, SomeRows&& left,
                      SomeRows&& right, const JoinStep& step);

}  // namespace dinette::tablestore::sql
