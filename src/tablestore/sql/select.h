#pragma once

#include <cstddef>

#include "tablestore/request/context.h"
#include "tablestore/sql/result.h"
#include "tablestore/sql/statement.h"
#include "tablestore/tables/open_table.h"

namespace dinette::tablestore::sql {

/// The result of a query, and how much it has read.
struct Selected {
  Result result;
  std::size_t bytes = 0;
};

/// Carries out a query of a table with a mapping, by reading all of its rows.
Answer<Selected> select(const Context& context, const OpenTable& table, Select&& statement);

}  // namespace dinette::tablestore::sql
