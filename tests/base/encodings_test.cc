#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>

#include <catch2/catch.hpp>

#include "dinette/base/ascii.h"
#include "dinette/base/base64.h"
#include "dinette/base/bytes.h"
#include "dinette/base/compression.h"
#include "dinette/base/crc32.h"
#include "dinette/base/md5.h"
#include "dinette/base/sha1.h"

#include "support/random_seed.h"

namespace dinette::base::encodings_test {
namespace {

using namespace std::string_view_literals;

std::string random_bytes(std::mt19937_64& random, std::size_t size) {
  std::string bytes(size, '\0');
  for (char& c : bytes) c = static_cast<char>(random());
  return bytes;
}

TEST_CASE("base64 encodes the examples of RFC 4648") {
  const std::pair<std::string_view, std::string_view> examples[] = {{"", ""},
                                                                    {"f", "Zg=="},
                                                                    {"fo", "Zm8="},
                                                                    {"foo", "Zm9v"},
                                                                    {"foob", "Zm9vYg=="},
                                                                    {"fooba", "Zm9vYmE="},
                                                                    {"foobar", "Zm9vYmFy"},
                                                                    {"\xfb\xff\xfe"sv, "+//+"}};
  for (const auto& [bytes, text] : examples) {
    CHECK(base64_encode(bytes) == text);
    CHECK(base64_decode(text) == std::string(bytes));
  }
}

TEST_CASE("md5 digests the examples of RFC 1321") {
  const auto hex = [](std::string_view bytes) {
    std::string text;
    for (const unsigned char byte : md5(bytes)) {
      for (const int digit : {byte >> 4, byte & 15}) text += "0123456789abcdef"[digit];
    }
    return text;
  };
  CHECK(hex("") == "d41d8cd98f00b204e9800998ecf8427e");
  CHECK(hex("abc") == "900150983cd24fb0d6963f7d28e17f72");
  CHECK(hex("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789") ==
        "d174ab98d277d9f5a5611c2c9f419d9f");
  CHECK(hex("12345678901234567890123456789012345678901234567890123456789012345678901234567890") ==
        "57edf4a22be3c955ac49da2e2107b67a");
}

TEST_CASE("md5 of parts is that of the whole") {
  const std::string text(1000, 'x');
  for (const std::size_t part : {1, 63, 64, 999, 1000}) {
    Md5 parts;
    for (std::size_t at = 0; at < text.size(); at += part) parts.add(std::string_view(text).substr(at, part));
    CHECK(parts.digest() == md5(text));
  }
  CHECK(Md5().digest() == md5(""));
}

TEST_CASE("base64 decodes only what it encodes") {
  for (const auto text :
       {"Z"sv,        "Zg"sv,      "Zg="sv,      "Zg==="sv, "Zg==Zg=="sv, "Z==="sv,   "===="sv,  "="sv,
        "Zm9v="sv,    "Zm9vYg="sv, "Zm8=Zm9v"sv, "Zm=v"sv,  "=m9v"sv,     "Zm9v\n"sv, "Zm9\n"sv, " Zm9"sv,
        "Zm9v    "sv, "Zm-v"sv,    "Zm_v"sv,     "Zm9\0"sv, "Zm9\xff"sv,  "Zh=="sv,   "Zm9="sv,  "Z g="sv}) {
    INFO(text);
    CHECK(base64_decode(text) == std::nullopt);
  }
}

TEST_CASE("base64 of random bytes decodes to the same bytes, and appending keeps existing text") {
  std::mt19937_64 random(test::random_seed());
  for (std::size_t size = 0; size < 200; ++size) {
    const std::string bytes = random_bytes(random, size);
    std::string text = "before ";
    append_base64(text, bytes);
    REQUIRE(text.substr(0, 7) == "before ");
    REQUIRE(base64_decode(std::string_view(text).substr(7)) == bytes);
  }
}

TEST_CASE("four random characters are base64 if and only if they survive decoding and encoding") {
  std::mt19937_64 random(test::random_seed());
  constexpr std::string_view base64_letters = "ABQgwxz059+/==-_ \n";
  for (int i = 0; i < 20'000; ++i) {
    std::string text(4, '\0');
    for (char& c : text) c = base64_letters[random() % base64_letters.size()];
    const auto bytes = base64_decode(text);
    CAPTURE(text);
    if (bytes) REQUIRE(base64_encode(*bytes) == text);
    const bool letters = text.find_first_of("-_ \n") == std::string::npos;
    if (letters && text.find('=') == std::string::npos) REQUIRE(bytes);
  }
}

TEST_CASE("crc32 is that of gzip") {
  CHECK(crc32("") == 0);
  CHECK(crc32("123456789") == 0xCBF43926u);
  CHECK(crc32("{}") == 2745614147u);
  CHECK(crc32c("") == 0);
  CHECK(crc32c("123456789") == 0xE3069283u);
  CHECK(crc32c("6789", crc32c("12345")) == 0xE3069283u);
  // Whichever vector instructions it uses: another library writes it after a gzip member, in the first four
  // of the last eight bytes.
  std::mt19937_64 random(test::random_seed());
  for (std::size_t size = 0; size < 70'000; size += size < 600 ? 1 : 9'973) {
    const std::string bytes = random_bytes(random, size);
    std::string trailer = compress(Compression::gzip, bytes);
    trailer = trailer.substr(trailer.size() - 8, 4);
    std::reverse(trailer.begin(), trailer.end());
    REQUIRE(crc32(bytes) == load_big_endian<std::uint32_t>(trailer.data()));
  }
}

constexpr std::size_t plenty = 16 << 20;

std::string gzipped(std::string_view bytes) {
  return compress(Compression::gzip, bytes);
}

TEST_CASE("compressed bytes decompress to the original, in both formats") {
  std::mt19937_64 random(test::random_seed());
  for (const Compression format : {Compression::gzip, Compression::zlib}) {
    for (const std::size_t size : {0, 1, 1000, 70'000, 3'000'000}) {
      const std::string noise = random_bytes(random, size);
      CHECK(decompress(format, compress(format, noise), size)->view() == noise);
      const std::string same(size, 'x');
      const std::string compressed = compress(format, same);
      CHECK(compressed.size() < 100 + size / 100);
      CHECK(decompress(format, compressed, size)->view() == same);
    }
  }
  CHECK(gzipped("a").starts_with("\x1f\x8b"));
  CHECK(compress(Compression::zlib, "a").starts_with("\x78"));
}

TEST_CASE("a text of one format is corrupt in the other") {
  CHECK(decompress(Compression::zlib, gzipped("a"), 100).error() == DecompressionError::corrupt);
  CHECK(decompress(Compression::gzip, compress(Compression::zlib, "a"), 100).error() ==
        DecompressionError::corrupt);
}

TEST_CASE("several gzip members decompress to one text") {
  CHECK(decompress(Compression::gzip, gzipped("one ") + gzipped("") + gzipped("two"), 7)->view() ==
        "one two");
}

TEST_CASE("bytes after the last gzip member are ignored") {
  CHECK(decompress(Compression::gzip, gzipped("one") + "two", 100)->view() == "one");
  CHECK(decompress(Compression::zlib, compress(Compression::zlib, "one") + "two", 100)->view() == "one");
  CHECK(decompress(Compression::gzip, gzipped("one") + "\x1f\x8b", 100).error() ==
        DecompressionError::corrupt);
}

TEST_CASE("each gzip member is read once") {
  const std::string empty = gzipped("");
  std::string members;
  for (int i = 0; i < 200'000; ++i) members += empty;
  members += gzipped("the end");
  const auto content = decompress(Compression::gzip, members, plenty);
  CHECK(content->view() == "the end");
  CHECK(content->runs == 200'001);
}

// An earlier version started over with twice the space whenever the output was full, and read such input
// twelve times.
TEST_CASE("input is read once, however large the output") {
  const std::string bytes(plenty, 'x');
  for (const Compression format : {Compression::gzip, Compression::zlib}) {
    const auto content = decompress(format, compress(format, bytes), plenty);
    CHECK(content->view() == bytes);
    CHECK(content->runs == 1);
  }
}

TEST_CASE("the limit of decompression is exact to the byte") {
  const std::string bytes(100'000, 'x');
  for (const Compression format : {Compression::gzip, Compression::zlib}) {
    const std::string compressed = compress(format, bytes);
    CHECK(decompress(format, compressed, 100'000).ok());
    CHECK(decompress(format, compressed, 99'999).error() == DecompressionError::too_large);
    CHECK(decompress(format, compressed, 0).error() == DecompressionError::too_large);
  }
  CHECK(decompress(Compression::gzip, gzipped("") + gzipped("x"), 0).error() ==
        DecompressionError::too_large);
}

TEST_CASE("uncompressed and damaged input is refused") {
  for (const Compression format : {Compression::gzip, Compression::zlib}) {
    const std::string good = compress(format, "some text, some text, some text");
    CHECK(decompress(format, "", 100).error() == DecompressionError::corrupt);
    CHECK(decompress(format, "{}", 100).error() == DecompressionError::corrupt);
    for (std::size_t length = 1; length < good.size(); ++length) {
      REQUIRE(decompress(format, good.substr(0, length), 100).error() == DecompressionError::corrupt);
    }
    std::string damaged = good;
    const std::size_t check_sum = good.size() - (format == Compression::gzip ? 8 : 4);
    damaged[check_sum] ^= 1;
    CHECK(decompress(format, damaged, 100).error() == DecompressionError::corrupt);
  }
}

TEST_CASE("sha1: codes of messages are those of RFC 2202") {
  const auto code = [](std::string_view key, std::string_view bytes) { return hex(hmac_sha1(key, bytes)); };
  CHECK(code(std::string(20, '\x0b'), "Hi There") == "b617318655057264e28bc0b6fb378c8ef146be00");
  CHECK(code("Jefe", "what do ya want for nothing?") == "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79");
  CHECK(code(std::string(80, '\xaa'), "Test Using Larger Than Block-Size Key - Hash Key First") ==
        "aa4ae5e15272d00e95705637ce8a3b55ed402112");
  CHECK(code("", "") == "fbdb1d1b18aa6c08324b7d64b71fb76370690e1d");
  CHECK(hex(sha1("abc")) == "a9993e364706816aba3e25717850c26c9cd0d89d");
}

}  // namespace
}  // namespace dinette::base::encodings_test
