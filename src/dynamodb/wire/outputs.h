#pragma once

#include <array>
#include <span>
#include <string_view>

#include "dinette/aws/output_shape.h"

namespace dinette::dynamodb::wire {

/// The members of an AttributeValue that hold bytes.
inline constexpr std::array<std::string_view, 2> blob_members{"B", "BS"};

/// Attributes of an item, by name.
extern const aws::OutputShape item_output;

/// The body of an error, which may have items (error_body.h).
extern const aws::OutputShape error_output;

/// Returns the shape of each operation's output, at the position of its target; null without bytes and times.
/// scripts/gen_api.py writes it from the specs.
std::span<const aws::OutputShape* const> output_shapes();

}  // namespace dinette::dynamodb::wire
