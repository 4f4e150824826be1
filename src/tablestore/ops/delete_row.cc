#include "tablestore/api/delete_row.h"

#include <utility>

#include "tablestore/transactions/row_request.h"

// tablestore/rows.md
namespace dinette::tablestore::ops {

Answer<api::DeleteRowResponse> delete_row(const Context& context, api::DeleteRowRequest&& request) {
  const RowRequest row{api::OperationType::delete_, request.primary_key, request.condition,
                       request.return_content};
  DINETTE_TRY(RowReply reply, write_row(context, request.table_name, row, request.transaction_id));
  return api::DeleteRowResponse{.consumed = reply.consumed, .row = std::move(reply.row)};
}

}  // namespace dinette::tablestore::ops
