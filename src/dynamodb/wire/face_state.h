#pragma once

#include <cstdint>

#include "dinette/tenancy/world.h"

#include "dynamodb/insights/key_counts.h"
#include "dynamodb/throttling/rate_limiters.h"

namespace dinette::dynamodb::wire {

/// What a world has of DynamoDB in the memory of this process.
struct DynamoDbState final : tenancy::FaceState {
  throttling::RateLimiters limiters;  ///< of its tables
  KeyCounts key_counts;               ///< for contributor insights
};

DynamoDbState& state_of(tenancy::World& world, std::uint8_t face_id);

}  // namespace dinette::dynamodb::wire
