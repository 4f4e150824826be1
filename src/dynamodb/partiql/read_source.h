#pragma once

#include <optional>

#include "dynamodb/partiql/statement.h"
#include "dynamodb/reads/item_page.h"
#include "dynamodb/reads/read_target.h"
#include "dynamodb/request/context.h"
#include "dynamodb/tables/open_table.h"

namespace dinette::dynamodb::partiql {

/// The table or index that a SELECT names.
struct ReadSource {
  OpenTable table;
  ReadTarget target;  ///< refers to the table's schema
  ReachBack reach_back = ReachBack::none;
  std::optional<PartitionSpan> partitions;  ///< that a scan is charged for each by itself
};

/// Finds it, and refuses what cannot be read of it (docs/service/partiql.md section 2, steps 5 to 9).
Answer<ReadSource> open_source(const Context& context, const Statement& statement, bool consistent);

}  // namespace dinette::dynamodb::partiql
