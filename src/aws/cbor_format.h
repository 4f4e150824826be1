#pragma once

#include <cstdint>

/// The numbers of RFC 8949: a value begins with a byte of three bits, its major type, and five bits, which
/// are a small number or say how many bytes of it follow.
namespace dinette::aws::cbor {

enum class Major : std::uint8_t { unsigned_integer, negative_integer, bytes, text, list, map, tag, simple };

// The five bits, if they are no number themselves.
inline constexpr std::uint8_t one_byte = 24;
inline constexpr std::uint8_t two_bytes = 25;
inline constexpr std::uint8_t four_bytes = 26;
inline constexpr std::uint8_t eight_bytes = 27;
inline constexpr std::uint8_t indefinite = 31;

// The five bits of Major::simple.
inline constexpr std::uint8_t false_value = 20;
inline constexpr std::uint8_t true_value = 21;
inline constexpr std::uint8_t null_value = 22;
inline constexpr std::uint8_t undefined_value = 23;
inline constexpr std::uint8_t half_float = two_bytes;
inline constexpr std::uint8_t single_float = four_bytes;
inline constexpr std::uint8_t double_float = eight_bytes;

/// Of a number that says when something happened.
inline constexpr std::uint64_t time_tag = 1;

/// A byte of its own.
inline constexpr char end_of_indefinite = static_cast<char>(0xff);

}  // namespace dinette::aws::cbor
