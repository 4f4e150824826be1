// UTF-8, big-endian numbers, prefix ends.

#include <catch2/catch.hpp>

#include "dinette/base/bytes.h"
#include "dinette/base/utf8.h"

namespace dinette::base::text_and_bytes_test {

TEST_CASE("utf-8: well formed or not") {
  for (const char* good :
       {"", "a", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80", "\xF4\x8F\xBF\xBF", "\xEF\xBF\xBF"}) {
    CHECK(is_utf8(good));
  }
  CHECK(is_utf8(std::string_view("\0", 1)));
  for (const char* bad : {"\x80", "\xC3", "\xC0\x80", "\xE0\x80\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80",
                          "\xFF", "a\xE2\x82"}) {
    CHECK_FALSE(is_utf8(bad));
  }
}

TEST_CASE("utf-8: length as UTF-16 has it") {
  CHECK(utf16_length("") == 0);
  CHECK(utf16_length("abc") == 3);
  CHECK(utf16_length("\xC3\xA9\xE2\x82\xAC") == 2);
  CHECK(utf16_length("a\xF0\x9F\x98\x80") == 3);
}

TEST_CASE("bytes: numbers with the most significant byte first") {
  std::string out;
  append_big_endian(out, std::uint32_t{0x01020304});
  append_big_endian(out, std::uint64_t{0x05060708090A0B0C});
  CHECK(out == "\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0A\x0B\x0C");
  CHECK(load_big_endian<std::uint32_t>(out.data()) == 0x01020304);
  CHECK(load_big_endian<std::uint64_t>(out.data() + 4) == 0x05060708090A0B0C);
  CHECK(load_big_endian<std::uint16_t>(out.data() + 2) == 0x0304);
}

TEST_CASE("bytes: the end of a prefix") {
  CHECK(prefix_end("a") == "b");
  CHECK(prefix_end("a\xFF\xFF") == "b");
  CHECK(prefix_end("a\xFE") == "a\xFF");
  CHECK(prefix_end("\xFF").empty());
  CHECK(prefix_end("").empty());
  CHECK(prefix_end("\x7F") == "\x80");
}

}  // namespace dinette::base::text_and_bytes_test
