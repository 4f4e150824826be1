#include "tablestore/api/get_range.h"

#include <utility>

#include "tablestore/api/limits.h"
#include "tablestore/api/refusals.h"
#include "tablestore/request/names.h"
#include "tablestore/rows/key_bounds.h"
#include "tablestore/rows/read_request.h"
#include "tablestore/rows/row_replies.h"
#include "tablestore/transactions/open_transaction.h"

// tablestore/range.md
namespace dinette::tablestore::ops {
namespace {

/// A transaction may not read beyond its partition.
Answer<void> check_range_scope(const LocalTransaction& transaction, std::string_view table, store::TableId id,
                               const PrimaryKey& start, const PrimaryKey& end) {
  DINETTE_CHECK(check_scope(transaction, table, id, start.front().value));
  return check_scope(transaction, table, id, end.front().value);
}

}  // namespace

Answer<api::GetRangeResponse> get_range(const Context& context, api::GetRangeRequest&& request) {
  DINETTE_CHECK(check_table_name(request.table_name));
  DINETTE_TRY(const PrimaryKey start, read_key(request.inclusive_start_primary_key, KeyUse::bound));
  DINETTE_TRY(const PrimaryKey end, read_key(request.exclusive_end_primary_key, KeyUse::bound));
  DINETTE_TRY(const RowSelection selection,
              read_selection({request.columns_to_get, request.time_range, request.max_versions,
                              request.start_column, request.end_column, request.filter},
                             context.switches));
  if (request.limit && *request.limit <= 0) return refuse::limit_not_positive();
  DINETTE_TRY(const auto transaction, take_transaction(context, request.transaction_id));
  DINETTE_TRY(const ReadTarget target, open_to_read(context, request.table_name));
  DINETTE_CHECK(check_key_fits(start, target));
  DINETTE_CHECK(check_key_fits(end, target));
  const auto direction =
      request.direction == api::Direction::forward ? store::Direction::forward : store::Direction::backward;
  DINETTE_TRY(const store::KeyRange range, key_range(start, end, direction));
  if (transaction)
    DINETTE_CHECK(check_range_scope(**transaction, request.table_name, target.table->id, start, end));
  const std::size_t most = request.limit ? static_cast<std::size_t>(*request.limit) : limits::page_rows;
  const PendingRows* const pending = transaction ? &(*transaction)->rows : nullptr;
  DINETTE_TRY(RowPage page, read_page(context, target, range, direction, selection, most, pending));
  return api::GetRangeResponse{.consumed = read_units(page.bytes),
                               .rows = std::move(page.rows),
                               .next_start_primary_key = std::move(page.next)};
}

}  // namespace dinette::tablestore::ops
