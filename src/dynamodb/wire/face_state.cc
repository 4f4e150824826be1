#include "dynamodb/wire/face_state.h"

#include <memory>

namespace dinette::dynamodb::wire {

DynamoDbState& state_of(tenancy::World& world, std::uint8_t face_id) {
  const auto make = []() -> std::unique_ptr<tenancy::FaceState> { return std::make_unique<DynamoDbState>(); };
  return static_cast<DynamoDbState&>(world.state(face_id, make));
}

}  // namespace dinette::dynamodb::wire
