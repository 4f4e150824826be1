#pragma once

#include <optional>

#include "dynamodb/api/enums.h"
#include "dynamodb/codec/inputs.h"
#include "dynamodb/request/api_error.h"
#include "dynamodb/writes/item_update.h"
#include "dynamodb/writes/write_item.h"

namespace dinette::dynamodb {

/// Returns the attributes that an update answers with, nothing instead of none (docs/service/items.md
/// section 1). `item` is the item after it, null if there is none.
Answer<std::optional<codec::ItemText>> returned_attributes(api::ReturnValue wanted, const ItemUpdate& update,
                                                           const model::Item* item, WrittenItem& written);

}  // namespace dinette::dynamodb
