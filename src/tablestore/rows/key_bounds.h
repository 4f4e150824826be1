#pragma once

#include "dinette/store/placement.h"

#include "tablestore/model/row.h"
#include "tablestore/request/api_error.h"

namespace dinette::tablestore {

/// Returns the keys of the rows of a GetRange, whose bounds have been checked (tablestore/range.md sections 1
/// and 2): from `start`, inclusive, to `end`, in the direction of the scan. Fails if they are in the wrong
/// order.
Answer<store::KeyRange> key_range(const PrimaryKey& start, const PrimaryKey& end, store::Direction direction);

}  // namespace dinette::tablestore
