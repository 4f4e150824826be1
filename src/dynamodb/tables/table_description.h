#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "dynamodb/api/enums.h"
#include "dynamodb/api/sse_description.h"
#include "dynamodb/api/table_description.h"
#include "dynamodb/api/table_settings.h"
#include "dynamodb/request/context.h"
#include "dynamodb/tables/table_schema.h"

namespace dinette::dynamodb {

/// Rows and bytes of a table and of each of its indexes, all at one moment.
struct TableCounts {
  store::Count table;
  std::map<store::IndexId, store::Count> indexes;

  store::Count of_index(std::int64_t id) const;
};
Answer<TableCounts> count_items(const Context& context, const store::Table& table);

/// What a table is shown as (docs/service/tables.md sections 2, 4 and 5, indexes.md section 6).
struct Shown {
  api::TableStatus status;
  const api::TableSettings& settings;
  codec::Timestamp moment;
  TableCounts counts = {};
  const api::TableSettings* becoming = nullptr;  ///< the settings after a change that is under way
};

/// The whole description, as CreateTable, UpdateTable and DescribeTable give it.
api::TableDescription describe(const TableSchema& schema, const Shown& shown);

/// The few members that a table has in the answer of DeleteTable and while it is DELETING.
api::TableDescription describe_deleted(const TableSchema& schema, const Shown& shown);

/// Returns the encryption of a table with these settings; nothing for the service's key.
std::optional<api::SSEDescription> describe_encryption(const api::TableSettings& settings);

}  // namespace dinette::dynamodb
