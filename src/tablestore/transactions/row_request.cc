#include "tablestore/transactions/row_request.h"

#include "tablestore/request/names.h"
#include "tablestore/transactions/open_transaction.h"

namespace dinette::tablestore {

Answer<RowReply> write_row(const Context& context, std::string_view table_name, const RowRequest& request,
                           const std::optional<std::string_view>& transaction_id) {
  if (!transaction_id) return write_row(context, table_name, request);
  DINETTE_CHECK(check_table_name(table_name));
  DINETTE_TRY(const RowWrite write, read_row_write(request.kind, request.row, request.condition,
                                                   request.returns, context.switches));
  DINETTE_TRY(const OpenTransaction transaction, take_transaction(context, *transaction_id));
  DINETTE_TRY(const OpenTable table, open_to_write(context, table_name));
  DINETTE_CHECK(check_fits(write, table.meta(), context.now));
  DINETTE_TRY(const WrittenRow written, write_in(context, *transaction, table, write));
  return reply_to(write, written, table.meta().options);
}

}  // namespace dinette::tablestore
