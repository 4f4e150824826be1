#pragma once

#include <optional>
#include <string_view>

#include "dinette/store/scan.h"

#include "dynamodb/request/context.h"

namespace dinette::dynamodb {

/// Returns true if a read of a table, or of a global index, sees the latest commit. Where Settings let reads
/// lag behind, eventually consistent ones do not.
bool sees_present(const Settings& settings, bool consistent, bool global_index);

/// The record of one item, if it is there.
Answer<std::optional<kv::Value>> read_item(const Context& context, const store::Table& table,
                                           std::string_view key, bool consistent);

/// The same of an item in `view`.
Answer<std::optional<kv::Value>> read_item(const store::View& view, const store::Table& table,
                                           std::string_view key);

/// Returns a view of the data as such a read sees it.
Answer<store::View> read_view(const Context& context, bool consistent, bool global_index);

}  // namespace dinette::dynamodb
