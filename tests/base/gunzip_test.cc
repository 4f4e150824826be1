#include "dinette/base/gunzip.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "dinette/base/compression.h"

namespace dinette::base::gunzip_test {
namespace {

/// Text that compresses, but not to nothing.
std::string some_text(std::size_t size) {
  std::string text;
  for (unsigned i = 0; text.size() < size; ++i) text += std::to_string(i * 2654435761U) + " and so on\n";
  text.resize(size);
  return text;
}

std::string gzip(std::string_view text) {
  return compress(Compression::gzip, text);
}

/// What comes of `file` in parts and rooms of these sizes; nothing if it is corrupt or not whole.
std::optional<std::string> unpacked(std::string_view file, std::size_t part_size, std::size_t room_size) {
  Gunzip gunzip;
  std::vector<char> room(room_size);
  std::string out;
  for (std::size_t at = 0; at < file.size(); at += part_size) {
    gunzip.give(file.substr(at, part_size));
    for (;;) {
      const auto got = gunzip.take(room);
      if (!got) return std::nullopt;
      if (*got == 0) break;
      out.append(room.data(), *got);
    }
  }
  return gunzip.complete() ? std::optional(out) : std::nullopt;
}

TEST_CASE("a file comes out as it went in, whatever the sizes of parts and rooms") {
  const std::size_t part = GENERATE(1, 7, 4096, 1 << 20);
  const std::size_t room = GENERATE(1, 5, 4096, 1 << 20);
  for (const std::size_t size : {0, 1, 100, 70'000}) {
    INFO(size << " bytes, parts of " << part << ", rooms of " << room);
    CHECK(unpacked(gzip(some_text(size)), part, room) == some_text(size));
  }
}

TEST_CASE("members follow each other") {
  const std::size_t part = GENERATE(1, 1000, 1 << 20);
  const std::string file = gzip("one, ") + gzip("") + gzip(some_text(50'000)) + gzip(" three");
  CHECK(unpacked(file, part, 100) == "one, " + some_text(50'000) + " three");
}

TEST_CASE("an empty file is whole, and empty") {
  CHECK(Gunzip().complete());
  CHECK(unpacked("", 1, 1) == "");
}

TEST_CASE("a file that is cut anywhere is not whole") {
  const std::string file = gzip(some_text(300));
  for (std::size_t size = 1; size < file.size(); ++size) {
    INFO(size << " of " << file.size() << " bytes");
    CHECK(unpacked(file.substr(0, size), 4096, 4096) == std::nullopt);
  }
}

TEST_CASE("a changed byte is noticed") {
  const std::string text = some_text(300);
  const std::string file = gzip(text);
  for (std::size_t at = 0; at < file.size(); ++at) {
    // Bytes 4 to 9 of the header are a time, hints, and the operating system (RFC 1952 section 2.3.1).
    if (at >= 4 && at <= 9) continue;
    INFO("byte " << at << " of " << file.size());
    std::string changed = file;
    changed[at] = static_cast<char>(changed[at] ^ 0x55);
    CHECK(unpacked(changed, 4096, 4096) != text);
  }
}

TEST_CASE("what is no gzip, or is followed by something else, is corrupt") {
  CHECK(unpacked("{\"Item\":{}}\n", 4096, 4096) == std::nullopt);
  CHECK(unpacked(gzip("text") + "rest of something", 4096, 4096) == std::nullopt);
}

}  // namespace
}  // namespace dinette::base::gunzip_test
