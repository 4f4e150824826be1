#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "notation.h"

namespace dinette::dynamodb::expr::condition_test {
namespace {

using notation::refusal;
using notation::Request;

const std::string values = R"({
  ":s":{"S":"x"}, ":t":{"S":"y"}, ":n":{"N":"1"}, ":m":{"N":"2"}, ":b":{"B":"/w=="}, ":c":{"B":"AA=="},
  ":yes":{"BOOL":true}, ":null":{"NULL":true}, ":list":{"L":[]}, ":map":{"M":{}}, ":ss":{"SS":["a"]},
  ":ns":{"NS":["1"]}, ":bs":{"BS":["AA=="]}, ":S":{"S":"S"}, ":X":{"S":"X"}
})";
const std::string names = R"({"#a":"a","#n":"data"})";

TEST_CASE("constants of a wrong type are refused without a look at any item") {
  const std::string wrong = "Incorrect operand type for operator or function; operator or function: ";
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"a < :yes", "<, operand type: BOOL"},
      {"a <= :null", "<=, operand type: NULL"},
      {"a > :list", ">, operand type: L"},
      {"a >= :map", ">=, operand type: M"},
      {":ss < a", "<, operand type: SS"},
      {":ns >= a", ">=, operand type: NS"},
      {"a < :bs", "<, operand type: BS"},
      {"size(a) < :yes", "<, operand type: BOOL"},
      {"a BETWEEN :yes AND :s", "BETWEEN, operand type: BOOL"},
      {"a BETWEEN :s AND :map", "BETWEEN, operand type: M"},
      {":list BETWEEN a AND b", "BETWEEN, operand type: L"},
      {"begins_with(a, :n)", "begins_with, operand type: N"},
      {"begins_with(a, :yes)", "begins_with, operand type: BOOL"},
      {"begins_with(a, size(b))", "begins_with, operand type: N"},
      {"attribute_type(a, :n)", "attribute_type, operand type: N"},
      {"size(:n) = a", "size, operand type: N"},
      {"size(:yes) = a", "size, operand type: BOOL"},
      {"size(:null) = a", "size, operand type: NULL"},
  };
  for (const auto& [text, problem] : rows) {
    CAPTURE(text);
    CHECK(refusal(Kind::condition, text, names, values) == "Invalid ConditionExpression: " + wrong + problem);
    CHECK(refusal(Kind::filter, text, names, values) == "Invalid FilterExpression: " + wrong + problem);
  }
  for (const std::string text :
       {"a < :s", "a <= :n", "a > :b", "a = :yes", "a <> :map", "a IN (:list, :ss, :null)",
        "begins_with(a, :s)", "begins_with(a, :b)", "contains(a, :yes)", "contains(a, :map)",
        "attribute_type(a, :S)", "size(:s) = a", "size(:list) < :n", "a BETWEEN b AND :s"}) {
    CAPTURE(text);
    CHECK(refusal(Kind::condition, text, names, values).empty());
  }
}

TEST_CASE("constant bounds of BETWEEN are in order and of one type") {
  const std::string start = "Invalid ConditionExpression: The BETWEEN operator requires ";
  const std::string order =
      "upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: ";
  CHECK(refusal(Kind::condition, "a BETWEEN :t AND :s", names, values) ==
        start + order + "{S:y}, upper bound operand: AttributeValue: {S:x}");
  CHECK(refusal(Kind::condition, "a BETWEEN :m AND :n", names, values) ==
        start + order + "{N:2}, upper bound operand: AttributeValue: {N:1}");
  CHECK(refusal(Kind::condition, "a BETWEEN :b AND :c", names, values) ==
        start + order + "{B:/w==}, upper bound operand: AttributeValue: {B:AA==}");
  CHECK(refusal(Kind::condition, "a BETWEEN :s AND :n", names, values) ==
        start +
            "same data type for lower and upper bounds; lower bound operand: AttributeValue: {S:x}, upper "
            "bound "
            "operand: AttributeValue: {N:1}");
  CHECK(refusal(Kind::condition, "a BETWEEN :s AND :s", names, values).empty());
}

TEST_CASE("attribute_type knows ten names") {
  CHECK(refusal(Kind::condition, "attribute_type(a, :X)", names, values) ==
        "Invalid ConditionExpression: Invalid attribute type name found; type: X, valid types: "
        "{B,NULL,SS,BOOL,L,BS,N,NS,S,M}");
  for (const std::string type : {"B", "NULL", "SS", "BOOL", "L", "BS", "N", "NS", "S", "M"}) {
    CHECK(
        refusal(Kind::condition, "attribute_type(a, :t)", "{}", R"({":t":{"S":")" + type + R"("}})").empty());
  }
}

TEST_CASE("the first operand must not come again") {
  const std::string start =
      "Invalid ConditionExpression: The first operand must be distinct from the remaining operands for this "
      "operator "
      "or function; operator: ";
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"contains(#n, #n)", "contains, first operand: [data]"},  {"a = #a", "=, first operand: [a]"},
      {"a.b[1] <> #a.b[1]", "<>, first operand: [a, b, [1]]"},  {"a < a", "<, first operand: [a]"},
      {"a BETWEEN :s AND a", "BETWEEN, first operand: [a]"},    {"a IN (b, c, a)", "IN, first operand: [a]"},
      {"begins_with(a, a)", "begins_with, first operand: [a]"},
  };
  for (const auto& [text, problem] : rows) {
    CAPTURE(text);
    CHECK(refusal(Kind::condition, text, names, values) == start + problem);
  }
  CHECK(refusal(Kind::condition, "a.b = a", names, values).empty());
  CHECK(refusal(Kind::condition, "a IN (b, b)", names, values).empty());
}

TEST_CASE("placeholders must be defined: names before values, both before operand types") {
  const std::string name =
      "An expression attribute name used in the document path is not defined; attribute name: ";
  const std::string value =
      "An expression attribute value used in expression is not defined; attribute value: ";
  CHECK(refusal(Kind::condition, "#x = :s", names, values) == "Invalid ConditionExpression: " + name + "#x");
  CHECK(refusal(Kind::filter, "a = :x", names, values) == "Invalid FilterExpression: " + value + ":x");
  CHECK(refusal(Kind::projection, "a.#x", names, values) == "Invalid ProjectionExpression: " + name + "#x");
  CHECK(refusal(Kind::update, "SET a = :x", names, values) == "Invalid UpdateExpression: " + value + ":x");
  CHECK(refusal(Kind::condition, "a = :x AND #x = :s", names, values) ==
        "Invalid ConditionExpression: " + name + "#x");
  CHECK(refusal(Kind::condition, "#x = :x", names, values) == "Invalid ConditionExpression: " + name + "#x");
  CHECK(refusal(Kind::condition, "a = :x AND b < :yes", names, values) ==
        "Invalid ConditionExpression: " + value + ":x");
  CHECK(refusal(Kind::condition, "b < :yes AND a = :x", names, values) ==
        "Invalid ConditionExpression: " + value + ":x");
  CHECK(refusal(Kind::condition, "b < :yes AND size(:n) = a", names, values) ==
        "Invalid ConditionExpression: Incorrect operand type for operator or function; operator or function: "
        "<, operand type: BOOL");
  CHECK(refusal(Kind::condition, "size(:n) = a AND b < :yes", names, values) ==
        "Invalid ConditionExpression: Incorrect operand type for operator or function; operator or function: "
        "size, operand type: N");
}

const model::Item stored = notation::item(R"({
  "s":{"S":"hello"}, "e":{"S":""}, "u":{"S":"é😀"}, "n":{"N":"10"}, "neg":{"N":"-3"}, "b":{"B":"AQID"},
  "yes":{"BOOL":true}, "nil":{"NULL":true}, "ss":{"SS":["a","b"]}, "ns":{"NS":["1","2"]}, "bs":{"BS":["AQ=="]},
  "l":{"L":[{"S":"x"},{"N":"1"},{"M":{"k":{"S":"deep"}}}]}, "m":{"M":{"k":{"L":[{"N":"7"}]},"o":{"S":"p"}}},
  "dotted.name":{"S":"d"}
})");

bool holds(std::string_view text, std::string_view values_of_it = "{}", const model::Item* item = &stored) {
  CAPTURE(text);
  Request request(R"({"#dot":"dotted.name","#y":"yes"})", values_of_it);
  const auto parsed = parse(Kind::filter, text, SizeTail::omitted);
  REQUIRE(parsed.ok());
  const auto condition = bind_condition(*parsed, request.placeholders);
  if (!condition.ok()) FAIL(condition.error().message);
  model::Work work;
  return condition->evaluate(item, work);
}

TEST_CASE("comparisons hold between values of one type, by their order") {
  const std::string v = R"({":v":)";
  struct Row {
    std::string text, value;
    bool expected;
  };
  const std::vector<Row> rows = {
      {"s = :v", R"({"S":"hello"})", true},
      {"s = :v", R"({"S":"Hello"})", false},
      {"s <> :v", R"({"S":"Hello"})", true},
      {"n = :v", R"({"N":"10.0"})", true},
      {"n = :v", R"({"S":"10"})", false},
      {"n <> :v", R"({"S":"10"})", true},
      {"n < :v", R"({"S":"11"})", false},
      {"n > :v", R"({"S":"1"})", false},
      {"n < :v", R"({"N":"9"})", false},
      {"n > :v", R"({"N":"9"})", true},
      {"n >= :v", R"({"N":"1e1"})", true},
      {"n <= :v", R"({"N":"10"})", true},
      {"neg < :v", R"({"N":"-2"})", true},
      {":v < n", R"({"N":"2"})", true},
      {"s < :v", R"({"S":"hellp"})", true},
      {"s < :v", R"({"S":"hell"})", false},
      {"e < :v", R"({"S":"a"})", true},
      {"u > :v", R"({"S":"z"})", true},  // by UTF-8 bytes
      {"b < :v", R"({"B":"AQL/"})", true},
      {"b > :v", R"({"B":"AQI="})", true},
      {"b < :v", R"({"B":"/w=="})", true},
      {"yes = :v", R"({"BOOL":true})", true},
      {"yes <> :v", R"({"BOOL":true})", false},
      {"nil = :v", R"({"NULL":true})", true},
      {"ss = :v", R"({"SS":["b","a"]})", true},
      {"ns = :v", R"({"NS":["2.0","1"]})", true},
      {"ns <> :v", R"({"NS":["2"]})", true},
      {"l = :v", R"({"L":[{"S":"x"},{"N":"1"},{"M":{"k":{"S":"deep"}}}]})", true},
      {"l = :v", R"({"L":[{"N":"1"},{"S":"x"},{"M":{"k":{"S":"deep"}}}]})", false},
      {"m = :v", R"({"M":{"o":{"S":"p"},"k":{"L":[{"N":"7.00"}]}}})", true},
      {"m.k[0] = :v", R"({"N":"7"})", true},
      {"l[2].k = :v", R"({"S":"deep"})", true},
      {"l[3] = :v", R"({"S":"deep"})", false},
      {"l[3] <> :v", R"({"S":"deep"})", true},
      {"s.x = :v", R"({"S":"deep"})", false},
      {"s[0] <> :v", R"({"S":"deep"})", true},
      {"m[0] = :v", R"({"S":"p"})", false},
      {"#dot = :v", R"({"S":"d"})", true},
      {"#y = :v", R"({"BOOL":true})", true},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text, row.value);
    CHECK(holds(row.text, v + row.value + "}") == row.expected);
  }
  CHECK(holds("s <> e"));
  CHECK_FALSE(holds("s = e"));
  CHECK(holds(":v = :w", R"({":v":{"N":"1"},":w":{"N":"1.0"}})"));
}

TEST_CASE("a missing attribute differs from everything and meets nothing else") {
  const std::string v = R"({":v":{"S":"a"},":w":{"S":"b"},":S":{"S":"S"}})";
  CHECK(holds("x <> :v AND (NOT x = :v)", R"({":v":{"S":"a"}})"));
  CHECK(holds("x <> y"));
  CHECK_FALSE(holds("x = y"));
  for (const std::string text :
       {"x = :v", "x < :v", "x <= :v", "x > :v", "x >= :v", ":v < x", "begins_with(x, :v)", "contains(x, :v)",
        "contains(s, x)", "begins_with(s, x)", "attribute_exists(x)", "m.x = :v", "x.y.z = :v"}) {
    CAPTURE(text);
    CHECK_FALSE(holds(text, v));
    CHECK(holds("NOT " + text, v));
  }
  CHECK_FALSE(holds("x IN (:v, :w)", v));
  CHECK(holds("NOT x IN (:v, :w)", v));
  CHECK_FALSE(holds("x IN (y)"));
  CHECK_FALSE(holds("x BETWEEN :v AND :w", v));
  CHECK(holds("NOT x BETWEEN :v AND :w", v));
  CHECK_FALSE(holds("attribute_type(x, :S)", v));
  CHECK(holds("NOT attribute_type(x, :S)", v));
  CHECK(holds("attribute_not_exists(x)"));
}

TEST_CASE("an item that is not there has no attributes") {
  CHECK(holds("attribute_not_exists(pk)", "{}", nullptr));
  CHECK_FALSE(holds("attribute_exists(pk)", "{}", nullptr));
  CHECK(holds("s <> :v", R"({":v":{"S":"a"}})", nullptr));
  CHECK_FALSE(holds("s = :v", R"({":v":{"S":"a"}})", nullptr));
}

TEST_CASE("IN is equality with any operand, BETWEEN includes both bounds") {
  const std::string three = R"({":a":{"S":"hello"},":b":{"N":"10"},":c":{"L":[]}})";
  CHECK(holds("s IN (:c, :b, :a)", three));
  CHECK(holds("n IN (s, :a, :b, :c)", three));
  CHECK_FALSE(holds("yes IN (:a, :b, :c)", three));
  CHECK_FALSE(holds("e IN (:a)", R"({":a":{"S":"hello"}})"));
  const std::string bounds = R"({":a":{"N":"9"},":b":{"N":"10"}})";
  CHECK(holds("n BETWEEN :a AND :b", bounds));
  CHECK(holds("n BETWEEN :b AND :b", R"({":b":{"N":"10"}})"));
  CHECK_FALSE(holds("neg BETWEEN :a AND :b", bounds));
  CHECK_FALSE(holds("s BETWEEN :a AND :b", bounds));
  CHECK(holds("n BETWEEN neg AND :b", R"({":b":{"N":"11"}})"));
  CHECK_FALSE(holds("neg BETWEEN n AND :b", R"({":b":{"N":"11"}})"));
}

TEST_CASE("functions of conditions depend on the type of their operand") {
  struct Row {
    std::string text, value;
    bool expected;
  };
  const std::vector<Row> rows = {
      {"contains(s, :v)", R"({"S":"ell"})", true},
      {"contains(s, :v)", R"({"S":""})", true},
      {"contains(s, :v)", R"({"S":"elo"})", false},
      {"contains(s, :v)", R"({"N":"1"})", false},
      {"contains(b, :v)", R"({"B":"AgM="})", true},
      {"contains(b, :v)", R"({"B":"AwI="})", false},
      {"contains(ss, :v)", R"({"S":"a"})", true},
      {"contains(ss, :v)", R"({"S":"c"})", false},
      {"contains(ss, :v)", R"({"SS":["a"]})", false},
      {"contains(ns, :v)", R"({"N":"1.0"})", true},
      {"contains(ns, :v)", R"({"S":"1"})", false},
      {"contains(bs, :v)", R"({"B":"AQ=="})", true},
      {"contains(l, :v)", R"({"N":"1"})", true},
      {"contains(l, :v)", R"({"M":{"k":{"S":"deep"}}})", true},
      {"contains(l, :v)", R"({"S":"1"})", false},
      {"contains(m, :v)", R"({"S":"o"})", false},
      {"contains(n, :v)", R"({"S":"1"})", false},
      {"contains(:v, s)", R"({"SS":["hello"]})", true},
      {"begins_with(s, :v)", R"({"S":"he"})", true},
      {"begins_with(s, :v)", R"({"S":"el"})", false},
      {"begins_with(s, :v)", R"({"B":"AQ=="})", false},
      {"begins_with(b, :v)", R"({"B":"AQI="})", true},
      {"begins_with(n, :v)", R"({"S":"1"})", false},
      {"attribute_type(s, :v)", R"({"S":"S"})", true},
      {"attribute_type(n, :v)", R"({"S":"N"})", true},
      {"attribute_type(b, :v)", R"({"S":"B"})", true},
      {"attribute_type(yes, :v)", R"({"S":"BOOL"})", true},
      {"attribute_type(nil, :v)", R"({"S":"NULL"})", true},
      {"attribute_type(ss, :v)", R"({"S":"SS"})", true},
      {"attribute_type(ns, :v)", R"({"S":"NS"})", true},
      {"attribute_type(bs, :v)", R"({"S":"BS"})", true},
      {"attribute_type(l, :v)", R"({"S":"L"})", true},
      {"attribute_type(m.k, :v)", R"({"S":"L"})", true},
      {"attribute_type(m, :v)", R"({"S":"L"})", false},
      {"size(s) = :v", R"({"N":"5"})", true},
      {"size(e) = :v", R"({"N":"0"})", true},
      {"size(u) = :v", R"({"N":"3"})", true},  // UTF-16 units: é is 1, an emoji 2
      {"size(b) = :v", R"({"N":"3"})", true},
      {"size(ss) = :v", R"({"N":"2"})", true},
      {"size(ns) = :v", R"({"N":"2"})", true},
      {"size(bs) = :v", R"({"N":"1"})", true},
      {"size(l) = :v", R"({"N":"3"})", true},
      {"size(m) = :v", R"({"N":"2"})", true},
      {"size(m.k) IN (:v)", R"({"N":"1"})", true},
      {"size(s) BETWEEN :v AND n", R"({"N":"5"})", true},
      {"size(s) < n AND size(s) > :v", R"({"N":"4"})", true},
      {"size(s) = :v", R"({"S":"5"})", false},
      {"size(s) <> :v", R"({"S":"5"})", true},
      {"size(:v) = size(s)", R"({"S":"12345"})", true},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text, row.value);
    CHECK(holds(row.text, R"({":v":)" + row.value + "}") == row.expected);
  }
  CHECK(holds("attribute_exists(l[2].k) AND attribute_exists(nil) AND attribute_exists(m.k[0])"));
  CHECK(holds("attribute_not_exists(l[3]) AND attribute_not_exists(m.z) AND attribute_not_exists(s.k)"));
}

TEST_CASE("no comparison matches the size of what has none") {
  for (const std::string text : {"size(n) = :v", "size(n) <> :v", "size(yes) < :v", "size(nil) >= :v",
                                 "size(x) = :v", "size(x) <> :v", ":v <> size(x)", "size(x) IN (:v)"}) {
    CAPTURE(text);
    CHECK_FALSE(holds(text, R"({":v":{"N":"0"}})"));
    CHECK(holds("NOT " + text, R"({":v":{"N":"0"}})"));
  }
}

TEST_CASE("NOT binds tighter than AND, AND tighter than OR") {
  const std::string t = "attribute_exists(s)";
  const std::string f = "attribute_exists(x)";
  CHECK(holds(t + " OR " + t + " AND " + f));
  CHECK_FALSE(holds("(" + t + " OR " + t + ") AND " + f));
  CHECK(holds("NOT " + f + " AND " + t));
  CHECK_FALSE(holds("NOT (" + f + " OR " + t + ")"));
  CHECK(holds("NOT " + f + " OR " + f));
  CHECK(holds("NOT NOT " + t));
  CHECK(holds(f + " AND " + f + " OR " + t));
}

TEST_CASE("the attributes a condition looks at") {
  Request request(R"({"#x":"real"})", R"({":v":{"S":"a"}})");
  const auto parsed =
      parse(Kind::filter, "a.b = :v AND size(#x) > c[0] OR attribute_exists(a)", SizeTail::omitted);
  const auto condition = bind_condition(parsed.value(), request.placeholders);
  CHECK(condition->attributes() == std::vector<std::string_view>{"a", "real", "c", "a"});
}

/// `count` of `text`, with `separator` between them.
std::string repeated(int count, std::string_view separator, std::string_view text) {
  std::string all(text);
  for (int i = 1; i < count; ++i) all.append(separator).append(text);
  return all;
}

/// The work of judging `item` by a filter that does not admit it.
std::size_t work_of(const std::string& text, std::string_view values_of_it, const model::Item& item) {
  CAPTURE(text);
  Request request("{}", values_of_it);
  const auto parsed = parse(Kind::filter, text, SizeTail::omitted);
  REQUIRE(parsed.ok());
  const auto condition = bind_condition(*parsed, request.placeholders);
  REQUIRE(condition.ok());
  model::Work work;
  CHECK_FALSE(condition->evaluate(&item, work));
  return work.units();
}

TEST_CASE("each operand that is looked at is charged") {
  const std::size_t one = work_of("x = :v", R"({":v":{"S":"a"}})", stored);
  CHECK(one > 0);
  CHECK(work_of(repeated(100, " OR ", "x = :v"), R"({":v":{"S":"a"}})", stored) >= 100 * one);
  CHECK(work_of("x IN (" + repeated(100, ",", "y") + ")", "{}", stored) <= 3);  // there is no x to compare
  CHECK(work_of("s IN (" + repeated(100, ",", "y") + ")", "{}", stored) >= 100);
}

TEST_CASE("a comparison of large values is made once, however often an expression asks for it") {
  constexpr std::size_t count = 20'000;
  model::List a(count, model::AttributeValue(std::string("x")));
  model::List b = a;
  b.back() = std::string("y");
  const auto item = model::Map::from_unsorted({{"a", std::move(a)}, {"b", std::move(b)}});
  const std::size_t once = work_of("a = b", "{}", item);
  CHECK(once >= count / 4);
  CHECK(work_of(repeated(100, " OR ", "a = b"), "{}", item) < 2 * once);
  CHECK(work_of("NOT a <> b", "{}", item) < 2 * once);
  const std::string in = "a IN (" + repeated(100, ",", "b") + ")";
  CHECK(work_of(repeated(19, " OR ", in), "{}", item) < 3 * once);
  const std::string values_of_it = R"({":v":{"S":"z"}})";
  const std::size_t search = work_of("contains(a, :v)", values_of_it, item);
  CHECK(search >= count / 4);
  CHECK(work_of(repeated(100, " OR ", "contains(a, :v)"), values_of_it, item) < 2 * search);
  CHECK(work_of("contains(a, :v) OR contains(b, :v)", values_of_it, item) > search * 3 / 2);
}

}  // namespace
}  // namespace dinette::dynamodb::expr::condition_test
