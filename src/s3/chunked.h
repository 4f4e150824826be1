#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// The content encoding aws-chunked: bytes in chunks, which may be signed, and headers after them.
namespace dinette::s3 {

struct Chunk {
  std::string_view bytes;      ///< empty: the last one
  std::string_view signature;  ///< empty: none
};

struct ChunkedBody {
  std::vector<Chunk> chunks;                                            ///< with the last one
  std::vector<std::pair<std::string_view, std::string_view>> trailers;  ///< as sent

  /// Returns the value of the first trailer of that name, in either case; nothing if there is none.
  std::optional<std::string_view> trailer(std::string_view name) const;
  std::string joined() const;
};

/// Returns views of `body`; nothing if it is not encoded so, or not whole.
std::optional<ChunkedBody> read_chunked(std::string_view body);

}  // namespace dinette::s3
