#include "dynamodb/ops/open_table.h"

#include "dynamodb/ops/table_state.h"

namespace dinette::dynamodb::ops {
namespace {

using base::Failure;

Failure<ApiError> not_found(std::string message) {
  return Failure{ApiError{api::ErrorCode::resource_not_found_exception, std::move(message)}};
}

/// Null when this caller sees no such table. An ARN finds the table that it was made for and no other.
Answer<OpenTable> find(const Context& context, std::string_view name_or_arn) {
  const auto name = table_name_of(name_or_arn);
  if (!name) return OpenTable{};
  DINETTE_STORED(store::TablePointer table, context.store.catalog().open(context.name_space, *name));
  OpenTable found{std::move(table)};
  if (!found.table) return OpenTable{};
  if (name->size() != name_or_arn.size() && found.schema().arn() != name_or_arn) return OpenTable{};
  if (!state_at(found.record(), now(context)).gone) return found;
  DINETTE_STORED([[maybe_unused]] const bool dropped, context.store.catalog().drop(*found.table));
  return OpenTable{};
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
  DINETTE_TRY([[maybe_unused]] const OpenTable found, find(context, name));
  return {};
}

Failure<ApiError> table_not_found(std::string_view name) {
  return not_found("Requested resource not found: Table: " + std::string(name) + " not found");
}

Answer<OpenTable> open_for_data(const Context& context, std::string_view name_or_arn) {
  DINETTE_TRY(OpenTable found, find(context, name_or_arn));
  const bool open =
      found.table && state_at(found.record(), now(context)).status != api::TableStatus::creating;
  if (!open) return not_found("Requested resource not found");
  return found;
}

Answer<OpenTable> open_for_control(const Context& context, std::string_view name_or_arn) {
  DINETTE_TRY(OpenTable found, find(context, name_or_arn));
  if (!found.table) return table_not_found(table_name_of(name_or_arn).value_or(name_or_arn));
  return found;
}

}  // namespace dinette::dynamodb::ops
