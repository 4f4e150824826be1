#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cql/error.h"

/// Compressed bodies of frames (docs/service-keyspaces/protocol.md section 8).
namespace dinette::cql::frames {

/// What a connection has agreed on.
enum class Compression : std::uint8_t { none, lz4, snappy };

/// Returns the algorithm of a name, which may be in any case; nothing if there is none.
std::optional<Compression> compression_named(std::string_view name);

/// Returns a body as a compressed frame has it. `body` has at most largest_frame bytes, `compression` is not
/// `none`.
std::string compress(Compression compression, std::string_view body);

/// Returns the body of a frame that was compressed so. Fails if it is damaged, or would have more than `most`
/// bytes, before any memory is taken for it. Takes memory in proportion to `compressed`.
Answer<std::string> decompress(Compression compression, std::string_view compressed, std::size_t most);

}  // namespace dinette::cql::frames
