#include "dynamodb/backups/restore.h"

#include <cstddef>
#include <optional>
#include <utility>

#include "dynamodb/api/enums.h"
#include "dynamodb/api/limits.h"
#include "dynamodb/api/table_settings.h"
#include "dynamodb/backups/table_filling.h"
#include "dynamodb/tables/account_quotas.h"
#include "dynamodb/tables/open_table.h"
#include "dynamodb/tables/table_description.h"
#include "dynamodb/tables/table_state.h"

namespace dinette::dynamodb {
namespace {

base::Failure<ApiError> already_exists(const std::string& name) {
  return base::Failure{
      ApiError{api::ErrorCode::table_already_exists_exception, "Table already exists: " + name}};
}

base::Failure<ApiError> already_restored(const std::string& name, const api::RestoreSummary& from) {
  const std::string source = from.source_backup_arn ? "backup: " + *from.source_backup_arn
                                                    : "table: " + from.source_table_arn.value_or("");
  return base::Failure{ApiError{api::ErrorCode::table_in_use_exception,
                                "Table: " + name + " is already being restored from " + source}};
}

Answer<std::size_t> count_restores(const Context& context) {
  constexpr std::size_t tables_per_page = 100;
  std::size_t restores = 0;
  for (std::string after;;) {
    DINETTE_STORED(const auto tables, context.store.catalog().list(after, tables_per_page));
    for (const store::TablePointer& table : tables)
      restores += is_restoring(table->schema_as<TableSchema>().record(), context.now) ? 1 : 0;
    if (tables.size() < tables_per_page) return restores;
    after = tables.back()->name;
  }
}

/// Returns both tables after the restore has begun.
store::TableCreation begin_restore(NewRestore restore, const store::Table& source, store::TableId id) {
  api::TableRecord source_record = source.schema_as<TableSchema>().record();
  if (!source_record.copies) source_record.copies.emplace();
  source_record.copies->push_back({static_cast<std::int64_t>(id), restore.table.table_name});
  const auto next_version = static_cast<std::int64_t>(source.version + 1);
  restore.table.filling = api::TableFilling{static_cast<std::int64_t>(source.id), source.name, restore.moment,
                                            restore.table_version.value_or(next_version)};
  return {encode_record(restore.table), store::TableUpdate(encode_record(source_record))};
}

}  // namespace

base::Failure<ApiError> invalid_request(const std::string& sentence) {
  return validation("Invalid Request: " + sentence);
}

Answer<void> check_target(const Context& context, const std::string& name) {
  DINETTE_CHECK(finish_deletion(context, name));
  DINETTE_TRY(const OpenTable present, find_table(context, name));
  if (present.table) {
    if (is_restoring(present.record(), context.now)) return already_restored(name, *present.record().restore);
    return already_exists(name);
  }
  DINETTE_TRY(const std::size_t restores, count_restores(context));
  if (restores < model::limits::restores) return {};
  return subscriber_limit("Only " + std::to_string(model::limits::restores) +
                          " restore operations can be done simultaneously");
}

Answer<api::TableDescription> restore(const Context& context, const store::Table& source,
                                      base::FunctionRef<Answer<NewRestore>(const store::Table&)> decide,
                                      const std::string& name, base::Failure<ApiError> source_gone) {
  if (context.settings.quotas) {
    DINETTE_TRY(const NewRestore wanted, decide(source));
    DINETTE_CHECK(check_new_table_quotas(context, wanted.table.settings));
  }
  std::optional<ApiError> refused;
  const auto create = [&](const store::Table& current,
                          store::TableId id) -> std::optional<store::TableCreation> {
    Answer<NewRestore> wanted = decide(current);
    refused.reset();
    if (wanted) return begin_restore(std::move(wanted).value(), current, id);
    refused = std::move(wanted).error();
    return std::nullopt;
  };
  DINETTE_STORED(const store::TableAndSource made, context.store.catalog().create_from(source, name, create));
  if (refused) return base::Failure{*std::move(refused)};
  if (!made.source) return source_gone;
  if (!made.created) return already_exists(name);  // by another request since the look
  fill_table(context.store, context.jobs, *made.created);
  const auto& schema = made.created->schema_as<TableSchema>();
  return describe(schema, {api::TableStatus::creating, schema.record().settings, context.now});
}

}  // namespace dinette::dynamodb
