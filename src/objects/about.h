#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// What a folder store keeps of an object next to its file, as text.
namespace dinette::objects {

/// Which content of a file is meant.
struct FileState {
  std::uint64_t size = 0;
  std::int64_t modified = 0;  ///< in nanoseconds since 1970

  bool operator==(const FileState&) const = default;
};

struct About {
  FileState state;
  std::string etag;
  std::vector<std::pair<std::string, std::string>> headers;
};

/// Returns a line "size modified etag", one line "name: value" per header, an empty line.
std::string text_of(const About& about);

/// Reads several, one after the other; returns the one of that state, if it is among them. What was changed
/// by hand and makes no sense is not there.
std::optional<About> find_about(std::string_view text, const FileState& state);

}  // namespace dinette::objects
