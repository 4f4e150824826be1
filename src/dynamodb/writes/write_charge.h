#pragma once

#include "dynamodb/request/charge.h"
#include "dynamodb/writes/item_write.h"

namespace dinette::dynamodb {

/// What a write of one item costs, be it one that changes nothing (docs/service/capacity.md section 3).
Charge charge_of(const ItemWrite& write);

}  // namespace dinette::dynamodb
