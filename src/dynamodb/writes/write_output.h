#pragma once

#include <optional>
#include <utility>

#include "dynamodb/api/enums.h"
#include "dynamodb/request/consumed_capacity.h"
#include "dynamodb/writes/item_collection_metrics.h"
#include "dynamodb/writes/write_charge.h"
#include "dynamodb/writes/write_item.h"

namespace dinette::dynamodb {

/// Returns the common part of the responses to PutItem, UpdateItem and DeleteItem.
template <class Output, class Input>
Answer<Output> write_output(const Context& context, const OpenTable& table, const Input& input,
                            const ItemAction& action, const WrittenItem& written) {
  Output output;
  output.consumed_capacity =
      consumed_capacity(context, input.return_consumed_capacity, input.table_name, charge_of(written.plan));
  DINETTE_TRY(
      output.item_collection_metrics,
      item_collection_metrics(context, input.return_item_collection_metrics, table, action.key_attributes()));
  return output;
}

/// Executes the one write of an operation, as write_item() does. If it fails, reports its consumption to the
/// gate.
template <class Input>
Answer<std::optional<WrittenItem>> write_only_item(const Context& context, const OpenTable& table,
                                                   const Input& input, ItemAction& action) {
  auto written = write_item(context, table, action);
  if (!written) [[unlikely]]
    charge_failure(context, input.table_name, written.error());
  return written;
}

/// Carries out a PutItem or DeleteItem, which return the item before or nothing. Nothing when the table was
/// altered since it was opened.
template <class Output, class Input>
Answer<std::optional<Output>> write_and_answer(const Context& context, const OpenTable& table,
                                               const Input& input, ItemAction& action) {
  DINETTE_TRY(const std::optional<WrittenItem> written, write_only_item(context, table, input, action));
  if (!written) return std::optional<Output>();
  DINETTE_TRY(Output output, write_output<Output>(context, table, input, action, *written));
  if (input.return_values == api::ReturnValue::all_old && written->old.exists())
    output.attributes = written->old.text();
  return std::optional(std::move(output));
}

}  // namespace dinette::dynamodb
