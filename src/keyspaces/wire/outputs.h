#pragma once

#include <span>

#include "dinette/aws/output_shape.h"

namespace dinette::keyspaces::wire {

/// Values nest as deep as types do, and all of their members are texts but for `blobT`.
inline constexpr aws::OutputShape item_output{.kind = aws::OutputShape::Kind::map};

/// Returns the shape of each operation's output, at the position of its target; null without bytes and times.
/// scripts/gen_api.py writes it from the specs.
std::span<const aws::OutputShape* const> output_shapes();

}  // namespace dinette::keyspaces::wire
