#include <catch2/catch.hpp>

#include "dynamodb/one_item.h"

// What a ConditionExpression makes of a stored item (docs/service/expressions.md sections 1 and 5).
namespace test::condition_evaluation_test {
namespace {

struct Outcome {
  std::string expression;
  std::string values;
  bool holds;
};

void check_outcomes(DynamoDb& db, std::initializer_list<Outcome> outcomes) {
  for (const Outcome& one : outcomes) {
    INFO(one.expression << " with " << one.values);
    CHECK(condition_holds(db, condition(one.expression, one.values)) == one.holds);
    CHECK(condition_holds(db, condition("NOT " + one.expression, one.values)) != one.holds);
  }
}

const std::string n = R"(":v": {"N": "1"})";

}  // namespace

TEST_CASE("keywords have any case, white space is free, NOT binds before AND before OR") {
  DynamoDb db;
  db.create_table(the_table);
  store_item(db, R"("t": {"N": "1"}, "f": {"N": "0"})");
  check_outcomes(db, {{"(t=:v)", n, true},
                      {"(t\t=\n:v\r)", n, true},
                      {"(t = :v or f = :v and f = :v)", n, true},
                      {"((t = :v Or f = :v) aNd f = :v)", n, false},
                      {"(not f = :v and t = :v)", n, true},
                      {"(t between :v and :v)", n, true},
                      {"(t in (:v))", n, true}});
}

TEST_CASE("a missing attribute only differs") {
  DynamoDb db;
  db.create_table(the_table);
  const std::string s = R"(":v": {"S": "N"})";
  check_outcomes(db, {{"a <> :v", s, true},
                      {"a = :v", s, false},
                      {"a < :v", s, false},
                      {"a <= :v", s, false},
                      {"a > :v", s, false},
                      {"a >= :v", s, false},
                      {"a IN (:v)", s, false},
                      {"a BETWEEN :v AND :v", s, false},
                      {"begins_with(a, :v)", s, false},
                      {"contains(a, :v)", s, false},
                      {"attribute_type(a, :v)", s, false},
                      {"attribute_exists(a)", "", false},
                      {"attribute_not_exists(a)", "", true},
                      {"attribute_exists(a.b[0].c)", "", false},
                      {"attribute_not_exists(a[3])", "", true}});
}

TEST_CASE("values compare by type, value and order") {
  DynamoDb db;
  db.create_table(the_table);
  store_item(
      db, R"("n": {"N": "10"}, "s": {"S": "b"}, "b": {"B": "Ag=="}, "t": {"BOOL": true}, "u": {"NULL": true},
                    "ss": {"SS": ["a", "b"]}, "ns": {"NS": ["1", "2"]}, "bs": {"BS": ["AQ=="]},
                    "l": {"L": [{"N": "1"}, {"S": "x"}]}, "m": {"M": {"p": {"N": "1"}, "q": {"S": "y"}}},
                    "mark": {"S": "\uFF5E"})");
  check_outcomes(db, {{"n = :v", R"(":v": {"N": "1E1"})", true},
                      {"n = :v", R"(":v": {"S": "10"})", false},
                      {"n <> :v", R"(":v": {"S": "10"})", true},
                      {"n < :v", R"(":v": {"S": "20"})", false},
                      {"n < :v", R"(":v": {"N": "9"})", false},
                      {"n > :v", R"(":v": {"N": "9"})", true},
                      {"n > :v", R"(":v": {"N": "-11"})", true},
                      {"n <= :v", R"(":v": {"N": "10.0"})", true},
                      {"n >= :v", R"(":v": {"N": "10.00000000000000000000000000000000001"})", false},
                      {"n BETWEEN :v AND :w", R"(":v": {"N": "10"}, ":w": {"N": "11"})", true},
                      {"n BETWEEN :v AND :w", R"(":v": {"N": "9"}, ":w": {"N": "10"})", true},
                      {"n BETWEEN :v AND :w", R"(":v": {"S": "0"}, ":w": {"S": "9"})", false},
                      {":v < n", R"(":v": {"N": "9"})", true},
                      {"n IN (:v, :w)", R"(":v": {"S": "10"}, ":w": {"N": "10"})", true},
                      {"s < :v", R"(":v": {"S": "ba"})", true},
                      {"s > :v", R"(":v": {"S": "B"})", true},
                      // UTF-8 order is not UTF-16 order: U+FF5E stands before U+1F600.
                      {"mark < :v", R"(":v": {"S": "😀"})", true},
                      {"b > :v", R"(":v": {"B": "AQL/"})", true},
                      {"b < :v", R"(":v": {"B": "/w=="})", true},
                      {"b < :v", R"(":v": {"B": "AgA="})", true},
                      {"t = :v", R"(":v": {"BOOL": true})", true},
                      {"u = :v", R"(":v": {"NULL": true})", true},
                      {"ss = :v", R"(":v": {"SS": ["b", "a"]})", true},
                      {"ns = :v", R"(":v": {"NS": ["2.0", "1"]})", true},
                      {"l = :v", R"(":v": {"L": [{"N": "1.0"}, {"S": "x"}]})", true},
                      {"l = :v", R"(":v": {"L": [{"S": "x"}, {"N": "1"}]})", false},
                      {"m = :v", R"(":v": {"M": {"q": {"S": "y"}, "p": {"N": "1.0"}}})", true},
                      {"m.p = l[0]", "", true},
                      {"t < s", "", false}});
}

TEST_CASE("functions look inside values") {
  DynamoDb db;
  db.create_table(the_table);
  store_item(db, R"("s": {"S": "aé😀"}, "b": {"B": "AQID"}, "n": {"N": "7"}, "u": {"NULL": true},
                    "ss": {"SS": ["a", ""]}, "ns": {"NS": ["1", "2"]}, "bs": {"BS": ["AQ=="]},
                    "l": {"L": [{"N": "1"}, {"M": {"k": {"S": "v"}}}]}, "m": {"M": {"p": {"N": "1"}}})");
  check_outcomes(db, {{"contains(s, :v)", R"(":v": {"S": "é"})", true},
                      {"contains(s, :v)", R"(":v": {"N": "1"})", false},
                      {"contains(b, :v)", R"(":v": {"B": "AgM="})", true},
                      {"contains(b, :v)", R"(":v": {"B": "AwI="})", false},
                      {"contains(ss, :v)", R"(":v": {"S": ""})", true},
                      {"contains(ss, :v)", R"(":v": {"S": "b"})", false},
                      {"contains(ns, :v)", R"(":v": {"N": "2.0"})", true},
                      {"contains(bs, :v)", R"(":v": {"B": "AQ=="})", true},
                      {"contains(l, :v)", R"(":v": {"M": {"k": {"S": "v"}}})", true},
                      {"contains(l, :v)", R"(":v": {"N": "1.0"})", true},
                      {"contains(m, :v)", R"(":v": {"N": "1"})", false},
                      {"contains(n, :v)", R"(":v": {"N": "7"})", false},
                      {"begins_with(s, :v)", R"(":v": {"S": "aé"})", true},
                      {"begins_with(s, :v)", R"(":v": {"S": "é"})", false},
                      {"begins_with(b, :v)", R"(":v": {"B": "AQI="})", true},
                      {"begins_with(n, :v)", R"(":v": {"S": "7"})", false},
                      {"size(s) = :v", R"(":v": {"N": "4"})", true},
                      {"size(b) = :v", R"(":v": {"N": "3"})", true},
                      {"size(ss) = :v", R"(":v": {"N": "2"})", true},
                      {"size(ns) = :v", R"(":v": {"N": "2"})", true},
                      {"size(bs) = :v", R"(":v": {"N": "1"})", true},
                      {"size(l) = :v", R"(":v": {"N": "2"})", true},
                      {"size(m) = :v", R"(":v": {"N": "1"})", true},
                      {"size(n) <> :v", R"(":v": {"N": "9"})", false},
                      {"size(u) <> :v", R"(":v": {"N": "9"})", false},
                      {"size(zz) <> :v", R"(":v": {"N": "9"})", false},
                      {"attribute_exists(u)", "", true},
                      {"attribute_exists(m.p)", "", true},
                      {"attribute_exists(l[1].k)", "", true},
                      {"attribute_exists(l[2])", "", false},
                      {"attribute_exists(l.k)", "", false}});
  for (const auto& [name, type] : {std::pair("s", "S"),
                                   {"b", "B"},
                                   {"n", "N"},
                                   {"u", "NULL"},
                                   {"ss", "SS"},
                                   {"ns", "NS"},
                                   {"bs", "BS"},
                                   {"l", "L"},
                                   {"m", "M"}}) {
    const std::string right = R"(":v": {"S": ")" + std::string(type) + R"("})";
    check_outcomes(db, {{"attribute_type(" + std::string(name) + ", :v)", right, true},
                        {"attribute_type(" + std::string(name) + ", :v)", R"(":v": {"S": "BOOL"})", false}});
  }
}

TEST_CASE("without an item the condition sees an empty one, and the write's own content counts for nothing") {
  DynamoDb db;
  db.create_table(the_table);
  check_condition_failed(call_item(
      db, "PutItem", R"("Item": {"pk": {"S": "a"}, "x": {"N": "1"}}, )" + condition("attribute_exists(x)")));
  check_condition_failed(call_item(db, "UpdateItem", condition("attribute_exists(pk)")));
  CHECK(condition_holds(db, condition("attribute_not_exists(pk)")));
  CHECK_FALSE(condition_holds(db, condition("attribute_not_exists(pk)")));
}

}  // namespace test::condition_evaluation_test
