#pragma once

#include "dynamodb/partiql/bound.h"
#include "dynamodb/partiql/read_plan.h"
#include "dynamodb/partiql/read_source.h"
#include "dynamodb/partiql/select.h"
#include "dynamodb/request/explanation.h"
#include "dynamodb/tables/table_schema.h"
#include "dynamodb/writes/item_action.h"

/// What statements came to, for requests that ask for it (docs/explain.md).
namespace dinette::dynamodb::partiql {

/// Adds what was done for a page of a SELECT.
void explain(Explanation& explanation, const Bound& bound, const ReadSource& source, const ReadPlan& plan,
             const SelectedPage& page);

/// Adds a SELECT of one item within a transaction: whether there was one, and what that cost.
void explain_item(Explanation& explanation, const Bound& bound, const TableSchema& schema, bool found,
                  double units);

/// Adds a write or check of one item: whether there was one before, how many were returned, and what that
/// cost.
void explain_write(Explanation& explanation, const Bound& bound, const TableSchema& schema,
                   const ItemAction& action, bool found, bool returned, double units);

}  // namespace dinette::dynamodb::partiql
