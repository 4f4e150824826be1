#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "dynamodb/api/types.h"
#include "dynamodb/ops/consumed_capacity.h"
#include "dynamodb/ops/context.h"
#include "dynamodb/ops/expression_families.h"
#include "dynamodb/ops/item_filter.h"
#include "dynamodb/ops/item_page.h"
#include "dynamodb/ops/item_selection.h"
#include "dynamodb/ops/open_table.h"
#include "dynamodb/ops/read_target.h"

/// Steps that Query and Scan share (facts: query-scan.md).
namespace dinette::dynamodb::ops {

/// Select against the projection and the index of the request, of which `projection` is the member that was
/// given (ProjectionExpression, AttributesToGet), if any. The operations word a missing projection in an
/// envelope or without it.
Answer<void> check_select(std::optional<api::Select> select, std::string_view projection, bool has_index,
                          Envelope missing_projection);

/// The index that is named, null for none; one that can be read now, and consistently if that is wanted.
Answer<const IndexSchema*> find_index(const Context& context, const OpenTable& table,
                                      const std::optional<std::string>& name, bool consistent);

/// Whether what the request wants of an index is there to be had: a global index answers with what it
/// projects or not at all, a local one can reach back to the table. Gives what for it has to.
Answer<ReachBack> check_reach(const ReadTarget& target, std::optional<api::Select> select,
                              const ItemSelection& selection, const ItemFilter& filter);

/// ProjectionExpression or AttributesToGet, whichever the request has; empty for neither.
template <class Input>
std::string_view projection_member(const Input& input) {
  if (input.projection_expression) return "ProjectionExpression";
  return input.attributes_to_get ? "AttributesToGet" : "";
}

/// The store's key that ExclusiveStartKey says. One that does not have the attributes of a position is told
/// `misfit`; its values are held to what holds for those of any key (facts: values.md section 4).
Answer<std::string> start_position(const ReadTarget& target, const model::Item& start,
                                   std::string_view misfit);

/// All that is left of a request when it has passed the checks that need no table. `range_in(target)` gives
/// the keys that it asks for, an Answer<store::KeyRange>.
template <class Output, class Input, class RangeIn>
Answer<Output> read_rows(const Context& context, const Input& input, const ItemFilter& filter,
                         const ItemSelection& selection, store::Direction direction, RangeIn range_in) {
  const bool consistent = input.consistent_read.value_or(false);
  const bool count_only = input.select == api::Select::count;
  DINETTE_TRY(const OpenTable table, open_for_data(context, input.table_name));
  DINETTE_TRY(const IndexSchema* const index, find_index(context, table, input.index_name, consistent));
  const ReadTarget target(table.schema(), index);
  DINETTE_TRY(store::KeyRange range, range_in(target));
  DINETTE_TRY(const ReachBack reach_back, check_reach(target, input.select, selection, filter));

  DINETTE_TRY(ItemPage page, read_page(context, *table.table,
                                       {.target = target,
                                        .range = std::move(range),
                                        .direction = direction,
                                        .limit = static_cast<std::size_t>(input.limit.value_or(0)),
                                        .filter = filter,
                                        .selection = selection,
                                        .count_only = count_only,
                                        .consistent = consistent,
                                        .reach_back = reach_back}));
  Output output;
  output.consumed_capacity =
      page_capacity(input.return_consumed_capacity, input.table_name, target, page, consistent);
  if (!count_only) output.items = std::move(page.items);
  output.count = page.count;
  output.scanned_count = page.scanned_count;
  output.last_evaluated_key = std::move(page.last_key);
  return output;
}

}  // namespace dinette::dynamodb::ops
