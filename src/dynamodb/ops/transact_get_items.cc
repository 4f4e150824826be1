#include "dynamodb/api/transact_get_items.h"

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "dynamodb/api/get.h"
#include "dynamodb/api/item_response.h"
#include "dynamodb/api/limits.h"
#include "dynamodb/api/transact_get_item.h"
#include "dynamodb/codec/record.h"
#include "dynamodb/items/item_key.h"
#include "dynamodb/items/key_path_checks.h"
#include "dynamodb/items/touched_keys.h"
#include "dynamodb/reads/explain_read.h"
#include "dynamodb/reads/item_selection.h"
#include "dynamodb/reads/read_throughput.h"
#include "dynamodb/reads/read_view.h"
#include "dynamodb/request/cancellation.h"
#include "dynamodb/request/hand_to_worker.h"
#include "dynamodb/request/item_claims.h"
#include "dynamodb/request/request_checks.h"
#include "dynamodb/request/request_expressions.h"
#include "dynamodb/request/table_charges.h"
#include "dynamodb/tables/open_table.h"
#include "dynamodb/writes/transactions/transaction.h"

// Order of the steps: docs/service/transactions.md section 4. Each is taken for all actions before the next.
namespace dinette::dynamodb::ops {
namespace {

/// One action of the request.
struct ItemRead {
  const api::Get& get;
  ItemSelection selection;
  OpenTable table = {};
  std::string key = {};  ///< the store's
};

Answer<ItemSelection> selection_of(const Context& context, const api::Get& get) {
  RequestExpressions expressions(context, get);
  DINETTE_CHECK(expressions.check_families(families_of(get)));
  DINETTE_TRY(ItemSelection selection, item_selection(expressions, get.projection_expression, std::nullopt));
  DINETTE_CHECK(expressions.check_all_used());
  DINETTE_CHECK(check_problem(context.envelope, get.key.problem));
  return selection;
}

/// Returns what cancels the transaction because of this action, or refuses the whole request.
Answer<std::optional<ApiError>> fault_of(const ItemRead& read) {
  const TableSchema& schema = read.table.schema();
  if (auto fits = check_key_fits(schema, read.get.key.attributes); !fits)
    return std::optional(std::move(fits).error());
  DINETTE_CHECK(check_key_values(schema, read.get.key.attributes));
  if (auto paths = check_key_paths(schema, read.selection.reached_into()); !paths)
    return std::optional(std::move(paths).error());
  return std::optional<ApiError>();
}

/// Cancels for the first fault, unless a later action refuses the whole request.
Answer<void> check_faults(const std::vector<ItemRead>& reads) {
  std::optional<std::pair<std::size_t, ApiError>> first;
  for (std::size_t i = 0; i < reads.size(); ++i) {
    DINETTE_TRY(std::optional<ApiError> fault, fault_of(reads[i]));
    if (fault && !first) first.emplace(i, *std::move(fault));
  }
  if (first) return cancelled(reads.size(), first->first, std::move(first->second));
  return {};
}

Answer<void> check_each_item_once(const std::vector<ItemRead>& reads) {
  std::set<std::pair<store::TableId, std::string_view>> seen;
  for (const ItemRead& read : reads) {
    if (!seen.emplace(read.table.table->id, read.key).second)
      return validation("Transaction request cannot include multiple operations on one item");
  }
  return {};
}

Answer<std::vector<ItemRead>> check(const Context& context, const api::TransactGetItemsInput& input) {
  std::vector<ItemRead> reads;
  for (const api::TransactGetItem& item : input.transact_items) {
    DINETTE_TRY(ItemSelection selection, selection_of(context, item.get));
    reads.push_back({item.get, std::move(selection)});
  }
  for (ItemRead& read : reads) {
    DINETTE_TRY(read.table, open_for_data(context, read.get.table_name));
  }
  for (const ItemRead& read : reads) DINETTE_CHECK(check_may_transact(read.table));
  DINETTE_CHECK(check_faults(reads));
  for (ItemRead& read : reads) read.key = encode_key(read.table.schema(), read.get.key.attributes);
  DINETTE_CHECK(check_each_item_once(reads));
  return reads;
}

/// Asks the gate about all tables, then about all partitions.
Answer<void> admit(const Context& context, const std::vector<ItemRead>& reads) {
  for (const ItemRead& read : reads)
    DINETTE_CHECK(admit_read_of_table(context, {.table = *read.table.table}, true));
  for (const ItemRead& read : reads)
    DINETTE_CHECK(admit_read_of_partition(context, {.table = *read.table.table, .key = read.key}, true));
  return {};
}

/// Cancels the transaction if ongoing requests write its items, where conflicts are refused.
Answer<void> check_conflicts(const Context& context, const std::vector<ItemRead>& reads) {
  if (!context.claims) return {};
  std::vector<ClaimedItem> items;
  for (const ItemRead& read : reads) items.push_back({read.table.table->id, read.key});
  return context.claims->read(items);
}

/// What is stored under a key, and what of it is returned.
struct FoundItem {
  bool exists = false;
  std::size_t size = 0;  ///< as the service counts it
  api::ItemResponse response = {};
};

Answer<FoundItem> find_item_read(const store::View& view, const ItemRead& read, model::Work& work) {
  DINETTE_TRY(const std::optional<kv::Value> row, read_item(view, *read.table.table, read.key));
  if (!row) return FoundItem();
  FoundItem found{.exists = true, .size = codec::record_size(row->view())};
  codec::ItemText item;
  DINETTE_STORED([[maybe_unused]] const std::size_t selected,
                 read.selection.append_selected(*item.json, row->view(), work));
  if (*item.json != "{}") found.response.item = std::move(item);
  return found;
}

}  // namespace

Answer<api::TransactGetItemsOutput> transact_get_items(const Context& context,
                                                       api::TransactGetItemsInput&& input) {
  DINETTE_TRY(const std::vector<ItemRead> reads, check(context, input));
  DINETTE_CHECK(check_conflicts(context, reads));
  DINETTE_CHECK(admit(context, reads));
  DINETTE_STORED(const store::View view, context.store.view());
  if (context.explanation) context.explanation->be_list();
  std::vector<FoundItem> found;
  std::size_t bytes = 0;
  model::Work work;
  for (const ItemRead& read : reads) {
    DINETTE_TRY(found.emplace_back(), find_item_read(view, read, work));
    bytes += found.back().size;
    if (bytes > model::limits::transaction_bytes)
      return validation("Transaction payload size cannot exceed 4MB.");
    DINETTE_CHECK(check_loop_work(work.units()));
  }
  api::TransactGetItemsOutput output;
  output.responses.emplace();
  TableCharges charges;
  for (std::size_t i = 0; i < reads.size(); ++i) {
    const ItemRead& read = reads[i];
    const double units = 2 * read_units(found[i].size, true);
    charges.add(read.get.table_name, {.table = units});
    take_read(context, {.table = *read.table.table, .key = read.key}, units);
    if (wants_keys(context)) note_item(context, read.table, read.get.key.attributes, found[i].size);
    if (context.explanation) {
      explain_read(*context.explanation, read.get.table_name, read.table.schema(), read.get.key.attributes,
                   found[i].exists, units);
    }
    output.responses->push_back(std::move(found[i].response));
  }
  output.consumed_capacity =
      charges.consumed_capacity(context, input.return_consumed_capacity, CapacityAxis::read);
  return output;
}

}  // namespace dinette::dynamodb::ops
