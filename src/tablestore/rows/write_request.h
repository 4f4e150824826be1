#pragma once

#include <optional>
#include <string_view>

#include "tablestore/api/messages.h"
#include "tablestore/rows/row_replies.h"

namespace dinette::tablestore {

/// A PutRow, UpdateRow or DeleteRow as it was sent.
struct RowRequest {
  api::OperationType kind;
  std::string_view row;
  const api::Condition& condition;
  const std::optional<api::ReturnContent>& returns;
};

/// Carries it out, outside of transactions.
Answer<RowReply> write_row(const Context& context, std::string_view table_name, const RowRequest& request);

}  // namespace dinette::tablestore
