#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>

#include <catch2/catch.hpp>
#include <simdjson.h>

#include "dynamodb/api/limits.h"
#include "dynamodb/codec/decoder.h"
#include "dynamodb/codec/record.h"
#include "support/random_seed.h"

// An item to be stored is written as it comes. What it must come to is what reading it into typed values, and
// writing those, comes to: the tests of values and of serialization are about that way.
namespace dinette::dynamodb::codec::new_item_test {
namespace {

using Random = std::mt19937_64;

struct Outcome {
  std::optional<std::string> serialization_error;
  std::optional<std::string> problem;
  bool malformed = false;
  int levels = 0;
  std::string record;

  friend bool operator==(const Outcome&, const Outcome&) = default;
};

template <class Input, class RecordOf>
Outcome read(std::string_view text, model::Generation generation, RecordOf record_of) {
  simdjson::dom::parser parser;
  Decoder decoder(generation, Decoder::Source::request, text.find('\\') != std::string_view::npos);
  Input input;
  Outcome outcome;
  const auto decoded = decoder.read(parser.parse(text.data(), text.size()).value(), input);
  outcome.levels = decoder.deepest_value();
  if (!decoded) {
    outcome.serialization_error = decoded.error().message;
  } else if (input.problem) {
    outcome.problem = input.problem->message;
    outcome.malformed = input.problem->malformed;
  } else {
    outcome.record = record_of(input).view();
  }
  return outcome;
}

void check_as_typed(std::string_view text) {
  CAPTURE(text);
  for (const auto generation : {model::Generation::current, model::Generation::older}) {
    const Outcome written =
        read<NewItemInput>(text, generation, [](const NewItemInput& input) { return input.record; });
    const Outcome typed = read<ItemInput>(text, generation, [](const ItemInput& input) {
      return make_record(input.attributes, model::size_in_bytes(input.attributes));
    });
    CHECK(written.serialization_error == typed.serialization_error);
    CHECK(written.problem == typed.problem);
    REQUIRE(written == typed);
  }
}

/// Values that are right or wrong in all ways that matter to where they end; now and then something else yet.
class RandomItem {
 public:
  explicit RandomItem(Random& random) : random_(random) {}

  std::string text() { return attributes(1); }

 private:
  std::size_t pick(std::size_t count) { return random_() % count; }
  template <std::size_t count>
  std::string one_of(const char* const (&choices)[count]) {
    return choices[pick(count)];
  }

  std::string name() {
    if (pick(200) == 0) return one_of({R"("")", R"("__type")"});
    return one_of(
        {R"("a")", R"("b")", R"("c")", R"("d")", R"("bb")", "\"\xC3\xA9\"", R"("q\"")", R"("\u0061")"});
  }

  std::string attributes(int depth) {
    std::string text = "{";
    for (std::size_t left = pick(5); left > 0; --left)
      text += name() + ":" + value(depth) + (left > 1 ? "," : "");
    return text + "}";
  }

  std::string value(int depth) {
    if (pick(100) == 0)
      return one_of({"{}", "[]", "null", "1", R"({"S":"a","N":"1"})", R"({"S":null})", R"({"X":"a"})",
                     R"({"S":1})", R"({"N":1})", R"({"BOOL":"true"})", R"({"M":[]})", R"({"L":{}})"});
    switch (pick(depth > 4 ? 7 : 10)) {
      case 0:
        return R"({"N":)" + one_of({R"("1")", R"("-0")", R"("+1.50e3")", R"("1e125")", R"("007")"}) + "}";
      case 1:
        return pick(20) > 0 ? R"({"NULL":true})"
                            : one_of({R"({"NULL":false})", R"({"N":"x"})", R"({"N":"1e126"})"});
      case 2:
        return one_of({R"({"BOOL":true})", R"({"BOOL":false})"});
      case 3:
        return one_of({R"({"B":"AAE="})", R"({"B":""})", R"({"B":"!"})"});
      case 4:
        return one_of(
            {R"({"SS":["b","a"]})", R"({"NS":["2","10"]})", R"({"BS":["AQ==","AA=="]})", R"({"SS":[]})"});
      case 5:
      case 6:
        return R"({"S":)" +
               one_of({R"("x")", R"("")", R"("line\nend")", R"("\u0001\u00e9\/")", "\"\xF0\x9F\x8D\x94\""}) +
               "}";
      case 7:
        return R"({"L":[)" + value(depth + 1) + (pick(2) == 0 ? "," + value(depth + 1) : "") + "]}";
      default:
        return R"({"M":)" + attributes(depth + 1) + "}";
    }
  }

  Random& random_;
};

TEST_CASE("an item is written as it would be by way of typed values") {
  for (
      const std::string_view text :
      {R"({})", R"({"a":{"S":"x"}})", R"({"b":{"N":"+1.50e1"},"a":{"S":"x \"quoted\" \u0001 \u00e9"}})",
       R"({"a\"b":{"BOOL":true},"B":{"B":"AAE="},"l":{"L":[{"M":{"z":{"NULL":true},"y":{"SS":["b","a"]}}}]}})",
       R"({"twice":{"N":"1"},"a":{"S":""},"twice":{"S":"the last counts"},"z":{"NS":["2","10","1"]}})",
       R"({"m":{"M":{"a":{"S":"in order"},"b":{"M":{}},"c":{"N":"0010"}}}})",
       R"({"m":{"M":{"b":{"S":"1"},"a":{"S":"2"}}}})", R"({"m":{"M":{"a":{"S":"1"},"a":{"S":"2"}}}})",
       R"({"a":{"N":"x"},"b":{}})", R"({"m":{"M":{"a":{"N":""},"b":{"S":"x","N":"1"}}}})",
       R"({"m":{"M":{"":{"S":"x"}}},"b":{"N":"x"}})", R"({"":{"S":"x"}})", R"({"a":{}})",
       R"({"m":{"M":{"a":{"N":"x"},"b":{"S":1}}}})", R"({"m":{"M":{"__type":{"S":"x"}}}})"}) {
    check_as_typed(text);
  }
}

TEST_CASE("however deep it nests, up to what is too deep, and beyond") {
  const std::string too_long(model::limits::attribute_name_bytes + 1, 'n');
  check_as_typed(R"({")" + too_long + R"(":{"S":"x"}})");
  check_as_typed(R"({"m":{"M":{")" + too_long + R"(":{"S":"x"}}}})");
  for (int levels = 1; levels <= model::limits::nesting_levels + 3; ++levels) {
    std::string maps = R"({"S":"x"})";
    std::string lists = R"({"S":"x"})";
    for (int level = 1; level < levels; ++level) {
      maps = R"({"M":{"a":)" + maps + "}}";
      lists = R"({"L":[)" + lists + "]}";
    }
    check_as_typed(R"({"deep":)" + maps + "}");
    check_as_typed(R"({"deep":)" + lists + "}");
  }
}

kv::Value record_of_too_large(const std::string& text) {
  simdjson::dom::parser parser;
  Decoder decoder(model::Generation::current);
  NewItemInput input;
  REQUIRE(decoder.read(parser.parse(text).value(), input));
  CHECK(record_size(input.record.view()) > model::limits::item_bytes);
  return std::move(input.record);
}

TEST_CASE("what makes an item too large is counted, but not written") {
  std::string numbers = R"({"N":"1e125"})";
  for (int i = 1; i < 200'000; ++i) numbers += R"(,{"N":"1e125"})";
  for (const std::string& text : {R"({"a":{"L":[)" + numbers + "]}}",
                                  R"({"a":{"M":{"a":{"L":[)" + numbers + R"(]},"b":{"SS":["x"]}}}})"}) {
    CHECK(record_of_too_large(text).size() < 100);
  }
}

TEST_CASE("beyond what makes an item too large numbers are not written out") {
  std::string attributes = R"("a":{"S":")" + std::string(model::limits::item_bytes, 'x') + R"("})";
  for (int i = 100'000; i < 200'000; ++i) attributes += ",\"" + std::to_string(i) + R"(":{"N":"1e125"})";
  const std::string nested = R"({"m":{"M":{)" + attributes + "}}}";
  CHECK(record_text(record_of_too_large(nested).view()).size() <= nested.size());
  const std::string text = "{" + attributes + "}";
  const kv::Value record = record_of_too_large(text);
  CHECK(record_text(record.view()).size() <= text.size());
  // They have their values all the same: one of them may be a key.
  const std::vector<std::string> last = {"199999"};
  const model::Item read = *read_attributes(record.view(), last);
  REQUIRE(read.find("199999"));
  CHECK(read.find("199999")->get_if<model::Number>()->to_string().size() == 126);
}

TEST_CASE("an attribute that another one replaces makes no item too large") {
  const std::string large = R"({"S":")" + std::string(model::limits::item_bytes, 'x') + R"("})";
  check_as_typed(R"({"a":)" + large + R"(,"m":{"M":{"z":{"N":"1e3"}}},"n":{"N":"1e3"},"a":{"S":"small"}})");
  check_as_typed(R"({"a":)" + large + R"(,"l":{"L":[{"N":"1"}]},"a":{"L":[{"S":"small"}]}})");
  check_as_typed(R"({"a":{"S":"small"},"a":{"NS":["1e5"]},"b":{"S":"x"}})");
}

TEST_CASE("random items are written as they would be by way of typed values") {
  Random random(test::random_seed());
  for (int round = 0; round < test::rounds_of(20'000); ++round) check_as_typed(RandomItem(random).text());
}

}  // namespace
}  // namespace dinette::dynamodb::codec::new_item_test
