#include "tablestore/api/get_row.h"

#include "tablestore/plainbuffer/row_reader.h"
#include "tablestore/request/names.h"
#include "tablestore/rows/key_checks.h"
#include "tablestore/rows/read_request.h"
#include "tablestore/rows/row_replies.h"
#include "tablestore/transactions/open_transaction.h"

// tablestore/rows.md section 3
namespace dinette::tablestore::ops {

Answer<api::GetRowResponse> get_row(const Context& context, api::GetRowRequest&& request) {
  DINETTE_CHECK(check_table_name(request.table_name));
  DINETTE_TRY(const PrimaryKey key, read_key(request.primary_key, KeyUse::read));
  DINETTE_TRY(const RowSelection selection,
              read_selection({request.columns_to_get, request.time_range, request.max_versions,
                              request.start_column, request.end_column, request.filter},
                             context.switches));
  DINETTE_TRY(const auto transaction, take_transaction(context, request.transaction_id));
  DINETTE_TRY(const ReadTarget target, open_to_read(context, request.table_name));
  DINETTE_CHECK(check_key_fits(key, target));
  if (transaction)
    DINETTE_CHECK(check_scope(**transaction, request.table_name, target.table->id, key.front().value));
  const PendingRows* const pending = transaction ? &(*transaction)->rows : nullptr;
  std::size_t bytes = 0;
  api::GetRowResponse response;
  DINETTE_TRY(response.row, read_row(context, target, key, selection, pending, bytes));
  response.consumed = read_units(bytes);
  return response;
}

}  // namespace dinette::tablestore::ops
