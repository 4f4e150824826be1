#pragma once

#include "dynamodb/reads/item_page.h"
#include "dynamodb/reads/read_target.h"
#include "dynamodb/request/charge.h"

namespace dinette::dynamodb {

/// Returns the cost of a page of a Query or Scan (docs/service/capacity.md section 4).
Charge charge_of(const ReadTarget& target, const ItemPage& page, bool consistent);

}  // namespace dinette::dynamodb
