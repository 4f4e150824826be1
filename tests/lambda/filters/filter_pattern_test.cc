#include "lambda/filters/filter_pattern.h"

#include <random>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "support/random_seed.h"

// docs/service/triggers.md section 4, over the records that a function gets.
namespace test::filter_pattern_test {
namespace {

namespace lambda = dinette::lambda;
using lambda::FilterCriteria;
using lambda::FilterPattern;
using lambda::FilterProblem;
using Json = nlohmann::json;

/// A record of a DynamoDB stream as Lambda's guide and recordings show it.
const std::string record =
    R"({"eventID":"247b1c02115a73c0684b075ad5e34279","eventName":"INSERT","eventVersion":"1.1",)"
    R"("eventSource":"aws:dynamodb","awsRegion":"us-east-1","dynamodb":{"ApproximateCreationDateTime":1.789650449E9,)"
    R"("Keys":{"pk":{"S":"a"}},"NewImage":{"pk":{"S":"a"},"n":{"N":"101"},"open":{"BOOL":true},"none":{"NULL":true},)"
    R"("empty":{"S":""},"tags":{"SS":["red","green"]},"data":{"B":"AQI="},)"
    R"("tree":{"M":{"city":{"S":"London"},"codes":{"L":[{"S":"x","N":"1"},{"S":"y","N":"2"}]}}}},)"
    R"("SequenceNumber":"58700000641778711598503","SizeBytes":50,"StreamViewType":"NEW_AND_OLD_IMAGES"},)"
    R"("userIdentity":{"type":"Service","principalId":"dynamodb.amazonaws.com"}})";

bool admits(const std::string& pattern, const std::string& event = record) {
  const std::string_view view = pattern;
  const auto criteria = FilterCriteria::read({&view, 1});
  INFO(pattern);
  REQUIRE(criteria);
  return criteria->admit(event);
}

/// Of the new image's attributes.
bool image_admits(const std::string& attributes) {
  return admits(R"({"dynamodb":{"NewImage":)" + attributes + "}}");
}

/// Of the member `x`.
bool rules_admit(const std::string& rules, const std::string& value) {
  return admits(R"({"x":)" + rules + "}", value.empty() ? "{}" : R"({"x":)" + value + "}");
}

bool is_valid(const std::string& pattern) {
  const auto read = FilterPattern::read(pattern);
  if (!read) CHECK(read.error() == FilterProblem::invalid);
  return read.ok();
}

}  // namespace

TEST_CASE("members of the record next to dynamodb can be filtered") {
  CHECK(admits(R"({"eventName":["INSERT","MODIFY"]})"));
  CHECK_FALSE(admits(R"({"eventName":["REMOVE"]})"));
  CHECK(admits(R"({"userIdentity":{"type":["Service"],"principalId":["dynamodb.amazonaws.com"]}})"));
  CHECK(admits(R"({"eventSource":["aws:dynamodb"]})"));
}

TEST_CASE("fields are joined by and, values of a list by or") {
  CHECK(admits(R"({"eventName":["INSERT"],"awsRegion":["us-east-1"]})"));
  CHECK_FALSE(admits(R"({"eventName":["INSERT"],"awsRegion":["eu-west-1"]})"));
  CHECK(admits(R"({"eventName":["REMOVE","INSERT"]})"));
  CHECK_FALSE(admits(R"({"eventName":["INSERT"],"other":["x"]})"));
}

TEST_CASE("filters are joined by or, and without any all records pass") {
  const std::vector<std::string_view> patterns = {R"({"eventName":["REMOVE"]})",
                                                  R"({"eventName":["INSERT"]})"};
  CHECK(FilterCriteria::read(patterns)->admit(record));
  CHECK_FALSE(FilterCriteria::read({patterns.data(), 1})->admit(record));
  CHECK(FilterCriteria::read({})->admit(record));
}

TEST_CASE("strings are equal with case, numbers by their text, null only to null") {
  CHECK(rules_admit(R"(["a"])", R"("a")"));
  CHECK_FALSE(rules_admit(R"(["a"])", R"("A")"));
  CHECK(rules_admit(R"([""])", R"("")"));
  CHECK_FALSE(rules_admit(R"([""])", R"(" ")"));
  CHECK(rules_admit("[300]", "300"));
  CHECK(rules_admit("[3.0e2]", "3.0e2"));
  CHECK_FALSE(rules_admit("[300]", "300.0"));
  CHECK_FALSE(rules_admit("[300]", "3.0e2"));
  CHECK_FALSE(rules_admit("[300]", R"("300")"));
  CHECK_FALSE(rules_admit(R"(["300"])", "300"));
  CHECK(rules_admit("[true]", "true"));
  CHECK_FALSE(rules_admit("[true]", "false"));
  CHECK_FALSE(rules_admit("[true]", R"("true")"));
  CHECK(rules_admit("[null]", "null"));
  CHECK_FALSE(rules_admit("[null]", ""));
  CHECK_FALSE(rules_admit("[null]", R"("")"));
  CHECK(rules_admit(R"([{"exactly":"a"}])", R"("a")"));
  CHECK(rules_admit(R"(["a\"\u00fc"])", R"("\u0061\"ü")"));
}

TEST_CASE("numbers of DynamoDB are strings, booleans are booleans, and the type is a key") {
  CHECK(image_admits(R"({"n":{"N":["101"]}})"));
  CHECK_FALSE(image_admits(R"({"n":{"N":[101]}})"));
  CHECK_FALSE(image_admits(R"({"n":{"N":[{"numeric":[">",100]}]}})"));
  CHECK(image_admits(R"({"open":{"BOOL":[true]}})"));
  CHECK(image_admits(R"({"none":{"NULL":[true]}})"));
  CHECK(image_admits(R"({"empty":{"S":[""]}})"));
  CHECK(image_admits(R"({"data":{"B":["AQI="]}})"));
  CHECK_FALSE(image_admits(R"({"pk":["a"]})"));
  CHECK(image_admits(R"({"tree":{"M":{"city":{"S":["London"]}}}})"));
}

TEST_CASE("numeric rules compare numbers by value") {
  CHECK(admits(R"({"dynamodb":{"ApproximateCreationDateTime":[{"numeric":[">",1789650448]}]}})"));
  CHECK(admits(R"({"dynamodb":{"SizeBytes":[{"numeric":[">",10,"<=",50]}]}})"));
  CHECK_FALSE(admits(R"({"dynamodb":{"SizeBytes":[{"numeric":[">",10,"<",50]}]}})"));
  CHECK(rules_admit(R"([{"numeric":["=",300]}])", "3.0e2"));
  CHECK(rules_admit(R"([{"numeric":[">=",300]}])", "300.0"));
  CHECK_FALSE(rules_admit(R"([{"numeric":[">",300]}])", "300"));
  CHECK(rules_admit(R"([{"numeric":["<",0]}])", "-1e10"));
  CHECK(rules_admit(R"([{"numeric":["<=",0]}])", "-0"));
  CHECK_FALSE(rules_admit(R"([{"numeric":["=",300]}])", R"("300")"));
  CHECK_FALSE(rules_admit(R"([{"numeric":["<",300]}])", "null"));
  CHECK_FALSE(rules_admit(R"([{"numeric":["<",300]}])", ""));
}

TEST_CASE("prefixes, suffixes and wildcards are of strings, with or without case") {
  CHECK(rules_admit(R"([{"prefix":"us-"}])", R"("us-east-1")"));
  CHECK_FALSE(rules_admit(R"([{"prefix":"us-"}])", R"("eu-us-")"));
  CHECK_FALSE(rules_admit(R"([{"prefix":"us-"}])", R"("us")"));
  CHECK_FALSE(rules_admit(R"([{"prefix":"1"}])", "12"));
  CHECK(rules_admit(R"([{"suffix":".png"}])", R"("a.png")"));
  CHECK_FALSE(rules_admit(R"([{"suffix":".png"}])", R"("a.PNG")"));
  CHECK(rules_admit(R"([{"suffix":{"equals-ignore-case":".png"}}])", R"("a.PNG")"));
  CHECK(rules_admit(R"([{"prefix":{"equals-ignore-case":"US-"}}])", R"("us-east-1")"));
  CHECK_FALSE(rules_admit(R"([{"prefix":{"equals-ignore-case":"US-"}}])", R"("us")"));
  CHECK(rules_admit(R"([{"equals-ignore-case":"aBc"}])", R"("AbC")"));
  CHECK_FALSE(rules_admit(R"([{"equals-ignore-case":"aBc"}])", R"("AbCd")"));
}

TEST_CASE("a star matches any text, unless a backslash is before it") {
  const auto matches = [](const std::string& wildcard, const std::string& text) {
    return rules_admit(R"([{"wildcard":)" + Json(wildcard).dump() + "}]", Json(text).dump());
  };
  CHECK(matches("a*b", "ab"));
  CHECK(matches("a*b", "a-b-b"));
  CHECK_FALSE(matches("a*b", "a-b-c"));
  CHECK(matches("*", ""));
  CHECK(matches("*.png", "x.png"));
  CHECK(matches("a*", "a"));
  CHECK_FALSE(matches("ab*ba", "aba"));
  CHECK(matches("a*b*c", "a1b2b3c"));
  CHECK_FALSE(matches("a*b*c", "acb"));
  CHECK(matches("a\\*b", "a*b"));
  CHECK_FALSE(matches("a\\*b", "axb"));
  CHECK(matches("a\\\\*", "a\\x"));
  CHECK(matches("a\\\\\\*", "a\\*"));
  CHECK(matches("plain", "plain"));
  CHECK_FALSE(matches("plain", "plainer"));
}

TEST_CASE("anything-but admits what is there and not listed") {
  CHECK(rules_admit(R"([{"anything-but":"a"}])", R"("b")"));
  CHECK_FALSE(rules_admit(R"([{"anything-but":"a"}])", R"("a")"));
  CHECK_FALSE(rules_admit(R"([{"anything-but":"a"}])", ""));
  CHECK(rules_admit(R"([{"anything-but":["a","b"]}])", R"("c")"));
  CHECK_FALSE(rules_admit(R"([{"anything-but":["a","b"]}])", R"("b")"));
  CHECK(rules_admit(R"([{"anything-but":[1,2]}])", "3"));
  CHECK_FALSE(rules_admit(R"([{"anything-but":[1,2]}])", "2.0"));
  CHECK(rules_admit(R"([{"anything-but":1}])", R"("1")"));
  CHECK(rules_admit(R"([{"anything-but":"a"}])", "null"));
  CHECK(rules_admit(R"([{"anything-but":{"prefix":"us-"}}])", R"("eu-west-1")"));
  CHECK_FALSE(rules_admit(R"([{"anything-but":{"prefix":["eu-","us-"]}}])", R"("us-east-1")"));
  CHECK_FALSE(rules_admit(R"([{"anything-but":{"suffix":"-1"}}])", R"("us-east-1")"));
  CHECK_FALSE(rules_admit(R"([{"anything-but":{"equals-ignore-case":["a","B"]}}])", R"("b")"));
  CHECK(rules_admit(R"([{"anything-but":{"equals-ignore-case":"a"}}])", R"("b")"));
  CHECK_FALSE(rules_admit(R"([{"anything-but":{"wildcard":"a*"}}])", R"("ab")"));
}

TEST_CASE("exists is about values, not about objects") {
  CHECK(image_admits(R"({"pk":{"S":[{"exists":true}]}})"));
  CHECK_FALSE(image_admits(R"({"pk":{"S":[{"exists":false}]}})"));
  CHECK(image_admits(R"({"pk":{"N":[{"exists":false}]}})"));
  CHECK(image_admits(R"({"other":{"S":[{"exists":false}]}})"));
  CHECK_FALSE(image_admits(R"({"other":{"S":[{"exists":true}]}})"));
  CHECK(image_admits(R"({"pk":[{"exists":false}]})"));
  CHECK_FALSE(image_admits(R"({"pk":[{"exists":true}]})"));
  CHECK(rules_admit(R"([{"exists":true}])", "null"));
  CHECK(rules_admit(R"([{"exists":false}])", "[]"));
  CHECK(rules_admit(R"([{"exists":false}])", "{}"));
  CHECK_FALSE(rules_admit(R"([{"exists":false}])", "[[1]]"));
  CHECK(admits(R"({"dynamodb":{"OldImage":{"pk":{"S":[{"exists":false}]}}}})"));
}

TEST_CASE("any element of a list may fit, and two fields must fit in the same element") {
  CHECK(image_admits(R"({"tags":{"SS":["green"]}})"));
  CHECK_FALSE(image_admits(R"({"tags":{"SS":["blue"]}})"));
  CHECK(rules_admit("[1]", "[[2],[3,1]]"));
  CHECK(image_admits(R"({"tree":{"M":{"codes":{"L":{"S":["x"],"N":["1"]}}}}})"));
  CHECK_FALSE(image_admits(R"({"tree":{"M":{"codes":{"L":{"S":["x"],"N":["2"]}}}}})"));
  CHECK(admits(R"({"a":{"b":[{"exists":false}]}})", R"({"a":[{"b":1},{"c":1}]})"));
  CHECK_FALSE(admits(R"({"a":{"b":[{"exists":false}]}})", R"({"a":[{"b":1}]})"));
  CHECK(admits(R"({"a":{"b":[{"exists":false}]}})", R"({"a":[]})"));
}

TEST_CASE("$or takes one of several objects, unless it is the name of a field") {
  const std::string either = R"({"$or":[{"a":[1]},{"b":[2],"c":[3]}]})";
  CHECK(admits(either, R"({"a":1})"));
  CHECK(admits(either, R"({"b":2,"c":3})"));
  CHECK_FALSE(admits(either, R"({"b":2})"));
  CHECK(admits(R"({"d":[0],"$or":[{"a":[1]},{"b":[2]}]})", R"({"d":0,"b":2})"));
  CHECK_FALSE(admits(R"({"d":[0],"$or":[{"a":[1]},{"b":[2]}]})", R"({"b":2})"));
  CHECK(admits(R"({"in":{"$or":[{"a":[1]},{"$or":[{"b":[2]},{"c":[3]}]}]}})", R"({"in":{"c":3}})"));
  CHECK(admits(R"({"$or":[{"prefix":"a"},{"suffix":"b"}]})", R"({"$or":"xb"})"));
  CHECK(admits(R"({"$or":["a"]})", R"({"$or":"a"})"));
  CHECK_FALSE(is_valid(R"({"$or":[{"a":[1]}]})"));
  CHECK_FALSE(is_valid(R"({"$or":[{"a":[1]},{}]})"));
  CHECK_FALSE(is_valid(R"({"$or":[{"a":[1]},"b"]})"));
  CHECK_FALSE(is_valid(R"({"$or":[{"a":[1]},{"prefix":"b"}]})"));
}

TEST_CASE("addresses are compared with networks") {
  CHECK(rules_admit(R"([{"cidr":"10.0.0.0/24"}])", R"("10.0.0.255")"));
  CHECK_FALSE(rules_admit(R"([{"cidr":"10.0.0.0/24"}])", R"("10.0.1.0")"));
  CHECK(rules_admit(R"([{"cidr":"10.0.0.128/25"}])", R"("10.0.0.200")"));
  CHECK_FALSE(rules_admit(R"([{"cidr":"10.0.0.128/25"}])", R"("10.0.0.100")"));
  CHECK(rules_admit(R"([{"cidr":"10.0.0.0/31"}])", R"("10.0.0.1")"));
  CHECK_FALSE(rules_admit(R"([{"cidr":"10.0.0.0/31"}])", R"("10.0.0.2")"));
  CHECK(rules_admit(R"([{"cidr":"0.0.0.0/0"}])", R"("1.2.3.4")"));
  CHECK(rules_admit(R"([{"cidr":"2001:db8::/32"}])", R"("2001:db8::1")"));
  CHECK_FALSE(rules_admit(R"([{"cidr":"2001:db8::/32"}])", R"("10.0.0.1")"));
  CHECK_FALSE(rules_admit(R"([{"cidr":"10.0.0.0/24"}])", R"("no address")"));
  CHECK(rules_admit(R"([{"cidr":"10.0.0.1"}])", R"("10.0.0.1")"));
}

TEST_CASE("the last of several fields of one name counts") {
  CHECK(admits(R"({"x":["a"],"x":["b"]})", R"({"x":"b"})"));
  CHECK_FALSE(admits(R"({"x":["a"],"x":["b"]})", R"({"x":"a"})"));
  CHECK(admits(R"({"x":["a"],"x":[1]})", R"({"x":2,"x":1})"));
  CHECK(admits(R"({"x":[{"prefix":"a","prefix":"b"}]})", R"({"x":"bc"})"));
}

TEST_CASE("patterns that are no objects of lists of rules are invalid") {
  for (const char* pattern : {"",
                              " ",
                              "x",
                              "[]",
                              R"(["a"])",
                              "1",
                              "null",
                              R"("a")",
                              "{}",
                              R"({"a":1})",
                              R"({"a":"x"})",
                              R"({"a":null})",
                              R"({"a":[]})",
                              R"({"a":{}})",
                              R"({"a":{"b":"x"}})",
                              R"({"a":[["x"]]})",
                              R"({"a":[{}]})",
                              R"({"a":["x"]} x)",
                              R"({"a":["x"])",
                              R"({"a":["x"]}})",
                              R"({"a":["x"],})",
                              R"({a:["x"]})",
                              R"({"a":[01]})",
                              R"({"a":[nul]})",
                              R"({"a":[{"unknown":"x"}]})",
                              R"({"a":[{"prefix":"x","suffix":"y"}]})",
                              R"({"a":[{"prefix":1}]})",
                              R"({"a":[{"prefix":["x"]}]})",
                              R"({"a":[{"prefix":{"suffix":"x"}}]})",
                              R"({"a":[{"suffix":null}]})",
                              R"({"a":[{"equals-ignore-case":["x"]}]})",
                              R"({"a":[{"exactly":1}]})",
                              R"({"a":[{"exists":"true"}]})",
                              R"({"a":[{"exists":null}]})",
                              R"({"a":[{"wildcard":"a**"}]})",
                              R"({"a":[{"wildcard":"**"}]})",
                              R"({"a":[{"wildcard":"a\\"}]})",
                              R"({"a":[{"wildcard":"a\\b"}]})",
                              R"({"a":[{"wildcard":["a"]}]})",
                              R"({"a":[{"numeric":5}]})",
                              R"({"a":[{"numeric":[]}]})",
                              R"({"a":[{"numeric":["="]}]})",
                              R"({"a":[{"numeric":["=","1"]}]})",
                              R"({"a":[{"numeric":["!=",1]}]})",
                              R"({"a":[{"numeric":["<",1,">",0]}]})",
                              R"({"a":[{"numeric":[">",1,"="]}]})",
                              R"({"a":[{"numeric":[">",1,"<",1]}]})",
                              R"({"a":[{"numeric":[">",1,"<",2,"<",3]}]})",
                              R"({"a":[{"numeric":["=",1,"<",3]}]})",
                              R"({"a":[{"anything-but":[]}]})",
                              R"({"a":[{"anything-but":["x",1]}]})",
                              R"({"a":[{"anything-but":null}]})",
                              R"({"a":[{"anything-but":true}]})",
                              R"({"a":[{"anything-but":[["x"]]}]})",
                              R"({"a":[{"anything-but":{"prefix":""}}]})",
                              R"({"a":[{"anything-but":{"prefix":1}}]})",
                              R"({"a":[{"anything-but":{"prefix":[]}}]})",
                              R"({"a":[{"anything-but":{"exists":true}}]})",
                              R"({"a":[{"anything-but":{}}]})",
                              R"({"a":[{"anything-but":{"prefix":"a","suffix":"b"}}]})",
                              R"({"a":[{"cidr":"10.0.0.0/33"}]})",
                              R"({"a":[{"cidr":"10.0.0/8"}]})",
                              R"({"a":[{"cidr":"10.0.0.0/"}]})",
                              R"({"a":[{"cidr":"10.0.0.0/-1"}]})",
                              R"({"a":[{"cidr":1}]})",
                              "{\"a\":[\"\xff\"]}"}) {
    INFO(pattern);
    CHECK_FALSE(is_valid(pattern));
  }
}

TEST_CASE("there are limits of filters, of characters and of levels") {
  const std::string pattern = R"({"a":["x"]})";
  const std::vector<std::string_view> five(lambda::most_filters, pattern);
  const std::vector<std::string_view> six(lambda::most_filters + 1, pattern);
  CHECK(FilterCriteria::read(five));
  CHECK(FilterCriteria::read(six).error() == FilterProblem::too_many);

  const auto of_length = [](std::size_t characters) {
    std::string text;
    for (std::size_t i = std::string(R"({"a":[""]})").size(); i < characters; ++i) text += "ü";
    return R"({"a":[")" + text + R"("]})";
  };
  CHECK(FilterPattern::read(of_length(lambda::most_pattern_characters)));
  CHECK(FilterPattern::read(of_length(lambda::most_pattern_characters + 1)).error() ==
        FilterProblem::too_long);

  const auto nested = [](std::size_t objects, const std::string& leaf) {
    std::string text;
    for (std::size_t i = 0; i < objects; ++i) text += R"({"a":)";
    return text + leaf + std::string(objects, '}');
  };
  CHECK(is_valid(nested(lambda::most_filter_levels - 1, "[1]")));
  CHECK_FALSE(is_valid(nested(lambda::most_filter_levels, "[1]")));
  CHECK(admits(nested(lambda::most_filter_levels - 1, "[1]"), nested(lambda::most_filter_levels - 1, "1")));
  CHECK_FALSE(admits(R"({"b":[1]})", R"({"b":1,"a":)" + nested(lambda::most_filter_levels, "1") + "}"));
  CHECK_FALSE(admits(R"({"b":[1]})", R"({"b":1,"a":)" + std::string(1'000'000, '[')));
}

TEST_CASE("what is no JSON object passes no filter") {
  for (const char* event : {"", "x", "[]", "null", R"({"x":1)", R"({"x":1}{)", R"({"x":1,})"}) {
    INFO(event);
    CHECK_FALSE(admits(R"({"x":[{"exists":false}]})", event));
    CHECK_FALSE(admits(R"({"x":[1]})", event));
  }
}

TEST_CASE("a long text is compared with many stars in a moment") {
  std::string stars;
  for (int i = 0; i < 1000; ++i) stars += "*aaa";
  CHECK_FALSE(rules_admit(R"([{"wildcard":")" + stars + R"(*b"}])", '"' + std::string(400'000, 'a') + '"'));
}

// JSON of every form, read by another library.
TEST_CASE("a tree has the values of the JSON, and the texts of its numbers") {
  std::mt19937_64 random(dinette::test::random_seed());
  const auto same = [](const auto& self, const dinette::aws::JsonTree& tree, const Json& json) -> bool {
    using Kind = dinette::aws::JsonTree::Kind;
    if (tree.kind == Kind::null) return json.is_null();
    if (tree.kind == Kind::boolean) return json == tree.truth;
    if (tree.kind == Kind::string) return json == tree.text;
    if (tree.kind == Kind::number) return json.is_number() && json.dump() == tree.text && json == tree.number;
    if (tree.values.size() != json.size()) return false;
    for (std::size_t i = 0; i < tree.values.size(); ++i) {
      const Json& inner = tree.kind == Kind::list ? json.at(i) : json.at(tree.names[i]);
      if (!self(self, tree.values[i], inner)) return false;
    }
    return true;
  };
  const auto value = [&](const auto& self, int depth) -> Json {
    switch (random() % (depth > 3 ? 5 : 7)) {
      case 0:
        return nullptr;
      case 1:
        return random() % 2 == 0;
      case 2:
        return static_cast<std::int64_t>(random() % 2000) - 1000;
      case 3:
        return static_cast<double>(random() % 1000) / 8 + 0.0625;
      case 4:
        return std::string(random() % 4, 'a') + "\"\\\n\u00fc";
      case 5: {
        Json list = Json::array();
        for (auto i = random() % 4; i > 0; --i) list.push_back(self(self, depth + 1));
        return list;
      }
      default: {
        Json object = Json::object();
        for (auto i = random() % 4; i > 0; --i) object["k" + std::to_string(i)] = self(self, depth + 1);
        return object;
      }
    }
  };
  for (int i = dinette::test::rounds_of(2000); i > 0; --i) {
    const Json json = {{"x", value(value, 0)}};
    const std::string text = json.dump(random() % 2 == 0 ? -1 : 2);
    INFO(text);
    const auto tree = dinette::aws::read_json_tree(text, 10);
    REQUIRE(tree);
    REQUIRE(same(same, *tree, json));
    REQUIRE_FALSE(dinette::aws::read_json_tree(std::string_view(text).substr(0, random() % text.size()), 10));
  }
}

}  // namespace test::filter_pattern_test
