#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "notation.h"

namespace dinette::dynamodb::expr::key_condition_test {
namespace {

using model::Type;
using notation::refusal;
using notation::Request;

const std::string values = R"({
  ":p":{"S":"p"}, ":s":{"S":"s"}, ":t":{"S":"t"}, ":n":{"N":"1"}, ":m":{"N":"2"}, ":b":{"B":"AQ=="},
  ":yes":{"BOOL":true}, ":list":{"L":[]}, ":empty":{"S":""}, ":none":{"B":""}
})";
const std::string names = R"({"#pk":"pk"})";

TEST_CASE("what a key condition refuses before any table is looked up") {
  const std::string prefix = "Invalid KeyConditionExpression: ";
  const std::string wrong =
      prefix + "Incorrect operand type for operator or function; operator or function: ";
  const std::string undefined =
      prefix + "An expression attribute value used in expression is not defined; attribute value: ";
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"pk = :p AND begins_with(sk, :n)", wrong + "begins_with, operand type: N"},
      {"pk = :p AND begins_with(sk, :yes)", wrong + "begins_with, operand type: BOOL"},
      {"pk = :p AND sk < :yes", wrong + "<, operand type: BOOL"},
      {"pk = :p AND :yes <= sk", wrong + "<=, operand type: BOOL"},
      {"pk = :p AND sk BETWEEN :list AND :s", wrong + "BETWEEN, operand type: L"},
      {"pk = :x AND sk < :yes", undefined + ":x"},
      {"sk < :yes AND pk = :x", wrong + "<, operand type: BOOL"},
      {"pk = :p AND sk BETWEEN :t AND :s",
       prefix + "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower "
                "bound operand: "
                "AttributeValue: {S:t}, upper bound operand: AttributeValue: {S:s}"},
      {"pk = :p AND pk = :s", prefix + "KeyConditionExpressions must only contain one condition per key"},
      {"pk = :p AND sk > :s AND sk < :t",
       prefix + "KeyConditionExpressions must only contain one condition per key"},
      {"pk = :p AND #pk = :s", prefix + "KeyConditionExpressions must only contain one condition per key"},
      {"pk.a = :p", prefix + "KeyConditionExpressions cannot have conditions on nested attributes"},
      {"pk = :p AND sk[0] = :s",
       prefix + "KeyConditionExpressions cannot have conditions on nested attributes"},
      {"pk = :p AND size(sk) = :n", prefix + "KeyConditionExpressions cannot contain nested operations"},
      {"pk = :p OR sk = :s", prefix + "Invalid operator used in KeyConditionExpression: OR"},
      {"NOT pk = :p", prefix + "Invalid operator used in KeyConditionExpression: NOT"},
      {"pk IN (:p)", prefix + "Invalid operator used in KeyConditionExpression: IN"},
      {"pk = :p AND sk <> :s", prefix + "Invalid operator used in KeyConditionExpression: <>"},
      {"pk = :p AND attribute_exists(sk)",
       prefix + "Invalid operator used in KeyConditionExpression: attribute_exists"},
      {"pk = :p AND contains(sk, :s)", prefix + "Invalid operator used in KeyConditionExpression: contains"},
      // From the top of the tree down, before the leaves.
      {"pk = :p OR pk = :s", prefix + "Invalid operator used in KeyConditionExpression: OR"},
      {"pk = :x OR sk = :s", prefix + "Invalid operator used in KeyConditionExpression: OR"},
      {"NOT pk.a = :x", prefix + "Invalid operator used in KeyConditionExpression: NOT"},
      {"pk = :p AND NOT sk < :yes", prefix + "Invalid operator used in KeyConditionExpression: NOT"},
      {"pk = :x AND (sk = :s OR sk = :t)", undefined + ":x"},
      {"pk = sk",
       prefix +
           "Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition"},
      {":p = :s", prefix + "Invalid condition in KeyConditionExpression: No key attribute specified"},
      {"pk = :p AND begins_with(:s, sk)",
       prefix + "Invalid condition in KeyConditionExpression: No key attribute specified"},
      {"pk = :p AND :s BETWEEN sk AND :t",
       prefix +
           "Invalid condition in KeyConditionExpression: BETWEEN operator must have the key attribute as "
           "its first operand"},
      {"pk = pk", prefix +
                      "The first operand must be distinct from the remaining operands for this operator or "
                      "function; operator: =, first operand: [pk]"},
  };
  for (const auto& [text, problem] : rows) {
    CAPTURE(text);
    CHECK(refusal(Kind::key_condition, text, names, values) == problem);
  }
}

std::string written(const KeyClause& clause) {
  constexpr std::array<std::string_view, 7> symbols = {"=", "<", "<=", ">", ">=", "BETWEEN", "begins_with"};
  std::string text = std::string(clause.attribute) + " " +
                     std::string(symbols[static_cast<std::size_t>(clause.op)]) + " " +
                     notation::json(*clause.value).dump();
  if (clause.high != nullptr) text += " " + notation::json(*clause.high).dump();
  return text;
}

/// The clauses laid over a schema, `hash | range`, or the refusal.
std::string matched(std::string_view text, const std::vector<KeyPart>& schema) {
  CAPTURE(text);
  Request request(names, values);
  const auto parsed = parse(Kind::key_condition, text, SizeTail::omitted);
  REQUIRE(parsed.ok());
  const auto condition = bind_key_condition(*parsed, request.placeholders);
  if (!condition.ok()) FAIL(condition.error().message);
  const auto key = match_key(condition->clauses, schema);
  if (!key.ok()) return key.error().message;
  std::string result;
  for (const KeyClause& clause : key->hash) result += written(clause) + "; ";
  result += "|";
  for (const KeyClause& clause : key->range) result += " " + written(clause) + ";";
  return result;
}

const std::vector<KeyPart> hash_only = {{"pk", Type::string, true}};
const std::vector<KeyPart> hash_and_range = {{"pk", Type::string, true}, {"sk", Type::string, false}};
const std::vector<KeyPart> number_range = {{"pk", Type::string, true}, {"sk", Type::number, false}};

TEST_CASE("clauses in either order, operands on either side, parentheses singly or as a whole") {
  const std::string p = R"(pk = {"S":"p"}; |)";
  CHECK(matched("pk = :p", hash_only) == p);
  CHECK(matched("#pk = :p", hash_and_range) == p);
  CHECK(matched(":p = pk", hash_only) == p);
  CHECK(matched("(pk = :p) AND (sk = :s)", hash_and_range) == p + R"( sk = {"S":"s"};)");
  CHECK(matched("(sk < :s AND pk = :p)", hash_and_range) == p + R"( sk < {"S":"s"};)");
  CHECK(matched("pk = :p AND sk <= :s", hash_and_range) == p + R"( sk <= {"S":"s"};)");
  CHECK(matched("pk = :p AND sk > :n", number_range) == p + R"( sk > {"N":"1"};)");
  CHECK(matched("pk = :p AND sk >= :n", number_range) == p + R"( sk >= {"N":"1"};)");
  CHECK(matched("pk = :p AND :n <= sk", number_range) == p + R"( sk >= {"N":"1"};)");
  CHECK(matched("pk = :p AND :n > sk", number_range) == p + R"( sk < {"N":"1"};)");
  CHECK(matched("pk = :p AND sk BETWEEN :n AND :m", number_range) ==
        p + R"( sk BETWEEN {"N":"1"} {"N":"2"};)");
  CHECK(matched("begins_with(sk, :s) AND pk = :p", hash_and_range) == p + R"( sk begins_with {"S":"s"};)");
}

TEST_CASE("a key condition that does not fit the key schema is refused with what is missing or wrong") {
  const std::string missed = "Query condition missed key schema element: ";
  const std::string mismatch =
      "One or more parameter values were invalid: Condition parameter type does not match schema type";
  CHECK(matched("sk = :s", hash_and_range) == missed + "pk");
  CHECK(matched("foo = :s", hash_only) == missed + "pk");
  CHECK(matched("pk = :p AND foo = :s", hash_and_range) == missed + "sk");
  CHECK(matched("pk = :p AND sk = :s AND foo = :t", hash_and_range) ==
        "The number of query conditions (3) exceeds the number of key attributes defined in the schema (2)");
  CHECK(matched("pk < :p", hash_only) == "Query key condition not supported");
  CHECK(matched("begins_with(pk, :p) AND sk = :s", hash_and_range) == "Query key condition not supported");
  CHECK(matched("pk BETWEEN :p AND :s", hash_only) == "Query key condition not supported");
  CHECK(matched("pk = :n", hash_only) == mismatch);
  CHECK(matched("pk = :yes", hash_only) == mismatch);
  CHECK(matched("pk = :p AND sk = :n", hash_and_range) == mismatch);
  CHECK(matched("pk = :p AND begins_with(sk, :s)", number_range) == mismatch);
  CHECK(matched("pk = :p AND begins_with(sk, :b)", hash_and_range) == mismatch);
  const std::string empty =
      "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an "
      "empty ";
  CHECK(matched("pk = :empty", hash_only) == empty + "string value. Key: pk");
  CHECK(matched("pk = :none", {{"pk", Type::binary, true}}) == empty + "binary value. Key: pk");
  CHECK(matched("pk = :p AND sk BETWEEN :empty AND :s", hash_and_range) == empty + "string value. Key: sk");
}

TEST_CASE("a key of several attributes needs every HASH attribute, and RANGE attributes from the left") {
  const std::vector<KeyPart> schema = {{"h1", Type::string, true},
                                       {"h2", Type::number, true},
                                       {"r1", Type::string, false},
                                       {"r2", Type::string, false},
                                       {"r3", Type::number, false}};
  const std::string hash = R"(h1 = {"S":"p"}; h2 = {"N":"1"}; |)";
  CHECK(matched("h2 = :n AND h1 = :p", schema) == hash);
  const auto unequal = [](const std::string& open) {
    return "HASH key attributes " + open + " must have equality conditions specified in the query";
  };
  CHECK(matched("h1 = :p", schema) == unequal("h2"));
  CHECK(matched("r1 = :s AND h2 = :n", schema) == unequal("h1"));
  CHECK(matched("r1 = :s", schema) == unequal("h1, h2"));
  CHECK(matched("h1 = :p AND h2 < :n", schema) == unequal("h2"));
  CHECK(matched("h1 = :p AND h2 = :n AND foo = :s", schema) ==
        "Query condition missed key schema element: r1");
  CHECK(matched("r2 > :t AND h1 = :p AND r1 = :s AND h2 = :n", schema) ==
        hash + R"( r1 = {"S":"s"}; r2 > {"S":"t"};)");
  CHECK(matched("h1 = :p AND h2 = :n AND r1 = :s AND r2 = :t AND r3 BETWEEN :n AND :m", schema) ==
        hash + R"( r1 = {"S":"s"}; r2 = {"S":"t"}; r3 BETWEEN {"N":"1"} {"N":"2"};)");
  const auto needs_equality = [](std::string_view open, std::string_view on) {
    return "RANGE key attributes " + std::string(open) +
           " must have equality conditions specified in the query because a condition is present on key "
           "attribute " +
           std::string(on);
  };
  CHECK(matched("h1 = :p AND h2 = :n AND r2 = :s", schema) == needs_equality("r1", "r2"));
  CHECK(matched("h1 = :p AND h2 = :n AND r1 > :s AND r2 = :s", schema) == needs_equality("r1", "r2"));
  CHECK(matched("h1 = :p AND h2 = :n AND r3 = :n", schema) == needs_equality("r1, r2", "r3"));
}

}  // namespace
}  // namespace dinette::dynamodb::expr::key_condition_test
