#include <optional>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "notation.h"

namespace dinette::dynamodb::expr::update_test {
namespace {

using notation::Json;
using notation::refusal;
using notation::Request;

TEST_CASE("static refusals of updates") {
  const std::string values =
      R"({":s":{"S":"x"},":n":{"N":"1"},":l":{"L":[]},":m":{"M":{}},":b":{"B":""},":yes":{"BOOL":true},)"
      R"(":null":{"NULL":true},":ss":{"SS":["a"]}})";
  const std::string wrong = "Incorrect operand type for operator or function; operator";
  const std::string overlap =
      "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: ";
  struct Row {
    std::string text, problem;
  };
  const std::vector<Row> rows = {
      {"SET a = b + :s", wrong + " or function: +, operand type: S"},
      {"SET a = :l - b", wrong + " or function: -, operand type: L"},
      {"SET a = b - list_append(:l, c)", wrong + " or function: -, operand type: L"},
      {"SET a = list_append(b, :s)", wrong + " or function: list_append, operand type: S"},
      {"SET a = list_append(:m, b)", wrong + " or function: list_append, operand type: M"},
      {"ADD a :s", wrong + ": ADD, operand type: STRING, typeSet: ALLOWED_FOR_ADD_OPERAND"},
      {"ADD a :l", wrong + ": ADD, operand type: LIST, typeSet: ALLOWED_FOR_ADD_OPERAND"},
      {"ADD a :m", wrong + ": ADD, operand type: MAP, typeSet: ALLOWED_FOR_ADD_OPERAND"},
      {"DELETE a :n", wrong + ": DELETE, operand type: NUMBER, typeSet: ALLOWED_FOR_DELETE_OPERAND"},
      {"DELETE a :b", wrong + ": DELETE, operand type: BINARY, typeSet: ALLOWED_FOR_DELETE_OPERAND"},
      {"DELETE a :yes", wrong + ": DELETE, operand type: BOOLEAN, typeSet: ALLOWED_FOR_DELETE_OPERAND"},
      {"DELETE a :null", wrong + ": DELETE, operand type: NULL, typeSet: ALLOWED_FOR_DELETE_OPERAND"},
      {"SET a = :s, a = :n", overlap + "[a], path two: [a]"},
      {"SET a.b = :s REMOVE a", overlap + "[a, b], path two: [a]"},
      {"ADD a :n DELETE a[0] :ss", overlap + "[a], path two: [a, [0]]"},
      {"SET f = :s, #f = :n", overlap + "[f], path two: [f]"},
      {"SET a.b = :s, a[0] = :s",
       "Two document paths conflict with each other; must remove or rewrite one of these paths; path one: "
       "[a, b], "
       "path two: [a, [0]]"},
      // Undefined placeholders come before overlaps, those before types.
      {"SET a = b + :s, a = :x",
       "An expression attribute value used in expression is not defined; attribute value: :x"},
      {"SET a = b + :s, a = :n", overlap + "[a], path two: [a]"},
      // Names come before values, and overlaps before conflicts.
      {"SET a = :x, b = #x",
       "An expression attribute name used in the document path is not defined; attribute name: #x"},
      {"SET a = :x REMOVE #x",
       "An expression attribute name used in the document path is not defined; attribute name: #x"},
      {"REMOVE a.b, a[0], c, c.d", overlap + "[c], path two: [c, d]"},
      {"SET #x = :x",
       "An expression attribute name used in the document path is not defined; attribute name: #x"},
      {"SET a = if_not_exists(#x, :x)",
       "An expression attribute name used in the document path is not defined; attribute name: #x"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    CHECK(refusal(Kind::update, row.text, R"({"#f":"f"})", values) ==
          "Invalid UpdateExpression: " + row.problem);
  }
}

const model::Item stored = notation::item(R"({
  "pk":{"S":"1"}, "n":{"N":"10"}, "s":{"S":"text"}, "t":{"S":"other"}, "nil":{"NULL":true},
  "l":{"L":[{"S":"a"},{"S":"b"},{"S":"c"},{"M":{"k":{"N":"1"}}}]}, "m":{"M":{"k":{"N":"5"},"o":{"M":{}}}},
  "ss":{"SS":["a","b"]}, "ns":{"NS":["1","2"]}, "bs":{"BS":["AQ=="]}
})");
const model::Item key = notation::item(R"({"pk":{"S":"1"}})");

const std::string values = R"({
  ":v":{"S":"new"}, ":w":{"S":"newer"}, ":one":{"N":"1"}, ":two":{"N":"2.50"}, ":l":{"L":[{"S":"x"},{"S":"y"}]},
  ":m":{"M":{"q":{"S":"r"}}}, ":ss":{"SS":["b","c"]}, ":ns":{"NS":["2.0","3"]}, ":bs":{"BS":["Ag=="]},
  ":all":{"SS":["b","a"]}, ":none":{"SS":["z"]}, ":big":{"N":"9.9e125"}, ":tiny":{"N":"1e-130"}, ":null":{"NULL":true}
})";

base::Result<std::optional<model::Item>, ExpressionError> applied(std::string_view text,
                                                                  const model::Item* old = &stored) {
  CAPTURE(text);
  Request request(R"({"#dot":"m.k"})", values);
  const auto parsed = parse(Kind::update, text, SizeTail::omitted);
  REQUIRE(parsed.ok());
  const auto update = bind_update(*parsed, request.placeholders);
  if (!update.ok()) FAIL(update.error().message);
  return update->apply(old, key);
}

/// The attributes in which the new item differs from the old one, null for those that are gone.
Json changes(const model::Item& before, const model::Item& after) {
  Json changed = Json::object();
  for (const model::Attribute& attribute : before) {
    const auto* now = after.find(attribute.name);
    if (now == nullptr) changed[attribute.name] = nullptr;
    if (now != nullptr && !(*now == attribute.value)) changed[attribute.name] = notation::json(*now);
  }
  for (const model::Attribute& attribute : after) {
    if (!before.contains(attribute.name)) changed[attribute.name] = notation::json(attribute.value);
  }
  return changed;
}

TEST_CASE("what updates do to an item") {
  struct Row {
    std::string text, changed;
  };
  const std::vector<Row> rows = {
      {"SET s = :v", R"({"s":{"S":"new"}})"},
      {"SET x = :v", R"({"x":{"S":"new"}})"},
      {"SET #dot = :v", R"({"m.k":{"S":"new"}})"},
      {"SET s = t, t = s", R"({"s":{"S":"other"},"t":{"S":"text"}})"},
      {"SET x = m.k, m.k = :v", R"({"x":{"N":"5"},"m":{"M":{"k":{"S":"new"},"o":{"M":{}}}}})"},
      {"SET m.x = :v", R"({"m":{"M":{"k":{"N":"5"},"o":{"M":{}},"x":{"S":"new"}}}})"},
      {"SET m.o.x = :v", R"({"m":{"M":{"k":{"N":"5"},"o":{"M":{"x":{"S":"new"}}}}}})"},
      {"SET m.o.x = :v, m.k = n", R"({"m":{"M":{"k":{"N":"10"},"o":{"M":{"x":{"S":"new"}}}}}})"},
      {"SET l[1] = :v", R"({"l":{"L":[{"S":"a"},{"S":"new"},{"S":"c"},{"M":{"k":{"N":"1"}}}]}})"},
      {"SET l[3].k = :v", R"({"l":{"L":[{"S":"a"},{"S":"b"},{"S":"c"},{"M":{"k":{"S":"new"}}}]}})"},
      {"SET l[99] = :w, l[50] = :v",
       R"({"l":{"L":[{"S":"a"},{"S":"b"},{"S":"c"},{"M":{"k":{"N":"1"}}},{"S":"new"},{"S":"newer"}]}})"},
      {"SET l[4000000000] = :v",
       R"({"l":{"L":[{"S":"a"},{"S":"b"},{"S":"c"},{"M":{"k":{"N":"1"}}},{"S":"new"}]}})"},
      {"SET n = n + :one", R"({"n":{"N":"11"}})"},
      {"SET n = n - :two", R"({"n":{"N":"7.5"}})"},
      {"SET n = (:one - n)", R"({"n":{"N":"-9"}})"},
      {"SET n = n + n", R"({"n":{"N":"20"}})"},
      {"SET x = n + m.k", R"({"x":{"N":"15"}})"},
      {"SET x = if_not_exists(x, :one) + :one", R"({"x":{"N":"2"}})"},
      {"SET n = if_not_exists(n, :one) + :one", R"({"n":{"N":"11"}})"},
      {"SET x = if_not_exists(s, :v)", R"({"x":{"S":"text"}})"},
      {"SET s = if_not_exists(x, :v)", R"({"s":{"S":"new"}})"},
      {"SET s = if_not_exists(nil, :v)", R"({"s":{"NULL":true}})"},
      {"SET x = if_not_exists(y, if_not_exists(z, n))", R"({"x":{"N":"10"}})"},
      {"SET x = if_not_exists(y, n) + :one", R"({"x":{"N":"11"}})"},
      {"SET x = if_not_exists(y, (n))", R"({"x":{"N":"10"}})"},
      {"SET x = if_not_exists(y, list_append(:l, :l))",
       R"({"x":{"L":[{"S":"x"},{"S":"y"},{"S":"x"},{"S":"y"}]}})"},
      {"SET x = list_append(:l, if_not_exists(y, list_append(:l, :l)))",
       R"({"x":{"L":[{"S":"x"},{"S":"y"},{"S":"x"},{"S":"y"},{"S":"x"},{"S":"y"}]}})"},
      {"SET x = list_append(:l, :l)", R"({"x":{"L":[{"S":"x"},{"S":"y"},{"S":"x"},{"S":"y"}]}})"},
      {"SET x = list_append(l, :l)",
       R"({"x":{"L":[{"S":"a"},{"S":"b"},{"S":"c"},{"M":{"k":{"N":"1"}}},{"S":"x"},{"S":"y"}]}})"},
      {"SET x = list_append(if_not_exists(x, :l), :l)",
       R"({"x":{"L":[{"S":"x"},{"S":"y"},{"S":"x"},{"S":"y"}]}})"},
      {"SET s = :null", R"({"s":{"NULL":true}})"},
      {"REMOVE s", R"({"s":null})"},
      {"REMOVE x", "{}"},
      {"REMOVE m.x", "{}"},
      {"REMOVE m.k, s", R"({"m":{"M":{"o":{"M":{}}}},"s":null})"},
      {"REMOVE l[0], l[2]", R"({"l":{"L":[{"S":"b"},{"M":{"k":{"N":"1"}}}]}})"},
      {"REMOVE l[2], l[0]", R"({"l":{"L":[{"S":"b"},{"M":{"k":{"N":"1"}}}]}})"},
      {"REMOVE l[0], l[1], l[2], l[3]", R"({"l":{"L":[]}})"},
      {"REMOVE l[77]", "{}"},
      {"REMOVE l[0] SET l[1] = :v, l[9] = :w",
       R"({"l":{"L":[{"S":"new"},{"S":"c"},{"M":{"k":{"N":"1"}}},{"S":"newer"}]}})"},
      {"REMOVE l[1] SET l[3].k = :v", R"({"l":{"L":[{"S":"a"},{"S":"c"},{"M":{"k":{"S":"new"}}}]}})"},
      {"SET x = l[0] REMOVE l[0]",
       R"({"x":{"S":"a"},"l":{"L":[{"S":"b"},{"S":"c"},{"M":{"k":{"N":"1"}}}]}})"},
      {"ADD n :two", R"({"n":{"N":"12.5"}})"},
      {"ADD x :two", R"({"x":{"N":"2.5"}})"},
      {"ADD m.k :one", R"({"m":{"M":{"k":{"N":"6"},"o":{"M":{}}}}})"},
      {"ADD m.x :ss", R"({"m":{"M":{"k":{"N":"5"},"o":{"M":{}},"x":{"SS":["b","c"]}}}})"},
      {"ADD ss :ss", R"({"ss":{"SS":["a","b","c"]}})"},
      {"ADD ss :all", "{}"},
      {"ADD x :ss", R"({"x":{"SS":["b","c"]}})"},
      {"ADD ns :ns", R"({"ns":{"NS":["1","2","3"]}})"},
      {"ADD bs :bs", R"({"bs":{"BS":["AQ==","Ag=="]}})"},
      {"DELETE ss :ss", R"({"ss":{"SS":["a"]}})"},
      {"DELETE ss :none", "{}"},
      {"DELETE ss :all", R"({"ss":null})"},
      {"DELETE x :ss", "{}"},
      {"DELETE ns :ns", R"({"ns":{"NS":["1"]}})"},
      {"SET s = :v REMOVE t ADD n :one DELETE ss :ss",
       R"({"s":{"S":"new"},"t":null,"n":{"N":"11"},"ss":{"SS":["a"]}})"},
      {"delete ss :ss add n :one remove t set s = n",
       R"({"s":{"N":"10"},"t":null,"n":{"N":"11"},"ss":{"SS":["a"]}})"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const auto result = applied(row.text);
    if (!result.ok()) FAIL(result.error().message);
    CHECK(changes(stored, result->value()) == Json::parse(row.changed));
  }
}

TEST_CASE("an update of a missing item starts from its key") {
  const auto result = applied("SET x = :v ADD y :one REMOVE z", nullptr);
  REQUIRE(result.ok());
  CHECK(notation::json(result->value()) == Json::parse(R"({"pk":{"S":"1"},"x":{"S":"new"},"y":{"N":"1"}})"));
  // To the operands, too: its key is there already.
  const auto copied = applied("SET x = pk, y = if_not_exists(pk, :v)", nullptr);
  REQUIRE(copied.ok());
  CHECK(notation::json(copied->value()) == Json::parse(R"({"pk":{"S":"1"},"x":{"S":"1"},"y":{"S":"1"}})"));
  CHECK(applied("SET x = y", nullptr).error().message ==
        "The provided expression refers to an attribute that does not exist in the item");
}

TEST_CASE("an update that only removes makes nothing of nothing") {
  for (const std::string_view text :
       {"REMOVE x", "REMOVE x.y", "REMOVE x[0], y", "DELETE x :ss", "DELETE x.y :ss REMOVE z.k"}) {
    const auto result = applied(text, nullptr);
    REQUIRE(result.ok());
    CHECK_FALSE(result->has_value());
  }
  CHECK(applied("REMOVE x ADD y :one", nullptr)->has_value());
  CHECK_FALSE(applied("REMOVE x.k SET y = :v", nullptr).ok());
}

TEST_CASE("errors at run time are bare") {
  const std::string path = "The document path provided in the update expression is invalid for update";
  const std::string missing =
      "The provided expression refers to an attribute that does not exist in the item";
  const std::string type = "An operand in the update expression has an incorrect data type";
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"SET x.y = :v", path},
      {"SET m.x.y = :v", path},
      {"SET s.y = :v", path},
      {"SET s[0] = :v", path},
      {"SET m[0] = :v", path},
      {"SET l.x = :v", path},
      {"SET l[9].x = :v", path},
      {"SET l[0].x = :v", path},
      {"REMOVE x.y", path},
      {"REMOVE m.k.y", path},
      {"REMOVE l[9].k", path},
      {"ADD x.y :one", path},
      {"DELETE x.y :ss", path},
      {"SET x = y", missing},
      {"SET n = x + :one", missing},
      {"SET n = :one - x", missing},
      {"SET l = list_append(x, :l)", missing},
      {"SET l = list_append(:l, l[9])", missing},
      {"SET x = if_not_exists(y, z)", missing},
      {"SET s = s + :one", type},
      {"SET n = n - s", type},
      {"SET n = if_not_exists(s, :one) + :one", type},
      {"SET l = list_append(s, :l)", type},
      {"SET l = list_append(l, m)", type},
      {"ADD s :one", type},
      {"ADD n :ss", type},
      {"ADD ss :ns", type},
      {"ADD l :one", type},
      {"DELETE n :ss", type},
      {"DELETE ns :ss", type},
      {"SET x = y, a.b = :v", missing},
  };
  for (const auto& [text, problem] : rows) {
    CAPTURE(text);
    const auto result = applied(text);
    REQUIRE_FALSE(result.ok());
    CHECK(result.error().message == problem);
    CHECK(result.error().bare);
  }
}

TEST_CASE("arithmetic keeps to the range and precision of numbers") {
  const auto problem = [](std::string_view text) {
    const auto result = applied(text);
    return result.ok() ? std::string() : result.error().message;
  };
  const std::string overflow =
      "Number overflow. Attempting to store a number with magnitude larger than supported range";
  CHECK(problem("SET x = :big + :big") == overflow);
  CHECK(problem("SET x = :one + :tiny") == overflow);
  CHECK(problem("ADD n :tiny") == overflow);
  CHECK(problem("SET x = :tiny - :tiny").empty());
}

TEST_CASE("a result may not nest deeper than 32 levels") {
  const auto nested = [](int wraps) {
    std::string text = R"({"N":"1"})";
    for (int i = 0; i < wraps; ++i) text.insert(0, R"({"M":{"k":)").append("}}");
    return text;
  };
  const auto problem = [&](std::string_view text, int wraps) {
    Request request("{}", R"({":v":)" + nested(wraps) + "}");
    const auto update =
        bind_update(parse(Kind::update, text, SizeTail::omitted).value(), request.placeholders);
    const auto result = update->apply(&stored, key);
    return result.ok() ? std::string() : result.error().message;
  };
  const std::string too_deep =
      "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond "
      "supported limit";
  CHECK(problem("SET x = :v", 31).empty());
  CHECK(problem("SET x = :v", 32) == too_deep);
  CHECK(problem("SET m.x = :v", 30).empty());
  CHECK(problem("SET m.x = :v", 31) == too_deep);
  CHECK(problem("SET l[0] = :v", 30).empty());
  CHECK(problem("SET l[0] = :v", 31) == too_deep);
}

TEST_CASE("UPDATED_OLD and UPDATED_NEW have the parts that the statement names") {
  struct Row {
    std::string text, before, after;
  };
  const std::vector<Row> rows = {
      {"SET s = :v", R"({"s":{"S":"text"}})", R"({"s":{"S":"new"}})"},
      {"SET s = s", R"({"s":{"S":"text"}})", R"({"s":{"S":"text"}})"},
      {"SET x = :v", "{}", R"({"x":{"S":"new"}})"},
      {"REMOVE s", R"({"s":{"S":"text"}})", "{}"},
      {"REMOVE x", "{}", "{}"},
      {"SET m.k = :one, m.x = :v", R"({"m":{"M":{"k":{"N":"5"}}}})",
       R"({"m":{"M":{"k":{"N":"1"},"x":{"S":"new"}}}})"},
      {"SET l[2] = :w, l[0] = :v", R"({"l":{"L":[{"S":"a"},{"S":"c"}]}})",
       R"({"l":{"L":[{"S":"new"},{"S":"newer"}]}})"},
      // At the positions that the statement names, whatever has moved there.
      {"SET l[50] = :v", "{}", "{}"},
      {"REMOVE l[1]", R"({"l":{"L":[{"S":"b"}]}})", R"({"l":{"L":[{"S":"c"}]}})"},
      {"REMOVE l[3]", R"({"l":{"L":[{"M":{"k":{"N":"1"}}}]}})", "{}"},
      {"REMOVE l[0] SET l[1] = :v", R"({"l":{"L":[{"S":"a"},{"S":"b"}]}})",
       R"({"l":{"L":[{"S":"new"},{"S":"c"}]}})"},
      {"SET l[3].k = :v", R"({"l":{"L":[{"M":{"k":{"N":"1"}}}]}})",
       R"({"l":{"L":[{"M":{"k":{"S":"new"}}}]}})"},
      {"ADD n :one DELETE ss :all", R"({"n":{"N":"10"},"ss":{"SS":["a","b"]}})", R"({"n":{"N":"11"}})"},
      {"DELETE ss :ss", R"({"ss":{"SS":["a","b"]}})", R"({"ss":{"SS":["a"]}})"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    Request request("{}", values);
    const auto update =
        bind_update(parse(Kind::update, row.text, SizeTail::omitted).value(), request.placeholders);
    REQUIRE(update.ok());
    CHECK(notation::json(update->touched(stored)) == Json::parse(row.before));
    CHECK(notation::json(update->touched(update->apply(&stored, key)->value())) == Json::parse(row.after));
  }
}

TEST_CASE("the attributes an update writes") {
  Request request(R"({"#x":"real"})", values);
  const auto update =
      bind_update(parse(Kind::update, "REMOVE b.c SET #x = q, a = :v, b.d = :v", SizeTail::omitted).value(),
                  request.placeholders);
  CHECK(update->attributes() == std::vector<std::string_view>{"b", "real", "a"});
}

TEST_CASE("a statement is charged for its actions, targets and operands") {
  const auto charge = [](std::string_view text, const model::Item* old = &stored) {
    CAPTURE(text);
    Request request(R"({"#long":"four","#v":"value"})", values);
    const auto update =
        bind_update(parse(Kind::update, text, SizeTail::omitted).value(), request.placeholders);
    if (!update.ok()) FAIL(update.error().message);
    return update->statement_charge(old);
  };
  // 3 for the statement, 19 for SET, the target, the operand (docs/service/values.md section 6).
  CHECK(charge("SET b = :v") == 3 + 19 + 1 + 3);
  CHECK(charge("SET #long = :v") == 3 + 19 + 4 + 3);
  CHECK(charge("SET m.x = :v") == 3 + 19 + (1 + 4 + 1) + 3);
  CHECK(charge("SET l[10] = :v") == 3 + 19 + (1 + 4 + 2) + 3);
  CHECK(charge("SET l[007] = :v") == 3 + 19 + (1 + 4 + 1) + 3);
  CHECK(charge("SET b = :v, c = :v") == 3 + 2 * (19 + 1 + 3));
  CHECK(charge("SET b = #v") == 3 + 19 + 1 + (1 + 14 + 5));
  CHECK(charge("SET b = m.k") == 3 + 19 + 1 + (1 + (14 + 1) + (14 + 1)));
  CHECK(charge("SET b = l[12]") == 3 + 19 + 1 + (1 + (14 + 1) + (14 + 2)));
  CHECK(charge("SET b = n + :one") == 3 + 19 + 1 + 34 + (1 + 14 + 1) + 2);
  CHECK(charge("SET b = n - :one") == 3 + 19 + 1 + 37 + (1 + 14 + 1) + 2);
  CHECK(charge("SET b = if_not_exists(s, :v)") == 3 + 19 + 1 + 39 + (1 + 14 + 1) + 3);
  CHECK(charge("SET b = if_not_exists(x, :v)") == 3 + 19 + 1 + 39 + (1 + 14 + 1) + 3);
  CHECK(charge("SET b = list_append(l, :l)") == 3 + 19 + 1 + 37 + (1 + 14 + 1) + (3 + 2 + 2));
  CHECK(charge("SET b = :m") == 3 + 19 + 1 + (3 + 1 + 1 + 1));
  CHECK(charge("ADD n :one") == 3 + 19 + 1 + 2);
  CHECK(charge("ADD ss :ss") == 3 + 19 + 2 + 1);  // b is there already
  CHECK(charge("ADD ss :all") == 3 + 19 + 2);     // nothing new
  CHECK(charge("ADD x :ss") == 3 + 19 + 1 + 2);   // a new set
  CHECK(charge("ADD ss :ss", nullptr) == 3 + 19 + 2 + 2);
  CHECK(charge("ADD ns :ns") == 3 + 19 + 2 + 2);
  CHECK(charge("REMOVE n") == 3 + 1 + 1);
  CHECK(charge("REMOVE m.k, l[0]") == 3 + (1 + 1 + 4 + 1) + (1 + 1 + 4 + 1));
  CHECK(charge("DELETE ss :all") == 3 + 1 + 2);
}

}  // namespace
}  // namespace dinette::dynamodb::expr::update_test
