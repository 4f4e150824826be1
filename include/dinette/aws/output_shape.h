#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace dinette::aws {

/// What JSON does not say about a response, and other encodings need: which of its strings are bytes in
/// base64, and which of its numbers are times. Read-only tables of static storage, which scripts/gen_api.py
/// generates from api-specs/. Where there is neither, there is no shape: null.

struct OutputMember;

struct OutputShape {
  enum class Kind : std::uint8_t {
    blob,       ///< a string of base64
    timestamp,  ///< a number of epoch seconds
    list,       ///< of `element`
    map,        ///< from names to `element`
    structure,  ///< of `members`, and others without a shape
  };

  Kind kind;
  const OutputShape* element = nullptr;
  std::span<const OutputMember> members = {};
};

struct OutputMember {
  std::string_view name;
  const OutputShape* shape;
};

inline constexpr OutputShape blob_output{.kind = OutputShape::Kind::blob};
inline constexpr OutputShape timestamp_output{.kind = OutputShape::Kind::timestamp};

/// Returns the shape of a member of a structure, or of an entry of a map; null if it has none. `shape` may be
/// null.
const OutputShape* shape_of_member(const OutputShape* shape, std::string_view name);

}  // namespace dinette::aws
