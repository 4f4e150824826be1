#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <zstd.h>

#include "dinette/base/compression.h"
#include "dinette/base/gunzip.h"
#include "dinette/base/unzstd.h"

namespace dinette::base::unpacking_test {
namespace {

/// Text that compresses, but not to nothing.
std::string some_text(std::size_t size) {
  std::string text;
  for (unsigned i = 0; text.size() < size; ++i) text += std::to_string(i * 2654435761U) + " and so on\n";
  text.resize(size);
  return text;
}

/// A format: what unpacks it, and how a member of it is made.
struct Gzip {
  using Unpacker = Gunzip;
  static std::string packed(std::string_view text) { return compress(Compression::gzip, text); }
};

struct Zstd {
  using Unpacker = Unzstd;
  /// With a check sum at its end.
  static std::string packed(std::string_view text) {
    const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> compressor(ZSTD_createCCtx(), &ZSTD_freeCCtx);
    ZSTD_CCtx_setParameter(compressor.get(), ZSTD_c_checksumFlag, 1);
    std::string out(ZSTD_compressBound(text.size()), '\0');
    out.resize(ZSTD_compress2(compressor.get(), out.data(), out.size(), text.data(), text.size()));
    return out;
  }
};

/// What comes of `file` in parts and rooms of these sizes; nothing if it is corrupt or not whole.
template <class Format>
std::optional<std::string> unpacked(std::string_view file, std::size_t part_size, std::size_t room_size) {
  typename Format::Unpacker unpacker;
  std::vector<char> room(room_size);
  std::string out;
  for (std::size_t at = 0; at < file.size(); at += part_size) {
    unpacker.give(file.substr(at, part_size));
    for (;;) {
      const auto got = unpacker.take(room);
      if (!got) return std::nullopt;
      if (*got == 0) break;
      out.append(room.data(), *got);
    }
  }
  return unpacker.complete() ? std::optional(out) : std::nullopt;
}

TEMPLATE_TEST_CASE("a file comes out as it went in, whatever the sizes of parts and rooms", "", Gzip, Zstd) {
  const std::size_t part = GENERATE(1, 7, 4096, 1 << 20);
  const std::size_t room = GENERATE(1, 5, 4096, 1 << 20);
  for (const std::size_t size : {0, 1, 100, 70'000}) {
    INFO(size << " bytes, parts of " << part << ", rooms of " << room);
    CHECK(unpacked<TestType>(TestType::packed(some_text(size)), part, room) == some_text(size));
  }
}

TEMPLATE_TEST_CASE("members follow each other", "", Gzip, Zstd) {
  const std::size_t part = GENERATE(1, 1000, 1 << 20);
  const std::string file = TestType::packed("one, ") + TestType::packed("") +
                           TestType::packed(some_text(50'000)) + TestType::packed(" three");
  CHECK(unpacked<TestType>(file, part, 100) == "one, " + some_text(50'000) + " three");
}

TEMPLATE_TEST_CASE("an empty file is whole, and empty", "", Gzip, Zstd) {
  CHECK(typename TestType::Unpacker().complete());
  CHECK(unpacked<TestType>("", 1, 1) == "");
}

TEMPLATE_TEST_CASE("a file that is cut anywhere is not whole", "", Gzip, Zstd) {
  const std::string file = TestType::packed(some_text(300));
  for (std::size_t size = 1; size < file.size(); ++size) {
    INFO(size << " of " << file.size() << " bytes");
    CHECK(unpacked<TestType>(file.substr(0, size), 4096, 4096) == std::nullopt);
  }
}

TEMPLATE_TEST_CASE("what is not of the format, or is followed by something else, is corrupt", "", Gzip,
                   Zstd) {
  CHECK(unpacked<TestType>("{\"Item\":{}}\n", 4096, 4096) == std::nullopt);
  CHECK(unpacked<TestType>(TestType::packed("text") + "rest of something", 4096, 4096) == std::nullopt);
}

TEST_CASE("a changed byte of gzip is noticed") {
  const std::string text = some_text(300);
  const std::string file = Gzip::packed(text);
  for (std::size_t at = 0; at < file.size(); ++at) {
    // Bytes 4 to 9 of the header are a time, hints, and the operating system (RFC 1952 section 2.3.1).
    if (at >= 4 && at <= 9) continue;
    INFO("byte " << at << " of " << file.size());
    std::string changed = file;
    changed[at] = static_cast<char>(changed[at] ^ 0x55);
    CHECK(unpacked<Gzip>(changed, 4096, 4096) != text);
  }
}

TEST_CASE("a changed byte of Zstandard is noticed") {
  const std::string text = some_text(300);
  const std::string file = Zstd::packed(text);
  for (std::size_t at = 0; at < file.size(); ++at) {
    INFO("byte " << at << " of " << file.size());
    std::string changed = file;
    changed[at] = static_cast<char>(changed[at] ^ 0x55);
    CHECK(unpacked<Zstd>(changed, 4096, 4096) != text);
  }
}

TEST_CASE("a Zstandard window of more than 128 MiB is refused") {
  // RFC 8878 section 3.1.1: the magic number, a descriptor that says nothing, the window, the last block,
  // empty.
  const auto frame = [](char window) {
    return std::string("\x28\xb5\x2f\xfd\0", 5) + window + std::string("\x01\0\0", 3);
  };
  CHECK(unpacked<Zstd>(frame('\x88'), 4096, 4096) == "");            // 2^27
  CHECK(unpacked<Zstd>(frame('\x90'), 4096, 4096) == std::nullopt);  // 2^28
}

}  // namespace
}  // namespace dinette::base::unpacking_test
