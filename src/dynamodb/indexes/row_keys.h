#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/kv/error.h"
#include "dinette/store/store.h"

namespace dinette::dynamodb {

/// Returns the keys of up to `limit` rows of a table after the row `after`, which need not exist; from the
/// first row if it is empty. For jobs that write to all rows of a table: a write while a view is alive costs
/// more, so a job reads no more keys than it writes in one step.
kv::Result<std::vector<std::string>> row_keys_after(const store::Store& store, const store::Table& table,
                                                    std::string_view after, std::size_t limit);

}  // namespace dinette::dynamodb
