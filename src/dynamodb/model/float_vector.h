#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "dynamodb/model/attribute_value.h"

/// Vectors as indexes keep them: 32-bit floats. In a table they stay lists of numbers with all their digits.
namespace dinette::dynamodb::model {

/// The largest 32-bit float, as the service prints it.
inline constexpr const char* largest_float_text = "3.4028235E38";

/// Returns the 32-bit float next to the number; nothing if it is beyond all of them.
std::optional<float> to_float(const Number& number);

/// Returns the shortest decimal that is that float again. It must be finite.
Number from_float(float value);

/// Returns true if the value is a list of `dimensions` numbers that 32-bit floats reach.
bool is_float_vector(const AttributeValue& value, std::size_t dimensions);

/// Returns those floats, each as four bytes, lowest byte first; nothing if the value is no such list.
std::optional<std::string> encode_floats(const AttributeValue& value, std::size_t dimensions);

/// Returns a number as the service's messages print one beyond 32-bit floats: `3.5E+38`. It must be at
/// least 10.
std::string scientific_text(const Number& number);

}  // namespace dinette::dynamodb::model
