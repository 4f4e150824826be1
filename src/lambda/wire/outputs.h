#pragma once

#include <span>

#include "dinette/aws/output_shape.h"

namespace dinette::lambda::wire {

/// Returns the shape of each operation's output, at the position of its target; null without bytes and times.
/// scripts/gen_api.py writes it from the specs.
std::span<const aws::OutputShape* const> output_shapes();

}  // namespace dinette::lambda::wire
