#pragma once

#include <cstdint>
#include <span>

#include "dynamodb/model/attribute_value.h"

namespace dinette::dynamodb {

/// Returns the service's hash of these key values, each S, N or B: partitions are in the order of this
/// number, and the segments of a parallel Scan are equal parts of its range.
std::uint64_t partition_hash(std::span<const model::AttributeValue* const> values);

}  // namespace dinette::dynamodb
