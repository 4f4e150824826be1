#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "dinette/observe/request_details.h"

#include "dynamodb/expr/key_condition.h"
#include "dynamodb/model/attribute_value.h"
#include "dynamodb/request/context.h"
#include "dynamodb/tables/open_table.h"

/// What requests read and wrote, for reports (docs/observing.md).
namespace dinette::dynamodb {

/// Returns true if keys are to be noted.
inline bool wants_keys(const Context& context) {
  return context.details != nullptr && context.details->wants_keys;
}

/// Notes the read or write of an item; `key` may have other attributes, too. `bytes`: its size, 0 if it is
/// not there. Only if wants_keys().
[[gnu::cold]] void note_item(const Context& context, const OpenTable& table, const model::Item& key,
                             std::size_t bytes);

/// Notes the read of items of one partition of the table or of an index. Only if wants_keys().
[[gnu::cold]] void note_partition(const Context& context, std::string_view table,
                                  std::span<const expr::KeyClause> clauses);

}  // namespace dinette::dynamodb
