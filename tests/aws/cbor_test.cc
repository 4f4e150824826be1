#include "aws/cbor.h"

#include <array>
#include <cstdint>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "dinette/base/base64.h"

#include "support/cbor.h"
#include "support/random_seed.h"

// Requests from CBOR to JSON and responses back: docs/service/wire.md section 10.
namespace test::cbor_test {
namespace {

namespace aws = dinette::aws;
using Json = nlohmann::json;
using Random = std::mt19937_64;

constexpr std::size_t ample = 1 << 20;

std::string bytes_of(std::string_view hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
  return bytes;
}

std::string hex_of(std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string hex;
  for (const char c : bytes) {
    hex += digits[static_cast<unsigned char>(c) >> 4];
    hex += digits[static_cast<unsigned char>(c) & 15];
  }
  return hex;
}

/// The JSON, or the reason why there is none and where.
std::string read(std::string_view cbor, const aws::CborRules& rules = {.most_json_bytes = ample}) {
  std::string json;
  const auto error = aws::cbor_to_json(cbor, rules, json);
  return error ? std::string(error->reason) + " at " + std::to_string(error->byte) : json;
}
std::string read_hex(std::string_view hex, const aws::CborRules& rules = {.most_json_bytes = ample}) {
  return read(bytes_of(hex), rules);
}
bool is_refused(std::string_view cbor, const aws::CborRules& rules = {.most_json_bytes = ample}) {
  std::string json;
  return aws::cbor_to_json(cbor, rules, json).has_value();
}

std::string write(std::string_view json, const aws::OutputShape* shape = nullptr,
                  aws::CborTime time = aws::CborTime::seconds) {
  simdjson::dom::parser parser;
  std::string cbor;
  aws::json_to_cbor(parser.parse(simdjson::padded_string(json)).value(), shape, time, cbor);
  return cbor;
}

}  // namespace

// The numbers and texts are those of RFC 8949, appendix A.
TEST_CASE("values of CBOR are the same in JSON") {
  const std::vector<std::pair<const char*, const char*>> values = {
      {"00", "0"},
      {"17", "23"},
      {"1818", "24"},
      {"1903e8", "1000"},
      {"1a000f4240", "1000000"},
      {"1b000000e8d4a51000", "1000000000000"},
      {"1bffffffffffffffff", "18446744073709551615"},
      {"20", "-1"},
      {"3903e7", "-1000"},
      {"3b7fffffffffffffff", "-9223372036854775808"},
      {"f90000", "0"},
      {"f98000", "-0"},
      {"f93c00", "1"},
      {"f93e00", "1.5"},
      {"f97bff", "65504"},
      {"f90001", "5.960464477539063e-08"},
      {"f90400", "6.103515625e-05"},
      {"f9c400", "-4"},
      {"fa47c35000", "1e+05"},
      {"fa7f7fffff", "3.4028234663852886e+38"},
      {"fb3ff199999999999a", "1.1"},
      {"fb7e37e43c8800759c", "1e+300"},
      {"fb4415af1d78b58c40", "1e+20"},
      {"fbc010666666666666", "-4.1"},
      {"f4", "false"},
      {"f5", "true"},
      {"f6", "null"},
      {"f7", "null"},
      {"40", R"("")"},
      {"4401020304", R"("AQIDBA==")"},
      {"60", R"("")"},
      {"6449455446", R"("IETF")"},
      {"62225c", R"("\"\\")"},
      {"62c3bc", "\"\xc3\xbc\""},
      {"80", "[]"},
      {"83010203", "[1,2,3]"},
      {"8301820203820405", "[1,[2,3],[4,5]]"},
      {"a0", "{}"},
      {"a26161016162820203", R"({"a":1,"b":[2,3]})"},
      {"826161a161626163", R"(["a",{"b":"c"}])"},
      {"5f42010243030405ff", R"("AQIDBAU=")"},
      {"5fff", R"("")"},
      {"7f657374726561646d696e67ff", R"("streaming")"},
      {"9fff", "[]"},
      {"9f018202039f0405ffff", "[1,[2,3],[4,5]]"},
      {"bf61610161629f0203ffff", R"({"a":1,"b":[2,3]})"},
      {"bf7f6161616bff01ff", R"({"ak":1})"},
  };
  for (const auto& [hex, json] : values) {
    INFO(hex);
    CHECK(read_hex(hex) == json);
  }
}

TEST_CASE("times become epoch seconds") {
  const aws::CborRules in_milliseconds{.time = aws::CborTime::milliseconds, .most_json_bytes = ample};
  CHECK(read_hex("c11a514b67b0") == "1363896240");
  CHECK(read_hex("c1fb41d452d9ec200000") == "1363896240.5");
  CHECK(read_hex("c120") == "-1");
  CHECK(read_hex("c11b0000013d8e921180") == "1363896570240");
  CHECK(read_hex("c11b0000013d8e921180", in_milliseconds) == "1363896570.24");
  CHECK(read_hex("c13903e7", in_milliseconds) == "-1");
  CHECK(read_hex("c1f93c00", in_milliseconds) == "0.001");
}

TEST_CASE("what services do not read is refused, with the place") {
  const std::vector<std::pair<const char*, const char*>> values = {
      {"", "it ends too soon at 0"},
      {"0000", "bytes after the value at 0"},
      {"82016161f6", "bytes after the value at 2"},
      {"a10102", "a key that is no text at 1"},
      {"a1414102", "a key that is no text at 1"},
      {"bff6ff", "a key that is no text at 1"},
      {"a26161018061", "a key that is no text at 4"},
      {"c074323031332d30332d32315432303a30343a30305a", "an unknown tag at 0"},
      {"c249010000000000000000", "an unknown tag at 0"},
      {"8201d9d9f700", "an unknown tag at 2"},
      {"c16161", "a time that is no number at 0"},
      {"c1c100", "a time that is no number at 0"},
      {"c1f6", "a time that is no number at 0"},
      {"c1f97c00", "a time that is no number at 0"},
      {"f97c00", "an unknown simple value, or a float that is no number at 0"},
      {"f97e00", "an unknown simple value, or a float that is no number at 0"},
      {"fa7f800000", "an unknown simple value, or a float that is no number at 0"},
      {"fbfff0000000000000", "an unknown simple value, or a float that is no number at 0"},
      {"e0", "an unknown simple value, or a float that is no number at 0"},
      {"f8ff", "an unknown simple value, or a float that is no number at 0"},
      {"f814", "an unknown simple value, or a float that is no number at 0"},
      {"3b8000000000000000", "an integer that is too small at 0"},
      {"1c", "a reserved length at 0"},
      {"1d", "a reserved length at 0"},
      {"fe", "a reserved length at 0"},
      {"1f", "an end without a beginning at 0"},
      {"df00", "an end without a beginning at 0"},
      {"ff", "an end without a beginning at 0"},
      {"81ff", "an end without a beginning at 1"},
      {"bf6161ff", "an end without a beginning at 3"},
      {"7f4161ff", "a piece that is of no such string at 0"},
      {"7f7f6161ffff", "a piece that is of no such string at 0"},
      {"5f6161ff", "a piece that is of no such string at 0"},
      {"5f", "it ends too soon at 0"},
      {"9f", "it ends too soon at 1"},
      {"5bffffffffffffffff00", "it ends too soon at 0"},
      {"7bffffffffffffffff00", "it ends too soon at 0"},
      {"9bffffffffffffffff00", "it ends too soon at 10"},
      {"bbffffffffffffffff616100", "it ends too soon at 12"},
  };
  for (const auto& [hex, reason] : values) {
    INFO(hex);
    CHECK(read_hex(hex) == reason);
  }
}

TEST_CASE("a value that is cut short anywhere is refused") {
  const std::string whole = bytes_of(
      "bf6161190400616281fb3ff199999999999a6163430102036164a1616582c11a514b67b0f66166"
      "5f42010243030405ff61677f6161ff6168f93c00ff");
  REQUIRE(read(whole) ==
          R"({"a":1024,"b":[1.1],"c":"AQID","d":{"e":[1363896240,null]},"f":"AQIDBAU=","g":"a","h":1})");
  for (std::size_t size = 0; size < whole.size(); ++size) {
    INFO(size);
    CHECK(is_refused(std::string_view(whole).substr(0, size)));
  }
}

TEST_CASE("only members for bytes take byte strings, if it is said which these are") {
  constexpr std::array<std::string_view, 2> names{"B", "BS"};
  const aws::CborRules rules{.blob_members = names, .most_json_bytes = ample};
  CHECK(read_hex("a161424101", rules) == R"({"B":"AQ=="})");
  CHECK(read_hex("a162425381410140", rules) != R"({"BS":["AQ=="]})");
  CHECK(read_hex("a16242538141010", rules) == R"({"BS":["AQ=="]})");
  CHECK(read_hex("a1624253824101a16142415a", rules) == R"({"BS":["AQ==",{"B":"Wg=="}]})");
  for (const char* hex : {"a161534101", "a16153814101", "4101", "814101", "a16142a161534101"}) {
    INFO(hex);
    CHECK(read_hex(hex, rules).starts_with("bytes where none may be"));
    CHECK_FALSE(is_refused(bytes_of(hex)));
  }
}

TEST_CASE("lists and maps are nested as deep as JSON may be, and no deeper") {
  const auto nested = [](std::size_t levels, std::string_view open, std::string_view close) {
    std::string text;
    for (std::size_t i = 0; i < levels; ++i) text += open;
    text += '\x01';
    for (std::size_t i = 0; i < levels; ++i) text += close;
    return text;
  };
  for (const auto& [open, close] : std::vector<std::pair<std::string, std::string>>{
           {"\x81", ""}, {"\x9f", "\xff"}, {"\xa1\x61\x61", ""}, {"\xbf\x61\x61", "\xff"}}) {
    INFO(hex_of(open));
    CHECK_FALSE(is_refused(nested(aws::json_levels, open, close)));
    CHECK(is_refused(nested(aws::json_levels + 1, open, close)));
    CHECK(is_refused(nested(1'000'000, open, close)));
  }
  CHECK(is_refused(std::string(1'000'000, '\xc1')));
}

TEST_CASE("the JSON never becomes longer than it may") {
  constexpr std::size_t most = 1000;
  const aws::CborRules rules{.most_json_bytes = most};
  const auto list_of = [](std::string_view value, std::size_t count) {
    std::string list = "\x9f";
    for (std::size_t i = 0; i < count; ++i) list += value;
    return list + "\xff";
  };
  const auto text_of = [](std::size_t size, char c) {
    return "\x79" + std::string{static_cast<char>(size >> 8), static_cast<char>(size & 0xff)} +
           std::string(size, c);
  };
  CHECK_FALSE(is_refused(text_of(most - 40, 'a'), rules));
  CHECK_FALSE(is_refused(list_of(std::string(1, '\x01'), most / 2 - 40), rules));
  const std::vector<std::string> long_ones = {
      text_of(most, 'a'),
      text_of(most / 5, '\x01'),
      text_of(most / 2, '"'),
      list_of("\x01", 2 * most),
      list_of("\x80", 2 * most),
      list_of(bytes_of("fb7e37e43c8800759c"), 2 * most),
      list_of(bytes_of("c1fb41d452d9ec200000"), 2 * most),
      list_of(bytes_of("44ffffffff"), most),
      "\x59" + bytes_of("03e8") + std::string(1000, 'x'),
      "\xa1\x79" + bytes_of("03e8") + std::string(1000, 'x') + "\x01",
  };
  for (const std::string& cbor : long_ones) {
    std::string json = "before";
    const auto error = aws::cbor_to_json(cbor, rules, json);
    INFO(hex_of(cbor).substr(0, 40));
    REQUIRE(error);
    CHECK(error->reason == "too long");
    CHECK(json.size() <= most + std::string("before").size());
  }
}

TEST_CASE("names may repeat, as in JSON") {
  CHECK(read_hex("a2616101616102") == R"({"a":1,"a":2})");
}

namespace {

/// Values of every kind that JSON and CBOR share, and bytes.
class RandomJson {
 public:
  explicit RandomJson(Random& random) : random_(random) {}

  Json object(int depth = 0) {
    Json made = Json::object();
    for (std::size_t i = pick(5); i > 0; --i) made[text()] = value(depth + 1);
    return made;
  }

 private:
  std::size_t pick(std::size_t count) { return random_() % count; }

  Json value(int depth) {
    switch (pick(depth > 4 ? 7 : 9)) {
      case 0:
        return nullptr;
      case 1:
        return pick(2) == 0;
      case 2:
        return static_cast<std::int64_t>(random_() >> pick(64));
      case 3:
        return random_() >> pick(64);
      case 4:
        return number();
      case 5:
        return text();
      case 6:
        return Json::binary(bytes(pick(300)));
      case 7:
        return list(depth);
      default:
        return object(depth);
    }
  }

  Json list(int depth) {
    Json made = Json::array();
    for (std::size_t i = pick(10); i > 0; --i) made.push_back(value(depth + 1));
    return made;
  }

  double number() {
    const double fraction = std::uniform_real_distribution<double>(-1, 1)(random_);
    return pick(2) == 0 ? static_cast<double>(static_cast<float>(fraction)) : fraction * 1e10;
  }

  std::vector<std::uint8_t> bytes(std::size_t size) {
    std::vector<std::uint8_t> made(size);
    for (auto& byte : made) byte = static_cast<std::uint8_t>(random_());
    return made;
  }

  std::string text() {
    static const std::vector<std::string> letters = {
        "a", "B", "0", "\"", "\\", "\n", std::string(1, '\0'), "\x1f", "/", "ü", "€", "😀", "\x7f"};
    std::string made;
    for (std::size_t i = pick(pick(50) == 0 ? 300 : 8); i > 0; --i) made += letters[pick(letters.size())];
    return made;
  }

  Random& random_;
};

/// Bytes in base64, as JSON has them.
Json as_text(const Json& value) {
  if (value.is_binary()) {
    const auto& bytes = value.get_binary();
    return dinette::base::base64_encode({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }
  if (!value.is_structured()) return value;
  Json made = value.is_array() ? Json::array() : Json::object();
  for (const auto& [name, inner] : value.items()) {
    if (value.is_array()) made.push_back(as_text(inner));
    if (value.is_object()) made[name] = as_text(inner);
  }
  return made;
}

}  // namespace

TEST_CASE("what another library writes reads as the same JSON") {
  Random random(dinette::test::random_seed());
  for (int i = dinette::test::rounds_of(1000); i > 0; --i) {
    const Json value = RandomJson(random).object();
    const Json expected = as_text(value);
    INFO(expected.dump());
    const std::string json = read(in_cbor(value));
    REQUIRE(Json::parse(json, nullptr, false) == expected);
  }
}

TEST_CASE("what is written reads as the same with another library") {
  Random random(dinette::test::random_seed());
  for (int i = dinette::test::rounds_of(1000); i > 0; --i) {
    const Json value = as_text(RandomJson(random).object());
    const std::string text = value.dump();
    INFO(text);
    REQUIRE(Json::from_cbor(write(text)) == value);
    REQUIRE(Json::parse(read(write(text))) == value);
  }
}

TEST_CASE("bytes that were changed at random are refused, or become JSON but for its UTF-8") {
  Random random(dinette::test::random_seed());
  simdjson::dom::parser parser;
  for (int i = dinette::test::rounds_of(5000); i > 0; --i) {
    std::string cbor = in_cbor(RandomJson(random).object());
    for (std::size_t change = random() % 4 + 1; change > 0; --change)
      cbor[random() % cbor.size()] = static_cast<char>(random());
    std::string json;
    if (aws::cbor_to_json(cbor, {.most_json_bytes = ample}, json)) continue;
    const auto failed = parser.parse(json).error();
    INFO(hex_of(cbor) << " " << json);
    REQUIRE((failed == simdjson::SUCCESS || failed == simdjson::UTF8_ERROR));
  }
}

TEST_CASE("numbers are written in as few bytes as they need") {
  const std::vector<std::pair<const char*, const char*>> values = {
      {"23", "17"},
      {"24", "1818"},
      {"255", "18ff"},
      {"256", "190100"},
      {"65535", "19ffff"},
      {"65536", "1a00010000"},
      {"4294967295", "1affffffff"},
      {"4294967296", "1b0000000100000000"},
      {"18446744073709551615", "1bffffffffffffffff"},
      {"-1", "20"},
      {"-256", "38ff"},
      {"-257", "390100"},
      {"-9223372036854775808", "3b7fffffffffffffff"},
      {"1.0", "fa3f800000"},
      {"0.5", "fa3f000000"},
      {"0.1", "fb3fb999999999999a"},
      {"1e300", "fb7e37e43c8800759c"},
  };
  for (const auto& [json, hex] : values) {
    INFO(json);
    CHECK(hex_of(write(json)) == hex);
  }
}

TEST_CASE("maps and lists have indefinite lengths, and strings have definite ones") {
  CHECK(hex_of(write(R"({"a":[true,false,null,""]})")) == "bf61619ff5f4f660ffff");
  CHECK(hex_of(write('"' + std::string(24, 'x') + '"')) == "7818" + hex_of(std::string(24, 'x')));
}

TEST_CASE("times and bytes are written as such where the shape says so, and nowhere else") {
  using Kind = aws::OutputShape::Kind;
  static constexpr aws::OutputShape blobs{.kind = Kind::list, .element = &aws::blob_output};
  static constexpr aws::OutputShape times{.kind = Kind::map, .element = &aws::timestamp_output};
  static constexpr std::array<aws::OutputMember, 4> members{
      {{"When", &aws::timestamp_output}, {"Data", &aws::blob_output}, {"More", &blobs}, {"Each", &times}}};
  static constexpr aws::OutputShape shape{.kind = Kind::structure, .members = members};

  CHECK(hex_of(write(R"({"When":1363896240})", &shape)) == "bf645768656ec11a514b67b0ff");
  CHECK(hex_of(write(R"({"When":1363896240.500})", &shape)) == "bf645768656ec1fb41d452d9ec200000ff");
  CHECK(hex_of(write(R"({"When":1363896240.0})", &shape)) == "bf645768656ec11a514b67b0ff");
  CHECK(hex_of(write(R"({"When":1363896570.24})", &shape, aws::CborTime::milliseconds)) ==
        "bf645768656ec11b0000013d8e921180ff");
  CHECK(hex_of(write(R"({"Each":{"x":0}})", &shape, aws::CborTime::milliseconds)) ==
        "bf6445616368bf6178c100ffff");
  CHECK(hex_of(write(R"({"Data":"AQID"})", &shape)) == "bf644461746143010203ff");
  CHECK(hex_of(write(R"({"More":["AQ==",""]})", &shape)) == "bf644d6f72659f410140ffff");
  CHECK(hex_of(write(R"({"Then":1,"data":"AQID"})", &shape)) == "bf645468656e0164646174616441514944ff");
  CHECK(hex_of(write(R"({"Data":null,"More":"AQ=="})", &shape)) == "bf6444617461f6644d6f72656441513d3dff");
  CHECK(hex_of(write(R"({"Data":"no base64"})", &shape)) == "bf6444617461696e6f20626173653634ff");
}

}  // namespace test::cbor_test
