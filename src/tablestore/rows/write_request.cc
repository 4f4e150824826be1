#include "tablestore/rows/write_request.h"

#include <span>

#include "tablestore/request/names.h"
#include "tablestore/rows/local_transactions.h"
#include "tablestore/rows/row_table.h"

namespace dinette::tablestore {

Answer<RowReply> write_row(const Context& context, std::string_view table_name, const RowRequest& request) {
  DINETTE_CHECK(check_table_name(table_name));
  DINETTE_TRY(const RowWrite write, read_row_write(request.kind, request.row, request.condition,
                                                   request.returns, context.switches));
  return write_to_table(context, table_name, [&](const OpenTable& table) -> Answer<std::optional<RowReply>> {
    DINETTE_CHECK(check_fits(write, table.meta(), context.now));
    DINETTE_TRY(const auto pass, pass_to_write(context, *table.table, write.row.key.front().value));
    DINETTE_TRY(const auto written, write_rows(context, table, std::span(&write, 1)));
    if (!written) return std::optional<RowReply>();
    return std::optional(reply_to(write, written->front(), table.meta().options));
  });
}

}  // namespace dinette::tablestore
