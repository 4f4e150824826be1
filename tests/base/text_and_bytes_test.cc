// ASCII, UTF-8, big-endian numbers, prefix ends.

#include <catch2/catch.hpp>

#include "dinette/base/ascii.h"
#include "dinette/base/bytes.h"
#include "dinette/base/secret.h"
#include "dinette/base/utf8.h"

namespace dinette::base::text_and_bytes_test {

TEST_CASE("ascii: character classes have no characters beyond ASCII") {
  std::string digits;
  std::string letters;
  std::string words;
  for (int code = 0; code < 256; ++code) {
    const char c = static_cast<char>(code);
    if (is_digit(c)) digits += c;
    if (is_letter(c)) letters += c;
    if (is_word_character(c)) words += c;
  }
  const std::string upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  const std::string lower = "abcdefghijklmnopqrstuvwxyz";
  CHECK(digits == "0123456789");
  CHECK(letters == upper + lower);
  CHECK(words == digits + upper + "_" + lower);
}

TEST_CASE("ascii: upper and lower case") {
  CHECK(to_upper('a') == 'A');
  CHECK(to_upper('z') == 'Z');
  for (const char c : {'A', '`', '{', '0', '\xE9'}) CHECK(to_upper(c) == c);
  CHECK(equal_ignoring_case("Content-Type", "CONTENT-type"));
  CHECK_FALSE(equal_ignoring_case("a", "ab"));
  CHECK_FALSE(equal_ignoring_case("a_", "a?"));
}

TEST_CASE("utf-8: length in UTF-16 code units") {
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

TEST_CASE("utf8: a long text is shortened to whole characters") {
  CHECK(shortened("abc", 3) == "abc");
  CHECK(shortened("abcd", 3) == "abc...");
  CHECK(shortened("a\u00e9b", 2) == "a...");
  CHECK(shortened("\u20ac", 2) == "...");
  CHECK(shortened("", 0).empty());
}

TEST_CASE("utf8: well-formed text is itself") {
  for (const char* text : {"", "a", "\u00e9\u20ac", "\U0001F600", "\n\x7F", "\uFFFD"}) {
    CHECK(is_utf8(text));
    CHECK(valid_utf8(text) == text);
  }
}

TEST_CASE("utf8: what is not ASCII is seen at each place of a long text") {
  for (std::size_t place = 0; place < 20; ++place) {
    std::string text(20, 'a');
    CHECK(is_utf8(text));
    CHECK(is_utf8(text.insert(place, "\u00e9")));
    text[place] = '\x80';
    CHECK_FALSE(is_utf8(text));
  }
}

TEST_CASE("utf8: what is not well-formed is replaced, and nothing else") {
  const std::string replaced = "\uFFFD";
  CHECK(valid_utf8("a\xFFz") == "a" + replaced + "z");
  CHECK(valid_utf8("\xC3") == replaced);                        // cut off
  CHECK(valid_utf8("\xE2\x82z") == replaced + replaced + "z");  // cut off before another character
  CHECK(valid_utf8("\xC0\x80") == replaced + replaced);         // overlong
  CHECK(valid_utf8("\xED\xA0\x80").starts_with(replaced));      // a surrogate
  CHECK(valid_utf8("\xF4\x90\x80\x80").starts_with(replaced));  // beyond U+10FFFF
  for (const char* text : {"\xFF", "a\xC3", "\xC0\x80", "\xED\xA0\x80"}) CHECK_FALSE(is_utf8(text));
}

TEST_CASE("utf8: what is not well-formed is found wherever it is") {
  const std::string ascii(20, 'a');
  for (std::size_t place = 0; place <= ascii.size(); ++place) {
    CAPTURE(place);
    CHECK(is_utf8(std::string(ascii).insert(place, "\u00e9\u8868")));
    CHECK_FALSE(is_utf8(std::string(ascii).insert(place, "\xE9")));
  }
}

TEST_CASE("utf8: printable text has one line and moves no cursor") {
  CHECK(printable("pk = 'a b' \u00e9") == "pk = 'a b' \u00e9");
  CHECK(printable("a\nb\rc\td\\e") == R"(a\nb\rc\td\\e)");
  CHECK(printable("\x1B[2J\x7F") == R"(\u001b[2J\u007f)");
  CHECK(printable(std::string("\0", 1)) == R"(\u0000)");
  CHECK(printable("\u0085\u2028\u202e\u2066") == R"(\u0085\u2028\u202e\u2066)");
  CHECK(printable("\xFF") == "\uFFFD");
}

TEST_CASE("a secret has 128 bits, and is another each time") {
  const std::string secret = make_secret();
  CHECK(secret.size() == 32);
  CHECK(secret.find_first_not_of("0123456789abcdef") == std::string::npos);
  CHECK(secret != make_secret());
}

}  // namespace dinette::base::text_and_bytes_test
