#pragma once

#include "dynamodb/api/types.h"
#include "dynamodb/ops/context.h"
#include "dynamodb/ops/table_schema.h"

namespace dinette::dynamodb::ops {

/// What a table is shown as (facts: tables.md sections 2, 4 and 5, indexes.md section 6).
struct Shown {
  api::TableStatus status;
  const api::TableSettings& settings;
  store::Count count = {};
};

/// The whole description, as CreateTable, UpdateTable and DescribeTable give it.
api::TableDescription describe(const TableSchema& schema, const Shown& shown);

/// The few members that DeleteTable gives.
api::TableDescription describe_deleted(const TableSchema& schema, const Shown& shown);

}  // namespace dinette::dynamodb::ops
