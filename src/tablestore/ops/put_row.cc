#include "tablestore/api/put_row.h"

#include <utility>

#include "tablestore/transactions/row_request.h"

// tablestore/rows.md
namespace dinette::tablestore::ops {

Answer<api::PutRowResponse> put_row(const Context& context, api::PutRowRequest&& request) {
  const RowRequest row{api::OperationType::put, request.row, request.condition, request.return_content};
  DINETTE_TRY(RowReply reply, write_row(context, request.table_name, row, request.transaction_id));
  return api::PutRowResponse{.consumed = reply.consumed, .row = std::move(reply.row)};
}

}  // namespace dinette::tablestore::ops
