#include "dynamodb/ops/open_table.h"

#include "dynamodb/ops/table_state.h"

namespace dinette::dynamodb::ops {
namespace {

using base::Failure;

Failure<ApiError> not_found(std::string message) {
  return Failure{ApiError{api::ErrorCode::resource_not_found_exception, std::move(message)}};
}

struct Found {
  OpenTable open;
  api::TableStatus status{};
};

/// No table when this caller sees none of that name. An ARN finds the table that it was made for and no
/// other.
Answer<Found> find(const Context& context, std::string_view name_or_arn) {
  const auto name = table_name_of(name_or_arn);
  if (!name) return Found{};
  DINETTE_STORED(store::TablePointer table, context.store.catalog().open(context.name_space, *name));
  if (!table) return Found{};
  Found found{.open = {std::move(table)}};
  if (name->size() != name_or_arn.size() && found.open.schema().arn() != name_or_arn) return Found{};
  const TableState state = state_at(found.open.record(), now(context));
  found.status = state.status;
  if (!state.gone) return found;
  DINETTE_STORED([[maybe_unused]] const bool dropped, context.store.catalog().drop(*found.open.table));
  return Found{};
}

}  // namespace

codec::Timestamp now(const Context& context) {
  return timestamp(context.store.clock().now());
}

std::optional<std::string_view> table_name_of(std::string_view name_or_arn) {
  if (!name_or_arn.starts_with("arn:")) return name_or_arn;
  constexpr std::string_view mark = ":table/";
  const auto at = name_or_arn.find(mark);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view name = name_or_arn.substr(at + mark.size());
  if (name.empty() || name.find('/') != std::string_view::npos) return std::nullopt;
  return name;
}

Answer<void> forget_deleted(const Context& context, std::string_view name) {
  DINETTE_TRY([[maybe_unused]] const Found found, find(context, name));
  return {};
}

Failure<ApiError> table_not_found(std::string_view name) {
  return not_found("Requested resource not found: Table: " + std::string(name) + " not found");
}

Answer<OpenTable> open_for_data(const Context& context, std::string_view name_or_arn) {
  DINETTE_TRY(Found found, find(context, name_or_arn));
  const bool open = found.open.table && found.status != api::TableStatus::creating;
  if (!open) return not_found("Requested resource not found");
  return std::move(found.open);
}

Answer<OpenTable> open_for_control(const Context& context, std::string_view name_or_arn) {
  DINETTE_TRY(Found found, find(context, name_or_arn));
  if (!found.open.table) return table_not_found(table_name_of(name_or_arn).value_or(name_or_arn));
  return std::move(found.open);
}

}  // namespace dinette::dynamodb::ops
