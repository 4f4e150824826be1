#include "tablestore/rows/batch_replies.h"

#include <utility>

namespace dinette::tablestore {

api::Error error_of(const ApiError& error) {
  return {.code = std::string(error.name()), .message = error.message};
}

api::RowInBatchWriteRowResponse written(RowReply&& reply) {
  api::RowInBatchWriteRowResponse row;
  row.is_ok = true;
  row.consumed = reply.consumed;
  row.row = std::move(reply.row);
  return row;
}

api::RowInBatchWriteRowResponse not_written(const ApiError& error) {
  api::RowInBatchWriteRowResponse row;
  row.error = error_of(error);
  return row;
}

}  // namespace dinette::tablestore
