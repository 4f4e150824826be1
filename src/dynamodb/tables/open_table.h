#pragma once

#include <optional>
#include <string_view>

#include "dynamodb/api/table_record.h"
#include "dynamodb/request/context.h"
#include "dynamodb/tables/table_schema.h"

namespace dinette::dynamodb {

/// A table found by a request's TableName, a plain name or an ARN. Holds on to one version of the table.
struct OpenTable {
  store::TablePointer table;

  const TableSchema& schema() const { return table->schema_as<TableSchema>(); }
  const api::TableRecord& record() const { return schema().record(); }
};

/// Opens a table for data operations: one that accepts them, or `Requested resource not found`
/// (docs/service/items.md section 4, tables.md section 1).
Answer<OpenTable> open_for_data(const Context& context, std::string_view name_or_arn);

/// The same for a write of items, without a read: if another server has changed the table, the write notices,
/// and wire/serve.h runs an operation again that was refused (store::Catalog::open_to_write).
Answer<OpenTable> open_to_write(const Context& context, std::string_view name_or_arn);

/// For control operations, in any state; else `Requested resource not found: Table: <name> not found`.
Answer<OpenTable> open_for_control(const Context& context, std::string_view name_or_arn);

/// The same for those that do not see a table while it is restored.
Answer<OpenTable> open_restored(const Context& context, std::string_view name_or_arn);

/// The same for those that do not see a table while it is CREATING.
Answer<OpenTable> open_created(const Context& context, std::string_view name_or_arn);

/// Opens a table for operations on backups: one in any state that is not being restored, or
/// TableNotFoundException `Table not found: <name>` (docs/service/backups-pitr.md).
Answer<OpenTable> open_for_backup(const Context& context, std::string_view name_or_arn);

/// Returns the table of this name, in any state, or none.
Answer<OpenTable> find_table(const Context& context, std::string_view name);

/// Removes the table of this name if its deletion is over, for a caller that wants the name: its job may not
/// have come to that yet.
Answer<void> finish_deletion(const Context& context, std::string_view name);

/// The table part of a table ARN, or the text itself if it is not an ARN. Nothing for any other ARN.
std::optional<std::string_view> table_name_of(std::string_view name_or_arn);

/// Refuses the ARN of another partition, region or account than the caller's, and that of a part of a table.
/// Passes names (docs/service/tables.md section 6).
Answer<void> check_own_arn(const Context& context, std::string_view name_or_arn);

base::Failure<ApiError> table_not_found(std::string_view name);
/// The same in the words of operations on backups.
base::Failure<ApiError> backup_table_not_found(std::string_view name);

}  // namespace dinette::dynamodb
