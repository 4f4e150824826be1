#include "tablestore/api/update_row.h"

#include <utility>

#include "tablestore/transactions/row_request.h"

// tablestore/rows.md
namespace dinette::tablestore::ops {

Answer<api::UpdateRowResponse> update_row(const Context& context, api::UpdateRowRequest&& request) {
  const RowRequest row{api::OperationType::update, request.row_change, request.condition,
                       request.return_content};
  DINETTE_TRY(RowReply reply, write_row(context, request.table_name, row, request.transaction_id));
  return api::UpdateRowResponse{.consumed = reply.consumed, .row = std::move(reply.row)};
}

}  // namespace dinette::tablestore::ops
