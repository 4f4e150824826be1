#include <catch2/catch.hpp>

#include "statements.h"
#include "support/tables.h"

// docs/service/partiql.md sections 4 and 5.
namespace test::partiql::writes_test {
namespace {

void check_failed(const Reply& reply) {
  INFO(reply.body);
  CHECK(reply.status == 400);
  CHECK(reply.error() == "ConditionalCheckFailedException");
  CHECK(reply.json().at("Message") == "The conditional request failed");
}

const std::string no_key = "Where clause does not contain a mandatory equality on all key attributes";

struct Stored {
  DynamoDb db;

  explicit Stored(const std::string& attributes = "") {
    db.create_table(the_table);
    store_item(db, attributes);
  }
  Json attributes() { return stored_attributes(db); }
  /// The attributes after `UPDATE Tab <operations> WHERE pk = 'a'`.
  Json updated(const std::string& operations, const std::string& members = "") {
    const Json answer = executed(db, "UPDATE Tab " + operations + " WHERE pk = 'a'", members);
    CHECK(answer == Json::parse(R"({"Items": []})"));
    return attributes();
  }
  std::string refused(const std::string& operations, const std::string& members = "") {
    const Json before = attributes();
    const Reply reply = execute(db, "UPDATE Tab " + operations + " WHERE pk = 'a'", members);
    CHECK(attributes() == before);
    return reply.refusal();
  }
};

}  // namespace

TEST_CASE("an insert adds an item and never replaces one") {
  DynamoDb db;
  db.create_table(the_table);
  CHECK(execute(db, "INSERT INTO Tab VALUE {'pk': 'a', 'x': 1}").body == R"({"Items":[]})");
  const Reply again = execute(db, "INSERT INTO Tab VALUE {'pk': 'a', 'x': 2}",
                              R"("ReturnValuesOnConditionCheckFailure": "ALL_OLD")");
  CHECK(again.error() == "DuplicateItemException");
  CHECK(again.message() == "Duplicate primary key exists in table");
  CHECK_FALSE(again.json().contains("Item"));
  CHECK(stored_attributes(db) == Json::parse(R"({"x": {"N": "1"}})"));
}

TEST_CASE("an insert has the key, of its types") {
  DynamoDb db;
  db.create_table(the_table, "S", "N");
  check_refused_statements(db,
                           {{"INSERT INTO Tab VALUE {'pk': 'a'}", invalid("Missing the key sk in the item")},
                            {"INSERT INTO Tab VALUE {}", invalid("Missing the key pk in the item")},
                            {"INSERT INTO Tab VALUE {'pk': 'a', 'sk': 'b'}",
                             invalid("Type mismatch for key sk expected: N actual: S")},
                            {"INSERT INTO Tab VALUE {'pk': '', 'sk': 1}",
                             "One or more parameter values are not valid. The AttributeValue for a key "
                             "attribute cannot contain an "
                             "empty string value. Key: pk"}});
}

TEST_CASE("an insert and an update are held to the keys of indexes") {
  DynamoDb db;
  db.ok("CreateTable", table_request("Tab", "pk", "g", {global_index("byG", "g")}));
  store_item(db, "");
  const std::string mismatch = invalid("Type mismatch for Index Key g Expected: S Actual: N IndexName: byG");
  check_refused_statements(db, {{"INSERT INTO Tab VALUE {'pk': 'b', 'g': 1}", mismatch},
                                {"UPDATE Tab SET g = 1 WHERE pk = 'a'", mismatch}});
  executed(db, "UPDATE Tab SET g = 'x' WHERE pk = 'a'");
  CHECK(selected(db, "SELECT pk FROM Tab.byG WHERE g = 'x'").size() == 1);
}

TEST_CASE("an insert is as large as an item may be") {
  DynamoDb db;
  db.create_table(the_table);
  const std::string text = "INSERT INTO Tab VALUE {'pk': 'a', 'x': ?}";
  CHECK(execute(db, text, parameters(R"({"S": ")" + std::string(409'600, 'x') + "\"}")).refusal() ==
        "Item size has exceeded the maximum allowed size");
  CHECK(execute(db, text, parameters(R"({"S": ")" + std::string(409'596, 'x') + "\"}")).status == 200);
}

TEST_CASE("an update is held to the size of the item alone") {
  Stored at;
  CHECK(at.refused("SET x = ?", parameters(R"({"S": ")" + std::string(409'597, 'x') + "\"}")) ==
        "Item size to update has exceeded the maximum allowed size");
  CHECK(at.updated("SET x = ?", parameters(R"({"S": ")" + std::string(409'596, 'x') + "\"}")).contains("x"));
}

TEST_CASE("an update or delete names one item by its whole key") {
  DynamoDb db;
  db.create_table(the_table, "S", "N");
  for (const std::string where :
       {"", " WHERE pk = 'a'", " WHERE sk = 1", " WHERE pk = 'a' AND sk > 1", " WHERE pk IN ['a'] AND sk = 1",
        " WHERE pk = 'a' AND sk = 1 OR pk = 'a' AND sk = 2", " WHERE pk = 'a' AND (sk = 1 OR sk = 2)",
        " WHERE NOT pk = 'a' AND sk = 1", " WHERE pk = x AND sk = 1", " WHERE pk.x = 'a' AND sk = 1"}) {
    INFO(where);
    check_refused_statement(db, "UPDATE Tab SET x = 1" + where, no_key);
    check_refused_statement(db, "DELETE FROM Tab" + where, no_key);
    check_refused_statement(db, "FROM Tab" + where + " SET x = 1", no_key);
  }
  const std::string several =
      "Multiple conditions on same key pk. Only single item Update/Insert/Delete are supported";
  check_refused_statement(db, "UPDATE Tab SET x = 1 WHERE pk = 'a' AND sk = 1 AND pk = 'b'", several);
  check_refused_statement(db, "DELETE FROM Tab WHERE pk = 'a' AND pk = 'b'", several);
  const std::string mismatch = "The provided key element does not match the schema";
  check_refused_statement(db, "UPDATE Tab SET x = 1 WHERE pk = 1 AND sk = 1", mismatch);
  check_refused_statement(db, "DELETE FROM Tab WHERE pk = 'a' AND sk = 'b'", mismatch);
  executed(db, "INSERT INTO Tab VALUE {'pk': 'a', 'sk': 1}");
  executed(db, "UPDATE Tab SET x = 1 WHERE pk = 'a' AND sk = 1 AND pk = 'a' AND 1.0 = sk");
  CHECK(selected(db, "SELECT x FROM Tab") == Json::parse(R"([{"x": {"N": "1"}}])"));
}

TEST_CASE("further conditions are the condition of a write") {
  Stored at(R"("n": {"N": "1"}, "s": {"S": "x"})");
  for (const std::string condition : {"n = 2", "n > 1", "NOT n = 1", "attribute_not_exists(n)",
                                      "(n = 2 OR s = 'y')", "begins_with(s, 'y')"}) {
    INFO(condition);
    check_failed(execute(at.db, "UPDATE Tab SET m = 1 WHERE pk = 'a' AND " + condition));
    check_failed(execute(at.db, "DELETE FROM Tab WHERE " + condition + " AND pk = 'a'"));
  }
  CHECK(at.attributes() == Json::parse(R"({"n": {"N": "1"}, "s": {"S": "x"}})"));
  executed(at.db, "UPDATE Tab SET m = 1 WHERE pk = 'a' AND (n = 2 OR s = 'x')");
  executed(at.db, "DELETE FROM Tab WHERE pk = 'a' AND m = 1");
  CHECK(at.attributes().is_null());
}

TEST_CASE("an update writes no attribute without a name") {
  Stored at(R"("m": {"M": {"k": {"N": "1"}}})");
  const std::string message = "Empty attribute name";
  for (const std::string operation :
       {"SET \"\" = 1", "SET m.\"\" = 1", "SET \"\".m = 1", "SET m = \"\"", "REMOVE \"\""}) {
    INFO(operation);
    CHECK(at.refused(operation) == message);
  }
}

TEST_CASE("an update never makes an item") {
  DynamoDb db;
  db.create_table(the_table);
  for (const std::string text : {"UPDATE Tab SET n = 1 WHERE pk = 'a'", "FROM Tab WHERE pk = 'a' SET n = 1",
                                 "UPDATE Tab REMOVE n WHERE pk = 'a'",
                                 "UPDATE Tab SET n = 1 WHERE pk = 'a' AND attribute_not_exists(pk)"})
    check_failed(execute(db, text, R"("ReturnValuesOnConditionCheckFailure": "ALL_OLD")"));
  CHECK(selected(db, "SELECT * FROM Tab").empty());
}

TEST_CASE("a delete of nothing succeeds, whatever else it asks") {
  DynamoDb db;
  db.create_table(the_table);
  for (const std::string text :
       {"DELETE FROM Tab WHERE pk = 'a'", "DELETE FROM Tab WHERE pk = 'a' AND n = 1"})
    CHECK(execute(db, text).body == R"({"Items":[]})");
}

TEST_CASE("a condition that fails returns the item if that is asked for") {
  Stored at(R"("n": {"N": "1"})");
  const std::string text = "UPDATE Tab SET n = 2 WHERE pk = 'a' AND n = 5";
  CHECK_FALSE(execute(at.db, text).json().contains("Item"));
  const Reply reply = execute(at.db, text, R"("ReturnValuesOnConditionCheckFailure": "ALL_OLD")");
  check_failed(reply);
  CHECK(reply.json().at("Item") == Json::parse(R"({"pk": {"S": "a"}, "n": {"N": "1"}})"));
}

TEST_CASE("clauses of an update, in any order, all see the item before") {
  Stored at(R"("a": {"N": "1"}, "b": {"N": "2"}, "c": {"N": "3"})");
  CHECK(at.updated("SET a = b SET b = a REMOVE c") == Json::parse(R"({"a": {"N": "2"}, "b": {"N": "1"}})"));
  CHECK(at.updated("REMOVE a SET d = b, e = 'x'") ==
        Json::parse(R"({"b": {"N": "1"}, "d": {"N": "1"}, "e": {"S": "x"}})"));
  executed(at.db, "FROM Tab WHERE pk = 'a' REMOVE d SET b = 7");
  CHECK(at.attributes() == Json::parse(R"({"b": {"N": "7"}, "e": {"S": "x"}})"));
}

TEST_CASE("sums and differences of any length") {
  Stored at(R"("n": {"N": "10"}, "m": {"N": "3"}, "s": {"S": "x"})");
  const auto value = [&](const std::string& sum) {
    INFO(sum);
    return at.updated("SET r = " + sum).at("r").at("N").get<std::string>();
  };
  CHECK(value("n + 1") == "11");
  CHECK(value("n + m") == "13");
  CHECK(value("1 + n") == "11");
  CHECK(value("n + 1 + 2") == "13");
  CHECK(value("(n + 1) - 2") == "9");
  CHECK(value("n - m - 1") == "6");
  CHECK(value("n - (m - 1)") == "8");
  CHECK(value("n + -1") == "9");
  CHECK(value("n - - 2") == "12");
  CHECK(value("1 + 2") == "3");
  CHECK(at.updated("SET r = n + ?", parameters(R"({"N": "0.5"})")).at("r").at("N") == "10.5");
  std::string sum = "n";
  for (int i = 0; i < 2000; ++i) sum += "+1";
  CHECK(value(sum) == "2010");
  CHECK(at.refused("SET r = n + 'x'") ==
        "Incorrect operand type for operator or function; operator or function: +, operand type: S");
  CHECK(at.refused("SET r = n - ?", parameters(R"({"BOOL": true})")) ==
        "Incorrect operand type for operator or function; operator or function: -, operand type: BOOL");
  CHECK(at.refused("SET r = n + s") == "An operand in the update expression has an incorrect data type");
  CHECK(at.refused("SET r = n + none") ==
        "The provided expression refers to an attribute that does not exist in the item");
}

TEST_CASE("list_append joins lists") {
  Stored at(R"("l": {"L": [{"N": "1"}]}, "m": {"M": {"l": {"L": []}}}, "n": {"N": "1"})");
  CHECK(at.updated("SET l = list_append(l, [2])").at("l") ==
        Json::parse(R"({"L": [{"N": "1"}, {"N": "2"}]})"));
  CHECK(at.updated("SET l = LIST_APPEND([0], l)").at("l").at("L").size() == 3);
  CHECK(at.updated("SET m.l = list_append(m.l, [1])").at("m") ==
        Json::parse(R"({"M": {"l": {"L": [{"N": "1"}]}}})"));
  CHECK(at.refused("SET l = list_append(none, [1])") ==
        "The provided expression refers to an attribute that does not exist in the item");
  CHECK(at.refused("SET l = list_append(n, [1])") ==
        "An operand in the update expression has an incorrect data type");
  CHECK(
      at.refused("SET l = list_append(l, 1)") ==
      "Incorrect operand type for operator or function; operator or function: list_append, operand type: N");
  CHECK(at.refused("SET l = list_append(l)") ==
        "Incorrect number of operands for operator or function; operator or function: list_append, number of "
        "operands: 1");
}

TEST_CASE("a list index past the end appends, but makes no list") {
  Stored at(R"("l": {"L": [{"N": "1"}]})");
  CHECK(at.updated("SET l[7] = 2").at("l") == Json::parse(R"({"L": [{"N": "1"}, {"N": "2"}]})"));
  CHECK(at.updated("SET l[0] = 0 REMOVE l[1]").at("l") == Json::parse(R"({"L": [{"N": "0"}]})"));
  CHECK(at.refused("SET none[0] = 1") ==
        "The document path provided in the update expression is invalid for update");
  CHECK(at.refused("SET l[-1] = 1") == "List index is not within the allowable range; index: [-1] at 1:19:1");
  CHECK(at.refused("SET l[2147483648] = 1") ==
        "List index is not within the allowable range; index: [2147483648] at 1:18:10");
}

TEST_CASE("set functions add and remove members") {
  Stored at(R"("s": {"SS": ["a"]}, "n": {"N": "1"})");
  CHECK(at.updated("SET s = set_add(s, <<'b', 'a'>>)").at("s") == Json::parse(R"({"SS": ["a", "b"]})"));
  CHECK(at.updated("SET s = Set_Delete(s, ?)", parameters(R"({"SS": ["a", "z"]})")).at("s") ==
        Json::parse(R"({"SS": ["b"]})"));
  CHECK(at.updated("SET t = set_add(t, <<1>>)").at("t") == Json::parse(R"({"NS": ["1"]})"));
  CHECK_FALSE(at.updated("SET t = set_delete(t, <<1>>)").contains("t"));
  CHECK_FALSE(at.updated("SET t = set_delete(t, <<1>>)").contains("t"));
}

TEST_CASE("misused set functions") {
  Stored at(R"("s": {"SS": ["a"]}, "n": {"N": "1"})");
  CHECK(at.refused("SET t = set_add(s, <<'b'>>)") ==
        "The first argument to SET_ADD must equal the assignment value at 1:20:7");
  CHECK(at.refused("SET s = set_delete('s', <<'b'>>)") ==
        "The first argument to SET_DELETE must equal the assignment value at 1:20:10");
  CHECK(at.refused("SET s = set_add(s, 'b')") ==
        "The second argument to SET_ADD must be a value with type SET at 1:28:1");
  CHECK(at.refused("SET s = set_add(s, ?)", parameters(R"({"L": []})")) ==
        "The second argument to SET_ADD must be a value with type SET at 1:28:1");
  CHECK(at.refused("SET s = set_delete(s)") == "SET_DELETE must have exactly two arguments at 1:20:10");
  CHECK(at.refused("SET s = set_add(s, <<'b'>>, <<'c'>>)") ==
        "SET_ADD must have exactly two arguments at 1:20:7");
  const std::string wrong = "An operand in the update expression has an incorrect data type";
  CHECK(at.refused("SET s = set_add(s, <<1>>)") == wrong);
  CHECK(at.refused("SET n = set_add(n, <<1>>)") == wrong);
}

TEST_CASE("what is written may be too deep") {
  Stored at(R"("m": {"M": {"l": {"L": []}}})");
  std::string deep = R"({"S": "x"})";
  for (int i = 0; i < 31; ++i) deep = R"({"L": [)" + deep + "]}";
  CHECK(at.refused("SET m.l[0] = ?", parameters(deep)) == "Nesting Levels have exceeded supported limits");
}

TEST_CASE("an update leaves the key alone") {
  Stored at;
  CHECK(at.refused("SET pk = 'b'") ==
        invalid("Cannot update attribute pk. This attribute is part of the key"));
  CHECK(at.refused("REMOVE pk") == invalid("Cannot update attribute pk. This attribute is part of the key"));
}

TEST_CASE("two clauses of an update do not overlap") {
  Stored at;
  CHECK(at.refused("SET a = 1 REMOVE a.b") ==
        "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: "
        "[a], path "
        "two: [a, b]");
}

TEST_CASE("RETURNING gives the item or its changed parts, before or after the update") {
  Stored at(R"("a": {"N": "1"}, "b": {"N": "2"}, "l": {"L": [{"N": "0"}, {"N": "1"}, {"N": "2"}]})");
  const auto returned = [&](const std::string& operations, const std::string& what) {
    return executed(at.db, "UPDATE Tab " + operations + " WHERE pk = 'a' RETURNING " + what + " *")
        .at("Items");
  };
  CHECK(returned("SET a = 5", "ALL OLD")[0]["a"]["N"] == "1");
  CHECK(returned("SET a = 6", "ALL NEW")[0].size() == 4);
  CHECK(returned("SET a = 7", "MODIFIED OLD") == Json::parse(R"([{"a": {"N": "6"}}])"));
  CHECK(returned("SET a = 8 REMOVE b", "MODIFIED NEW") == Json::parse(R"([{"a": {"N": "8"}}])"));
  CHECK(returned("REMOVE a", "MODIFIED NEW") == Json::array());
  CHECK(returned("SET none = 1", "MODIFIED OLD") == Json::array());
  CHECK(returned("SET l[1] = 7", "MODIFIED NEW") == Json::parse(R"([{"l": {"L": [{"N": "7"}]}}])"));
  CHECK(returned("SET l[9] = 9", "MODIFIED NEW") == Json::array());
  CHECK(returned("SET l[2] = 8 SET l[0] = 6", "MODIFIED OLD") ==
        Json::parse(R"([{"l": {"L": [{"N": "0"}, {"N": "2"}]}}])"));
  CHECK(returned("REMOVE l[1]", "MODIFIED NEW") == Json::parse(R"([{"l": {"L": [{"N": "8"}]}}])"));
  CHECK(returned("REMOVE l[2]", "MODIFIED NEW") == Json::array());
  CHECK(executed(at.db, "FROM Tab WHERE pk = 'a' SET a = 1 RETURNING modified new *").at("Items") ==
        Json::parse(R"([{"a": {"N": "1"}}])"));
}

TEST_CASE("a delete returns the old item only") {
  Stored at(R"("a": {"N": "1"})");
  for (const std::string what : {"ALL NEW", "MODIFIED OLD", "MODIFIED NEW"}) {
    check_refused_statement(at.db, "DELETE FROM Tab WHERE pk = 'a' RETURNING " + what + " *",
                            "Invalid returning clause: RETURNING " + what +
                                " *. Only RETURNING ALL OLD * is allowed in DELETE statements.");
  }
  const std::string text = "DELETE FROM Tab WHERE pk = 'a' RETURNING ALL OLD *";
  CHECK(executed(at.db, text).at("Items") == Json::parse(R"([{"pk": {"S": "a"}, "a": {"N": "1"}}])"));
  CHECK(executed(at.db, text).at("Items") == Json::array());
}

TEST_CASE("writes cost what those of items cost") {
  DynamoDb db;
  db.create_table(the_table);
  const auto units = [&](const std::string& text, const std::string& members = "") {
    return capacity_of(db, text, members);
  };
  const auto of = [](double count) {
    return Json{{"TableName", the_table}, {"CapacityUnits", count}, {"Table", {{"CapacityUnits", count}}}};
  };
  const std::string update = "UPDATE Tab SET x = ? WHERE pk = 'a'";
  // 4 bytes are names and key.
  CHECK(units("INSERT INTO Tab VALUE {'pk': 'a', 'x': ?}",
              parameters(R"({"S": ")" + std::string(1020, 'x') + "\"}")) == of(1));
  CHECK(units(update, parameters(R"({"S": ")" + std::string(4093, 'x') + "\"}")) == of(5));
  CHECK(units(update + " RETURNING ALL OLD *", parameters(R"({"S": ")" + std::string(1019, 'x') + "\"}")) ==
        of(5));
  CHECK(units("DELETE FROM Tab WHERE pk = 'a'") == of(1));
  CHECK(units("DELETE FROM Tab WHERE pk = 'a'") == of(1));
}

}  // namespace test::partiql::writes_test
