#pragma once

#include <cstdint>

#include "tablestore/request/context.h"
#include "tablestore/sql/statement.h"

/// Statements that write (tablestore/sql.md section 4): rows of one partition key, or one row by its key.
namespace dinette::tablestore::sql {

struct Changed {
  std::int64_t rows = 0;  ///< that were there, or are now
  std::int32_t units = 0;
};

/// Inserts all rows, or none.
Answer<Changed> insert(const Context& context, const Insert& statement);
/// Changes one row. None is changed if it is absent.
Answer<Changed> update(const Context& context, const Update& statement);
Answer<Changed> erase(const Context& context, const Delete& statement);

}  // namespace dinette::tablestore::sql
