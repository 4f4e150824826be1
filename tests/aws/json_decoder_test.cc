#include "dinette/aws/json_decoder.h"

#include <map>

#include <catch2/catch.hpp>

// docs/service/wire.md section 6.
namespace dinette::aws::json_decoder_test {
namespace {

class Decoder : public JsonDecoder<Decoder> {
 public:
  /// Of numbers only the first two are kept.
  template <class Value>
  static constexpr std::size_t kept_elements = std::is_same_v<Value, std::int32_t> ? 2 : 100;
};

/// Reads a text; empty, or the error's message.
template <class Value>
std::string read(std::string_view text, Value& out) {
  simdjson::dom::parser parser;
  JsonElement json;
  REQUIRE(parser.parse(text.data(), text.size()).get(json) == simdjson::SUCCESS);
  const Decoded decoded = Decoder().read(json, out);
  return decoded ? "" : decoded.error().message;
}

template <class Value>
std::string error_of(std::string_view text) {
  Value value{};
  return read(text, value);
}

}  // namespace

TEST_CASE("a wrong type is named by what was found and what was expected") {
  CHECK(error_of<std::string>("5") == "NUMBER_VALUE cannot be converted to String");
  CHECK(error_of<std::string>("true") == "TRUE_VALUE cannot be converted to String");
  CHECK(error_of<std::string>("false") == "FALSE_VALUE cannot be converted to String");
  CHECK(error_of<std::string>("null") == "Unexpected field type");
  CHECK(error_of<std::string>("{}") == "Start of structure or map found where not expected");
  CHECK(error_of<std::string>("[]") == "Start of list found where not expected");
  CHECK(error_of<bool>("\"yes\"") == "STRING_VALUE cannot be converted to Boolean");
  CHECK(error_of<double>("\"1\"") == "STRING_VALUE cannot be converted to Double");
  CHECK(error_of<std::int64_t>("\"1\"") == "STRING_VALUE cannot be converted to Long");
  CHECK(error_of<Timestamp>("\"1\"") == "STRING_VALUE cannot be converted to Timestamp");
  CHECK(error_of<std::vector<std::string>>("\"a\"") == "Unexpected field type");
  CHECK(error_of<Entries<std::string>>("1") == "Unexpected field type");
}

TEST_CASE("blobs are bytes in strict base64") {
  Blob blob;
  CHECK(read("\"AP8=\"", blob).empty());
  CHECK(blob.bytes == std::string("\0\xFF", 2));
  CHECK(read("\"\"", blob).empty());
  CHECK(blob.bytes.empty());
  for (const char* text : {"\"AP8\"", "\"A\"", "\"AP9=\"", "\"A P8=\"", "\"====\""})
    CHECK(error_of<Blob>(text) == "STRING_VALUE cannot be converted to Blob");
  CHECK(error_of<Blob>("5") == "NUMBER_VALUE cannot be converted to Blob");
}

TEST_CASE("fractions are cut off, and numbers beyond a type's range refused") {
  std::int64_t wide = 0;
  CHECK(read("-2.9", wide).empty());
  CHECK(wide == -2);
  CHECK(error_of<std::int64_t>("1e19") == "NUMBER_VALUE cannot be converted to Long");
  CHECK(error_of<std::int32_t>("2147483647").empty());
  CHECK(error_of<std::int32_t>("2147483648") == "NUMBER_VALUE cannot be converted to Integer");
  CHECK(error_of<std::int32_t>("-2147483649") == "NUMBER_VALUE cannot be converted to Integer");
}

TEST_CASE("timestamps are seconds with milliseconds") {
  Timestamp moment;
  CHECK(read("1421866952.0625", moment).empty());
  CHECK(moment.milliseconds == 1'421'866'952'063);
  CHECK(error_of<Timestamp>("1e300") == "NUMBER_VALUE cannot be converted to Timestamp");
}

TEST_CASE("elements that are not kept are nevertheless checked") {
  std::vector<std::int32_t> numbers;
  CHECK(read("[1,2,3,4]", numbers).empty());
  CHECK(numbers == std::vector<std::int32_t>{1, 2});
  CHECK(read("[1,2,3,\"4\"]", numbers) == "STRING_VALUE cannot be converted to Integer");
  std::vector<std::string> texts;
  CHECK(read(R"(["a","b","c"])", texts).empty());
  CHECK(texts.size() == 3);
}

TEST_CASE("of entries with one name the last stays, in its place") {
  Entries<std::string> entries;
  CHECK(read(R"({"a":"1","b":"2","a":"3","c":"4"})", entries).empty());
  CHECK(entries == Entries<std::string>{{"b", "2"}, {"a", "3"}, {"c", "4"}});
}

TEST_CASE("of members with one name the last that is not null counts") {
  simdjson::dom::parser parser;
  JsonObject object;
  const std::string text = R"({"a":1,"a":2,"a":null,"b":null})";
  REQUIRE(parser.parse(text).get(object) == simdjson::SUCCESS);
  CHECK(member_of(object, "a")->get_int64().value() == 2);
  CHECK_FALSE(member_of(object, "b"));
  CHECK_FALSE(member_of(object, "c"));
}

}  // namespace dinette::aws::json_decoder_test
