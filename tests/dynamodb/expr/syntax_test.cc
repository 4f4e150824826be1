#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "dynamodb/expr/ast.h"
#include "dynamodb/expr/lexer.h"
#include "dynamodb/expr/reserved_words.h"
#include "notation.h"

namespace dinette::dynamodb::expr::syntax_test {
namespace {

using notation::refusal;

const std::string values = R"({":v":{"S":"x"},":w":{"S":"y"},":n":{"N":"1"},":0":{"S":"z"},":l":{"L":[]}})";
const std::string names = R"({"#a":"a","#5star":"five.star","#n":"n"})";

std::string syntax(std::string_view token, std::string_view near) {
  return "Syntax error; token: \"" + std::string(token) + "\", near: \"" + std::string(near) + "\"";
}

TEST_CASE("a syntax error names the token and the window from the token before to the one behind") {
  struct Row {
    Kind kind;
    std::string text, token, near;
  };
  const std::vector<Row> rows = {
      // As answered by the service.
      {Kind::update, "INVALID SYNTAX HERE", "INVALID", "INVALID SYNTAX"},
      {Kind::condition, "!!! INVALID !!!", "!", "!!"},
      {Kind::condition, "attribute_not_exists(", "<EOF>", "("},
      {Kind::condition, "a = = b", "=", "= = b"},
      {Kind::update, "ADD hits : incr", ":", "hits : incr"},
      {Kind::update, "SET a = :v, #, b = :v", "#", ", #,"},
      {Kind::update, "set _something = :something", "_", "set _something"},
      {Kind::condition, "attribute_not_exists(_version)", "_", "(_version"},
      {Kind::condition, "_version = :v", "_", "_version"},
      {Kind::condition, "attribute_exists(car_id) AND NOT #b", "<EOF>", "#b"},
      // By the same rule.
      {Kind::condition, "INVALID SYNTAX HERE", "SYNTAX", "INVALID SYNTAX HERE"},
      {Kind::condition, "a  =\t=  b", "=", "=\t=  b"},
      {Kind::condition, "a", "<EOF>", "a"},
      {Kind::condition, "a =   ", "<EOF>", "="},
      {Kind::condition, " ", "<EOF>", ""},
      {Kind::condition, ")", ")", ")"},
      {Kind::condition, "(a = :v", "<EOF>", ":v"},
      {Kind::condition, "a = :v)", ")", ":v)"},
      {Kind::condition, "a = :v b = :w", "b", ":v b ="},
      {Kind::condition, "a = 5", "5", "= 5"},
      {Kind::condition, "my-attr = :v", "-", "my-attr"},
      {Kind::condition, "5a = :v", "5", "5a"},
      {Kind::condition, "a = \xC3\xA9\xC3\xA9x", "\xC3\xA9", "= \xC3\xA9\xC3\xA9"},
      {Kind::condition, "a = !", "!", "= !"},
      {Kind::condition, "a != :v", "!", "a !="},
      {Kind::condition, "a = 'abc'", "'", "= 'abc"},
      {Kind::update, "SET a = :v * :w", "*", ":v * :w"},
      {Kind::projection, "a, _b", "_", ", _b"},
      {Kind::condition, "a[b] = :v", "b", "[b]"},
      {Kind::condition, "a[-1] = :v", "-", "[-1"},
      {Kind::condition, "a[1 = :v", "=", "1 = :v"},
      {Kind::condition, "a. = :v", "=", ". = :v"},
      {Kind::condition, "a IN :v", ":v", "IN :v"},
      {Kind::condition, "a IN ()", ")", "()"},
      {Kind::condition, "a BETWEEN :v", "<EOF>", ":v"},
      {Kind::condition, "a BETWEEN :v OR :w", "OR", ":v OR :w"},
      {Kind::condition, "attribute_exists()", ")", "()"},
      {Kind::condition, "AND a = :v", "AND", "AND a"},
      {Kind::condition, "NOT", "<EOF>", "NOT"},
      {Kind::condition, "a = (b = :v)", "=", "b = :v"},
      {Kind::condition, ": = a", ":", ": ="},
      {Kind::update, "SET", "<EOF>", "SET"},
      {Kind::update, "SET a", "<EOF>", "a"},
      {Kind::update, "SET a = :v,", "<EOF>", ","},
      {Kind::update, "SET a = :v b = :v", "b", ":v b ="},
      {Kind::update, "SET a = :v, SET b = :v", "SET", ", SET b"},
      {Kind::update, "SET a = a + :n + :n", "+", ":n + :n"},
      {Kind::update, "SET a = if_not_exists(b, :n + :m)", "+", ":n + :m"},
      {Kind::update, "SET a = list_append(b - c, :l)", "-", "b - c"},
      {Kind::update, "SET a = if_not_exists(b, (:n + :m))", "+", ":n + :m"},
      {Kind::update, "SET a <> :v", "<>", "a <> :v"},
      {Kind::update, "SET :v = a", ":v", "SET :v ="},
      {Kind::update, "REMOVE", "<EOF>", "REMOVE"},
      {Kind::update, "REMOVE a = :v", "=", "a = :v"},
      {Kind::update, "ADD a b", "b", "a b"},
      {Kind::update, "DELETE a", "<EOF>", "a"},
      {Kind::update, "a = :v", "a", "a ="},
      {Kind::projection, "a b", "b", "a b"},
      {Kind::projection, "a,", "<EOF>", ","},
      {Kind::projection, ":v", ":v", ":v"},
      {Kind::projection, "size(a)", "(", "size(a"},
      {Kind::key_condition, "a =", "<EOF>", "="},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    CHECK(refusal(row.kind, row.text, names, values) ==
          "Invalid " + std::string(member_name(row.kind)) + ": " + syntax(row.token, row.near));
  }
}

TEST_CASE("keywords have any case, white space is free, and operands may be in parentheses") {
  const std::vector<std::pair<Kind, std::string>> texts = {
      {Kind::condition, "a=:v"},
      {Kind::condition, "\t a \r\n = :v "},
      {Kind::condition, "a <> :v and b < :v Or c <= :v oR d > :v AND e >= :v"},
      {Kind::condition, "a bEtWeEn :v AND :w"},
      {Kind::condition, "a in (:v)"},
      {Kind::condition, "a IN (:v, b, size(c))"},
      {Kind::condition, "NOT a = :v"},
      {Kind::condition, "NOT NOT a = :v"},
      {Kind::condition, "not(a = :v)"},
      {Kind::condition, "size(a) > :n"},
      {Kind::condition, "(size(a)) < b.c"},
      {Kind::condition, "( ( ( size ( #a )) < b.Maximum ) AND ( c > :n ) )"},
      {Kind::condition, "(a) = (:v)"},
      {Kind::condition, ":v = a"},
      {Kind::condition, ":v = :w"},
      {Kind::condition, "contains(:v, a)"},
      {Kind::condition, "begins_with(a, b)"},
      {Kind::condition, "#5star = :0"},
      {Kind::condition, "#a.b[0][12].#n.c = :v"},
      {Kind::condition, "a.b = :v AND a . b [ 0 ] = :v"},
      {Kind::condition, "a1_ = :v"},
      {Kind::condition, "l[007] = :v"},
      {Kind::condition, "l[4294967294] = :v"},
      {Kind::condition, "a = :v AND (b = :v OR c = :v) AND NOT (d = :v)"},
      {Kind::update, "SET a = :v"},
      {Kind::update, "set a = :v remove b add c :n"},
      {Kind::update, "REMOVE a, b[0], c.d SET e = :v"},
      {Kind::update, "SET a = b + :n, c = d - :n"},
      {Kind::update, "SET a = (b + :n)"},
      {Kind::update, "SET a = (b) + (:n)"},
      {Kind::update, "SET a = ((b))"},
      {Kind::update, "SET a = if_not_exists(b, :n) + if_not_exists(c, :n)"},
      {Kind::update, "SET a = if_not_exists(b, (c))"},
      {Kind::update, "SET a = list_append(if_not_exists(b, :l), c)"},
      {Kind::projection, "a"},
      {Kind::projection, "#a, b.c, d[1], e[0].f"},
      {Kind::key_condition, "(a = :v) AND (b > :n)"},
  };
  for (const auto& [kind, text] : texts) {
    CAPTURE(text);
    CHECK(refusal(kind, text, names, values).empty());
  }
}

TEST_CASE("a syntax error anywhere wins over what else is wrong, and those rank among themselves") {
  CHECK(refusal(Kind::condition, "status = :v AND AND") ==
        "Invalid ConditionExpression: " + syntax("AND", "AND AND"));
  CHECK(refusal(Kind::condition, "size(a) AND nope(b) AND status = :v AND ((a = :v))") ==
        "Invalid ConditionExpression: The expression has redundant parentheses;");
  CHECK(refusal(Kind::condition, "size(a) AND nope(b) AND status = :v") ==
        "Invalid ConditionExpression: Attribute name is a reserved keyword; reserved keyword: status");
  CHECK(refusal(Kind::condition, "size(a) AND nope(b)") ==
        "Invalid ConditionExpression: Invalid function name; function: nope");
}

TEST_CASE("reserved words need a placeholder at every position of every expression") {
  const auto reserved = [](std::string_view word) {
    return "Attribute name is a reserved keyword; reserved keyword: " + std::string(word);
  };
  CHECK(refusal(Kind::condition, "Name = :v") == "Invalid ConditionExpression: " + reserved("Name"));
  CHECK(refusal(Kind::filter, "a.status = :v") == "Invalid FilterExpression: " + reserved("status"));
  CHECK(refusal(Kind::filter, "attribute_exists(a[0].DATA)") ==
        "Invalid FilterExpression: " + reserved("DATA"));
  CHECK(refusal(Kind::update, "SET a = year") == "Invalid UpdateExpression: " + reserved("year"));
  CHECK(refusal(Kind::update, "REMOVE sEt2, timestamp") ==
        "Invalid UpdateExpression: " + reserved("timestamp"));
  CHECK(refusal(Kind::projection, "a, b.items") == "Invalid ProjectionExpression: " + reserved("items"));
  CHECK(refusal(Kind::key_condition, "hash = :v") == "Invalid KeyConditionExpression: " + reserved("hash"));
  // A keyword of another grammar is an ordinary reserved word; one of the own grammar is no name at all.
  CHECK(refusal(Kind::condition, "set = :v") == "Invalid ConditionExpression: " + reserved("set"));
  CHECK(refusal(Kind::projection, "between") == "Invalid ProjectionExpression: " + reserved("between"));
  CHECK(refusal(Kind::update, "SET and = :v") == "Invalid UpdateExpression: " + reserved("and"));
  CHECK(refusal(Kind::update, "SET set = :v") == "Invalid UpdateExpression: " + syntax("set", "SET set ="));
}

TEST_CASE("the list of reserved words is whole") {
  CHECK(is_reserved_word("ABORT"));
  CHECK(is_reserved_word("zone"));
  CHECK(is_reserved_word("Size"));
  CHECK_FALSE(is_reserved_word("abort1"));
  CHECK_FALSE(is_reserved_word(""));
  CHECK_FALSE(is_reserved_word("pk"));
  CHECK_FALSE(is_reserved_word(std::string(4096, 'A')));
}

TEST_CASE("a pair of parentheses may not directly wrap another pair") {
  const std::string redundant = "The expression has redundant parentheses;";
  for (const std::string text : {"((a = :v))", "(((a = :v)))", "((a)) = :v", "a = ((:v))",
                                 "b = :v AND ((a = :v))", "NOT ((a = :v))", "a IN (((:v)))"}) {
    CAPTURE(text);
    CHECK(refusal(Kind::condition, text, names, values) == "Invalid ConditionExpression: " + redundant);
    CHECK(refusal(Kind::filter, text, names, values) == "Invalid FilterExpression: " + redundant);
    CHECK(refusal(Kind::key_condition, text, names, values) ==
          "Invalid KeyConditionExpression: " + redundant);
  }
  for (const std::string text :
       {"(a = :v)", "(a = :v) AND (b = :v)", "(a = :v AND (b = :v))", "(NOT (a = :v))", "NOT (a = :v)",
        "((a = :v) AND b = :v)", "((a) = :v)", "a IN ((:v))"}) {
    CAPTURE(text);
    CHECK(refusal(Kind::condition, text, names, values).empty());
  }
}

TEST_CASE("functions are known by their exact names, places and operand counts") {
  struct Row {
    Kind kind;
    std::string text, problem;
  };
  const std::string misused = "The function is not allowed to be used this way in an expression; function: ";
  const std::string count = "Incorrect number of operands for operator or function; operator or function: ";
  const std::vector<Row> rows = {
      {Kind::condition, "nope(a)", "Invalid function name; function: nope"},
      {Kind::condition, "Contains(a, :v)", "Invalid function name; function: Contains"},
      {Kind::condition, "a = SIZE(b)", "Invalid function name; function: SIZE"},
      {Kind::condition, "size(a)", misused + "size"},
      {Kind::condition, "NOT size(a)", misused + "size"},
      {Kind::condition, "(size(a)) AND b = :v", misused + "size"},
      {Kind::condition, "attribute_exists(a) = :v", misused + "attribute_exists"},
      {Kind::condition, "(attribute_exists(a) = :v)", misused + "attribute_exists"},
      {Kind::condition, "a = contains(b, :v)", misused + "contains"},
      {Kind::condition, "contains(a, begins_with(b, :v))", misused + "begins_with"},
      {Kind::condition, "size(a, b) = :n", count + "size, number of operands: 2"},
      {Kind::condition, "begins_with(a)", count + "begins_with, number of operands: 1"},
      {Kind::condition, "attribute_exists(a, b)", count + "attribute_exists, number of operands: 2"},
      {Kind::condition, "attribute_exists(:v)",
       "Operator or function requires a document path; operator or function: attribute_exists"},
      {Kind::condition, "if_not_exists(a, :v) = :v",
       "The function is not allowed in a condition expression; function: if_not_exists"},
      {Kind::update, "SET a = attribute_exists(b)",
       "The function is not allowed in an update expression; function: attribute_exists"},
      {Kind::update, "SET a = size(b)",
       "The function is not allowed in an update expression; function: size"},
      {Kind::update, "SET a = nope(b)", "Invalid function name; function: nope"},
      {Kind::update, "SET a = if_not_exists(:v, :v)",
       "Operator or function requires a document path; operator or function: if_not_exists"},
      {Kind::update, "SET a = if_not_exists(b)", count + "if_not_exists, number of operands: 1"},
      {Kind::update, "SET a = list_append(list_append(b, :l), :l)", misused + "list_append"},
      {Kind::update, "SET a = list_append(:l, (list_append(b, :l)))", misused + "list_append"},
      {Kind::update, "SET a = list_append(b, c, d)", count + "list_append, number of operands: 3"},
      {Kind::update, "SET a = :v SET b = :v",
       "The \"SET\" section can only be used once in an update expression;"},
      {Kind::update, "REMOVE a SET b = :v REMOVE c",
       "The \"REMOVE\" section can only be used once in an update expression;"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    CHECK(refusal(row.kind, row.text, names, values) ==
          "Invalid " + std::string(member_name(row.kind)) + ": " + row.problem);
  }
}

TEST_CASE("an expression has 1 to 4096 bytes") {
  const auto message = [](std::string_view text, SizeTail tail) {
    const auto parsed = parse(Kind::condition, text, tail);
    return parsed.ok() ? std::string() : parsed.error().message;
  };
  CHECK(message("", SizeTail::omitted) == "Invalid ConditionExpression: The expression can not be empty;");
  const std::string start = "attribute_exists(a)";
  const std::string longest = start + std::string(4096 - start.size(), ' ');
  CHECK(message(longest, SizeTail::omitted).empty());
  CHECK(message(longest + " ", SizeTail::omitted) ==
        "Invalid ConditionExpression: Expression size has exceeded the maximum allowed size;");
  CHECK(message(longest + "!", SizeTail::printed) ==
        "Invalid ConditionExpression: Expression size has exceeded the maximum allowed size; expression "
        "size: 4097");
}

std::string repeated(std::size_t times, const std::string& part, const std::string& separator) {
  std::string text = part;
  for (std::size_t i = 1; i < times; ++i) text += separator + part;
  return text;
}

TEST_CASE("an expression has up to 300 operators and functions, IN up to 100 operands") {
  const std::string too_many =
      "Invalid FilterExpression: The expression contains too many operators; operator count: 301";
  // 150 comparisons and the 149 operators between them, then one and two more.
  const std::string most = repeated(150, "a=:v", " OR ");
  CHECK(refusal(Kind::filter, most, names, values).empty());
  CHECK(refusal(Kind::filter, "NOT " + most, names, values).empty());
  CHECK(refusal(Kind::filter, "NOT NOT " + most, names, values) == too_many);
  CHECK(refusal(Kind::filter, most + " OR attribute_exists(b)", names, values) == too_many);
  CHECK(refusal(Kind::filter, "a IN (" + repeated(100, ":v", ",") + ")", names, values).empty());
  CHECK(refusal(Kind::filter, "a IN (" + repeated(101, ":v", ",") + ")", names, values) ==
        "Invalid FilterExpression: The IN operator is provided with too many operands; number of operands: "
        "101");
}

TEST_CASE("paths have up to 32 elements and list positions below 2^32 - 1") {
  CHECK(refusal(Kind::projection, repeated(32, "a", ".")).empty());
  CHECK(refusal(Kind::projection, repeated(33, "a", ".")) ==
        "Invalid ProjectionExpression: The document path has too many nesting elements; nesting levels: 33");
  CHECK(refusal(Kind::update, "REMOVE l[4294967295]") ==
        "Invalid UpdateExpression: List index is not within the allowable range; index: [4294967295]");
  CHECK(refusal(Kind::projection, "l[99999999999999999999999]") ==
        "Invalid ProjectionExpression: List index is not within the allowable range; index: "
        "[99999999999999999999999]");
}

// `inner` within `times` pairs of `open` and a closing parenthesis.
std::string nested(std::size_t times, const std::string& open, const std::string& inner) {
  return repeated(times, open, "") + inner + std::string(times, ')');
}

TEST_CASE("no depth of nesting does harm, and each is refused for what is wrong with it") {
  const std::string condition = "Invalid ConditionExpression: ";
  const std::string update = "Invalid UpdateExpression: ";
  const std::string many = "The expression contains too many operators; operator count: 301";
  const std::string redundant = "The expression has redundant parentheses;";
  const auto of_condition = [&](const std::string& text) {
    return refusal(Kind::condition, text, names, values);
  };
  const auto of_update = [&](const std::string& text) {
    return refusal(Kind::update, "SET a=" + text, names, values);
  };

  SECTION("NOT") {
    CHECK(of_condition(repeated(299, "NOT", " ") + " a=:v").empty());
    for (const std::size_t times : {300U, 604U, 605U, 1000U}) {
      CHECK(of_condition(repeated(times, "NOT", " ") + " a=:v") == condition + many);
    }
    CHECK(of_condition(nested(750, "NOT(", "a=:v")) == condition + many);
    CHECK(of_condition(repeated(1000, "NOT", " ")) == condition + syntax("<EOF>", "NOT"));
    CHECK(of_condition(repeated(1000, "NOT", " ") + " a=:v b") == condition + syntax("b", ":v b"));
  }
  SECTION("AND and OR") {
    CHECK(of_condition(repeated(400, "a=:v", " AND ") + " AND a") == condition + syntax("<EOF>", "a"));
    CHECK(of_condition(repeated(455, "a=:v", " AND ")) == condition + many);
    CHECK(of_condition(repeated(500, "a=:v", " OR ")) == condition + many);
    CHECK(of_condition(nested(400, "(a=:v OR", "(a=:v)")) == condition + many);
  }
  SECTION("parentheses") {
    CHECK(of_condition(nested(2000, "(", "a=:v")) == condition + redundant);
    CHECK(of_condition(nested(2000, "(", "a") + "=:v") == condition + redundant);
    CHECK(of_condition("a=" + nested(2000, "(", ":v")) == condition + redundant);
    CHECK(of_condition(std::string(4096, '(')) == condition + syntax("<EOF>", "("));
    CHECK(of_condition(nested(2000, "(", "a=:v") + ")") == condition + syntax(")", "))"));
    CHECK(of_update(nested(2000, "(", ":v")).empty());
    CHECK(of_update(std::string(4080, '(')) == update + syntax("<EOF>", "("));
    CHECK(of_update(nested(299, "(a+", ":n")).empty());
    CHECK(of_update(nested(800, "(a+", ":n")) == update + many);
  }
  SECTION("function calls") {
    CHECK(of_condition(nested(300, "size(", "a") + "=:v") ==
          condition + "Operator or function requires a document path; operator or function: size");
    CHECK(of_condition(nested(600, "size(", "a") + "=:v") == condition + many);
    CHECK(of_condition(nested(1300, "f(", "a")) == condition + many);
    CHECK(of_update(repeated(270, "list_append(:l,", "")) == update + syntax("<EOF>", ","));
    CHECK(of_update(nested(230, "if_not_exists(a,", ":v")).empty());
    CHECK(of_update(nested(1300, "f(", "a")) == update + many);
  }
}

}  // namespace
}  // namespace dinette::dynamodb::expr::syntax_test
