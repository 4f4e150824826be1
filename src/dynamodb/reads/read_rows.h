#pragma once

#include <string>
#include <utility>

#include "dynamodb/api/enums.h"
#include "dynamodb/items/key_path_checks.h"
#include "dynamodb/reads/explain_read.h"
#include "dynamodb/reads/item_page.h"
#include "dynamodb/reads/read_charge.h"
#include "dynamodb/reads/read_checks.h"
#include "dynamodb/reads/read_throughput.h"
#include "dynamodb/request/consumed_capacity.h"
#include "dynamodb/tables/table_state.h"

namespace dinette::dynamodb {

/// What distinguishes the two operations there.
struct RowsRead {
  ReadName name;
  store::Direction direction = store::Direction::forward;
  bool by_key_condition = false;
  std::optional<PartitionSpan> partitions = {};  ///< that are gone over, if each may be charged by itself
};

/// Executes the common part of Query and Scan: everything after the checks that need no table.
/// `range_in(target)` returns the keys to read, an Answer<store::KeyRange>.
template <class Output, class Input, class RangeIn>
Answer<Output> read_rows(const Context& context, const Input& input, const ItemFilter& filter,
                         const ItemSelection& selection, RangeIn range_in, const RowsRead& read) {
  const bool consistent = input.consistent_read;
  const bool count_only = input.select == api::Select::count;
  DINETTE_TRY(const OpenTable table, open_for_data(context, input.table_name));
  DINETTE_TRY(const IndexSchema* const index,
              index_to_read(context, table, input.index_name, consistent, read.by_key_condition));
  DINETTE_CHECK(check_key_paths(table.schema(), filter.reached_into()));
  DINETTE_CHECK(check_key_paths(table.schema(), selection.reached_into()));
  const ReadTarget target(table.schema(), index);
  DINETTE_TRY(store::KeyRange range, range_in(target));
  DINETTE_TRY(const ReachBack reach_back, reach_back_of(target, input.select, selection, filter));

  const auto billing = state_at(table.record(), context.now).settings.billing_mode;
  std::optional<PartitionSpan> partitions = read.partitions;
  if (!context.settings.partition_minimum || billing != api::BillingMode::pay_per_request) partitions.reset();
  const std::string start = context.gate ? range.begin : std::string();
  const ReadPlace place{*table.table, index, start};
  DINETTE_CHECK(admit_read(context, place, consistent));
  DINETTE_TRY(ItemPage page, read_page(context, *table.table,
                                       {.target = target,
                                        .range = std::move(range),
                                        .direction = read.direction,
                                        .limit = static_cast<std::size_t>(input.limit.value_or(0)),
                                        .filter = filter,
                                        .selection = selection,
                                        .count_only = count_only,
                                        .consistent = consistent,
                                        .reach_back = reach_back,
                                        .charged_apart = partitions,
                                        .by_key_condition = read.by_key_condition}));
  const Charge charge = charge_of(target, page, consistent);
  take_read(context, place, charge.units());
  if (context.explanation)
    explain_page(*context.explanation, read.name, input.table_name, target, page, charge);
  if (context.details) note_page(*context.details, read.name, page);
  Output output;
  output.consumed_capacity =
      consumed_capacity(context, input.return_consumed_capacity, input.table_name, charge);
  if (!count_only) output.items = std::move(page.items);
  output.count = page.count;
  output.scanned_count = page.scanned_count;
  output.last_evaluated_key = std::move(page.last_key);
  return output;
}

}  // namespace dinette::dynamodb
