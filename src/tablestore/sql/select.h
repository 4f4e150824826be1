#pragma once

#include <vector>

#include "tablestore/request/context.h"
#include "tablestore/sql/result.h"
#include "tablestore/sql/session.h"
#include "tablestore/sql/statement.h"

namespace dinette::tablestore::sql {

/// The result of a query, and how much it has read.
struct Selected {
  Result result;
  std::vector<TableRead> reads;
};

/// Carries out a query, by reading all rows of its tables.
Answer<Selected> select(const Context& context, Select&& statement);

}  // namespace dinette::tablestore::sql
