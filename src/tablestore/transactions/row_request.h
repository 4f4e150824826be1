#pragma once

#include <optional>
#include <string_view>

#include "tablestore/rows/write_request.h"

namespace dinette::tablestore {

/// Carries out a PutRow, UpdateRow or DeleteRow, in a transaction if there is an id.
Answer<RowReply> write_row(const Context& context, std::string_view table_name, const RowRequest& request,
                           const std::optional<std::string_view>& transaction_id);

}  // namespace dinette::tablestore
