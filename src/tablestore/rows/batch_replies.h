#pragma once

#include <string>

#include "tablestore/api/messages.h"
#include "tablestore/request/api_error.h"
#include "tablestore/rows/row_replies.h"

/// The parts of replies of batches (tablestore/batch.md section 2).
namespace dinette::tablestore {

/// Returns an error of one row, which the reply has in it.
api::Error error_of(const ApiError& error);

api::RowInBatchWriteRowResponse written(RowReply&& reply);
api::RowInBatchWriteRowResponse not_written(const ApiError& error);

}  // namespace dinette::tablestore
