#include "dynamodb/tables/open_table.h"

#include "dinette/aws/arn.h"
#include "dinette/aws/region.h"

#include "dynamodb/api/enums.h"
#include "dynamodb/model/resource_arn.h"
#include "dynamodb/tables/table_deletion.h"
#include "dynamodb/tables/table_state.h"

namespace dinette::dynamodb {
namespace {

using base::Failure;

Failure<ApiError> not_found(std::string message) {
  return Failure{ApiError{api::ErrorCode::resource_not_found_exception, std::move(message)}};
}

struct Found {
  OpenTable open;
  api::TableStatus status{};
};

/// Returns the problem with an ARN that is not that of a table of this caller.
std::string_view problem_of(const Context& context, const aws::Arn& arn) {
  if (arn.partition != aws::partition_of(context.region)) return "Invalid AWS partition";
  if (arn.region != context.region) return "Invalid AWS region";
  const auto table = model::parse_table_resource(arn.resource);
  return table && table->part.empty() ? "" : "Invalid resource type";
}

/// The two planes word their refusals of ARNs differently.
enum class Plane : bool { data, control };

Answer<void> check_arn(const Context& context, Plane plane, std::string_view text) {
  const auto arn = aws::parse_arn(text);
  if (!arn) return {};
  const std::string problem(problem_of(context, *arn));
  const std::string quoted = "'" + std::string(text) + "'";
  if (!problem.empty()) {
    return validation(Envelope::around,
                      plane == Plane::control
                          ? problem + " in " + quoted
                          : "Value " + quoted + " at 'tableName' failed to satisfy constraint: " + problem);
  }
  if (arn->account == context.account) return {};
  return Failure{ApiError{api::ErrorCode::access_denied_exception, "Access is denied"}};
}

enum class For : bool { any, write };

/// Finds a table of this caller. An ARN finds only the table that it was created
/// for.
Answer<Found> look_up(const Context& context, std::string_view name_or_arn, For use = For::any) {
  const auto name = table_name_of(name_or_arn);
  if (!name) return Found{};
  store::Catalog& catalog = context.store.catalog();
  DINETTE_STORED(store::TablePointer table,
                 use == For::write ? catalog.open_to_write(*name) : catalog.open(*name));
  if (!table) return Found{};
  Found found{.open = {std::move(table)}};
  if (name->size() != name_or_arn.size() && found.open.schema().arn() != name_or_arn) return Found{};
  const TableState state = state_at(found.open.record(), context.now);
  if (state.gone) return Found{};
  found.status = state.status;
  return found;
}

Answer<OpenTable> open_active(const Context& context, std::string_view name_or_arn, For use) {
  DINETTE_TRY(Found found, look_up(context, name_or_arn, use));
  const bool open = found.open.table && found.status != api::TableStatus::creating;
  if (open) return std::move(found.open);
  if (!found.open.table) DINETTE_CHECK(check_arn(context, Plane::data, name_or_arn));
  return not_found("Requested resource not found");
}

}  // namespace

std::optional<std::string_view> table_name_of(std::string_view name_or_arn) {
  const auto arn = aws::parse_arn(name_or_arn);
  if (!arn) return name_or_arn;
  const auto table = model::parse_table_resource(arn->resource);
  if (!table || !table->part.empty()) return std::nullopt;
  return table->name;
}

Answer<OpenTable> find_table(const Context& context, std::string_view name) {
  DINETTE_TRY(Found found, look_up(context, name));
  return std::move(found.open);
}

Answer<void> finish_deletion(const Context& context, std::string_view name) {
  DINETTE_STORED(const store::TablePointer table, context.store.catalog().open(name));
  if (!table || !state_at(OpenTable{table}.record(), context.now).gone) return {};
  const auto ended = end_deletion(context.store, context.jobs, *table, context.settings.recovery_window);
  if (!ended) return storage_failure(ended.error());
  return {};
}

Answer<void> check_own_arn(const Context& context, std::string_view name_or_arn) {
  return check_arn(context, Plane::control, name_or_arn);
}

Failure<ApiError> table_not_found(std::string_view name) {
  return not_found("Requested resource not found: Table: " + std::string(name) + " not found");
}

Failure<ApiError> backup_table_not_found(std::string_view name) {
  return Failure{
      ApiError{api::ErrorCode::table_not_found_exception, "Table not found: " + std::string(name)}};
}

Answer<OpenTable> open_for_data(const Context& context, std::string_view name_or_arn) {
  return open_active(context, name_or_arn, For::any);
}

Answer<OpenTable> open_to_write(const Context& context, std::string_view name_or_arn) {
  return open_active(context, name_or_arn, For::write);
}

Answer<OpenTable> open_for_control(const Context& context, std::string_view name_or_arn) {
  DINETTE_TRY(Found found, look_up(context, name_or_arn));
  if (found.open.table) return std::move(found.open);
  DINETTE_CHECK(check_arn(context, Plane::control, name_or_arn));
  return table_not_found(table_name_of(name_or_arn).value_or(name_or_arn));
}

Answer<OpenTable> open_restored(const Context& context, std::string_view name_or_arn) {
  DINETTE_TRY(OpenTable table, open_for_control(context, name_or_arn));
  if (is_restoring(table.record(), context.now)) return table_not_found(table.table->name);
  return table;
}

Answer<OpenTable> open_created(const Context& context, std::string_view name_or_arn) {
  DINETTE_TRY(OpenTable table, open_for_control(context, name_or_arn));
  const bool creating = state_at(table.record(), context.now).status == api::TableStatus::creating;
  if (creating) return table_not_found(table.table->name);
  return table;
}

Answer<OpenTable> open_for_backup(const Context& context, std::string_view name_or_arn) {
  DINETTE_TRY(Found found, look_up(context, name_or_arn));
  const bool there = found.open.table && !is_restoring(found.open.record(), context.now);
  if (there) return std::move(found.open);
  if (!found.open.table) DINETTE_CHECK(check_arn(context, Plane::control, name_or_arn));
  return backup_table_not_found(table_name_of(name_or_arn).value_or(name_or_arn));
}

}  // namespace dinette::dynamodb
