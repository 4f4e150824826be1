#include <catch2/catch.hpp>

#include "dynamodb/reads/reads.h"
#include "dynamodb/table_model.h"
#include "support/tables.h"

// Global indexes whose keys have several attributes (docs/service/indexes.md section 4).
namespace test::multi_attribute_index_test {
namespace {

/// The index many: hash h1 (S) and h2 (N), range r1 (S), r2 (N) and r3 (B). The index hashes has h1 and h2
/// alone.
void make_table(DynamoDb& db) {
  db.ok("CreateTable", table_request("Tab", "pk", "h1 h2:N r1 r2:N r3:B",
                                     {global_index("many", "h1 h2", "r1 r2 r3"),
                                      global_index("hashes", "h1 h2", "", keys_only())}));
}

std::string item(const std::string& pk, const std::string& h1, const std::string& h2, const std::string& r1,
                 const std::string& r2, const std::string& r3) {
  return R"({"pk": {"S": ")" + pk + R"("}, "h1": {"S": ")" + h1 + R"("}, "h2": {"N": ")" + h2 +
         R"("}, "r1": {"S": ")" + r1 + R"("}, "r2": {"N": ")" + r2 + R"("}, "r3": {"B": ")" + r3 + "\"}}";
}

void put_rows(DynamoDb& db) {
  put_items(db, {item("1", "h", "1", "a", "2", "AQ=="), item("2", "h", "1", "a", "10", "AA=="),
                 item("3", "h", "1", "a", "2", "AA=="), item("4", "h", "1", "aa", "-1", "AA=="),
                 item("5", "h", "1", "b", "2", "AA=="), item("6", "h", "1", "b", "2", "AAE="),
                 item("7", "h", "2", "a", "2", "AA=="), item("8", "h1", "1", "a", "2", "AA==")});
}

const std::string values =
    R"(":h": {"S": "h"}, ":1": {"N": "1"}, ":a": {"S": "a"}, ":b": {"S": "b"}, ":2": {"N": "2"},
                              ":9": {"N": "9"}, ":x": {"B": "AA=="}, ":y": {"B": "AQ=="})";

std::string query(const std::string& text, const std::string& index = "many") {
  return R"("IndexName": ")" + index + R"(", )" + key_condition(text, used_in(text, values));
}

}  // namespace

TEST_CASE("a key of several attributes selects and sorts by all of them, left to right") {
  DynamoDb db;
  make_table(db);
  put_rows(db);
  const std::vector<std::pair<std::string, std::string>> conditions = {
      {"h1 = :h AND h2 = :1", "3 1 2 4 5 6"},
      {"h2 = :1 AND h1 = :h", "3 1 2 4 5 6"},
      {"h1 = :h AND h2 = :2", "7"},
      {"h1 = :h AND h2 = :9", ""},
      {"h1 = :h AND h2 = :1 AND r1 = :a", "3 1 2"},
      {"h1 = :h AND h2 = :1 AND r1 > :a", "4 5 6"},
      {"h1 = :h AND h2 = :1 AND r1 < :b", "3 1 2 4"},
      {"h1 = :h AND h2 = :1 AND r1 <= :a", "3 1 2"},
      {"h1 = :h AND h2 = :1 AND r1 >= :b", "5 6"},
      {"h1 = :h AND h2 = :1 AND begins_with(r1, :a)", "3 1 2 4"},
      {"h1 = :h AND h2 = :1 AND r1 BETWEEN :a AND :b", "3 1 2 4 5 6"},
      {"h1 = :h AND h2 = :1 AND r1 = :a AND r2 = :2", "3 1"},
      {"h1 = :h AND h2 = :1 AND r1 = :a AND r2 > :2", "2"},
      {"h1 = :h AND h2 = :1 AND r1 = :a AND r2 BETWEEN :1 AND :9", "3 1"},
      {"h1 = :h AND h2 = :1 AND r1 = :a AND r2 = :2 AND r3 = :y", "1"},
      {"h1 = :h AND h2 = :1 AND r1 = :a AND r2 = :2 AND r3 < :y", "3"},
      {"h1 = :h AND h2 = :1 AND r1 = :b AND r2 = :2 AND begins_with(r3, :x)", "5 6"},
      {"r3 > :x AND r2 = :2 AND r1 = :b AND h2 = :1 AND h1 = :h", "6"},
  };
  for (const auto& [text, rows] : conditions) {
    INFO(text);
    CHECK(column(items_of(db, "Query", query(text)), "pk") == rows);
    const Json backward = items_of(db, "Query", query(text) + R"(, "ScanIndexForward": false)");
    CHECK(column(reversed(backward), "pk") == rows);
  }
}

TEST_CASE("hash attributes are distinguished even if their concatenations are equal") {
  DynamoDb db;
  db.ok("CreateTable", table_request("Tab", "pk", "h1 h2", {global_index("two", "h1 h2", "", keys_only())}));
  put_items(db, {R"({"pk": {"S": "1"}, "h1": {"S": "ab"}, "h2": {"S": "c"}})",
                 R"({"pk": {"S": "2"}, "h1": {"S": "a"}, "h2": {"S": "bc"}})",
                 R"({"pk": {"S": "3"}, "h1": {"S": "a\u0000b"}, "h2": {"S": "c"}})",
                 R"({"pk": {"S": "4"}, "h1": {"S": "a"}, "h2": {"S": "\u0000bc"}})"});
  const auto selected = [&](const std::string& h1, const std::string& h2) {
    return column(items_of(db, "Query",
                           R"("IndexName": "two", )" +
                               key_condition("h1 = :a AND h2 = :b",
                                             R"(":a": {"S": ")" + h1 + R"("}, ":b": {"S": ")" + h2 + "\"}")),
                  "pk");
  };
  CHECK(selected("ab", "c") == "1");
  CHECK(selected("a", "bc") == "2");
  CHECK(selected(R"(a\u0000b)", "c") == "3");
  CHECK(selected("a", R"(\u0000bc)") == "4");
  CHECK(selected("abc", "c") == "");
}

TEST_CASE("four long hash attributes are one key") {
  DynamoDb db;
  db.ok("CreateTable",
        table_request("Tab", "pk", "h1 h2 h3 h4", {global_index("four", "h1 h2 h3 h4", "", keys_only())}));
  const std::string long_text(2000, 'x');
  const auto attributes = [&](const std::string& last) {
    Json all = Json::object();
    for (const std::string name : {"h1", "h2", "h3"}) all[name] = {{"S", long_text}};
    all["h4"] = {{"S", long_text + last}};
    return all;
  };
  for (const std::string pk : {"1", "2", "3"}) {
    Json row = attributes(pk == "3" ? "b" : "a");
    row["pk"] = {{"S", pk}};
    db.put(the_table, row);
  }
  const auto selected = [&](const std::string& last) {
    Json given = Json::object();
    const Json wanted = attributes(last);
    for (const auto& [name, value] : wanted.items()) given[":" + name] = value;
    return items_of(db, "Query",
                    R"("IndexName": "four", )" +
                        key_condition("h1 = :h1 AND h2 = :h2 AND h3 = :h3 AND h4 = :h4", members_of(given)));
  };
  CHECK(selected("a").size() == 2);
  CHECK(column(selected("b"), "pk") == "3");
  CHECK(selected("c").empty());
  CHECK(ok_item(db, "Scan", R"("IndexName": "four")")["Count"] == 3);
}

TEST_CASE("four hash and four range attributes are written, queried and paged in both directions") {
  DynamoDb db;
  db.ok("CreateTable", table_request("Tab", "pk", "h1 h2:N h3:B h4 r1:N r2 r3:B r4:N",
                                     {global_index("eight", "h1 h2 h3 h4", "r1 r2 r3 r4", keys_only())}));
  // The row number counts in threes from r4 to r1; every other row is of another partition.
  const std::string letters[] = {"a", "b", "c"};
  const std::string bytes[] = {"AA==", "AQ==", "AQA="};
  constexpr int rows = 81;
  for (int row = 0; row < rows; ++row) {
    const auto digit = [&](int place) { return static_cast<std::size_t>(row / place % 3); };
    Json item = {{"pk", {{"S", std::to_string(row)}}},
                 {"h1", {{"S", "h"}}},
                 {"h2", {{"N", "2"}}},
                 {"h3", {{"B", "Aw=="}}},
                 {"h4", {{"S", row % 2 == 0 ? "even" : "odd"}}},
                 {"r1", {{"N", std::to_string(digit(27))}}},
                 {"r2", {{"S", letters[digit(9)]}}},
                 {"r3", {{"B", bytes[digit(3)]}}},
                 {"r4", {{"N", std::to_string(digit(1))}}}};
    db.put(the_table, item);
  }
  const std::string of_even = "h1 = :h1 AND h2 = :h2 AND h3 = :h3 AND h4 = :h4";
  const std::string given =
      R"(":h1": {"S": "h"}, ":h2": {"N": "2"}, ":h3": {"B": "Aw=="}, ":h4": {"S": "even"}, ":1": {"N": "1"},
         ":b": {"S": "b"}, ":x": {"B": "AQ=="})";
  struct Condition {
    std::string text;
    int first;  ///< of the rows that are found, which follow each other
    int last;
  };
  const std::vector<Condition> conditions = {
      {"", 0, 80},
      {" AND r1 = :1", 28, 52},
      {" AND r1 > :1", 54, 80},
      {" AND r1 = :1 AND r2 = :b", 36, 44},
      {" AND r1 = :1 AND r2 = :b AND r3 <= :x", 36, 40},
      {" AND r1 = :1 AND r2 = :b AND begins_with(r3, :x)", 40, 44},
      {" AND r1 = :1 AND r2 = :b AND r3 = :x AND r4 = :1", 40, 40},
  };
  for (const auto& [text, first, last] : conditions) {
    INFO(text);
    std::string expected;
    for (int row = first; row <= last; row += 2) expected += (row == first ? "" : " ") + std::to_string(row);
    const std::string condition = of_even + text;
    const std::string of_index =
        R"("IndexName": "eight", )" + key_condition(condition, used_in(condition, given));
    CHECK(column(items_of(db, "Query", of_index), "pk") == expected);
    CHECK(column(items_of(pages_of(db, "Query", of_index + R"(, "Limit": 4)")), "pk") == expected);
    const std::string backward = of_index + R"(, "ScanIndexForward": false, "Limit": 4)";
    CHECK(column(reversed(items_of(pages_of(db, "Query", backward))), "pk") == expected);
  }
  CHECK(items_of(pages_of(db, "Scan", R"("IndexName": "eight", "Limit": 7)")).size() == rows);
}

TEST_CASE("rows with long keys of the table are met once each on the pages of a global index") {
  DynamoDb db;
  db.ok("CreateTable", table_request("Tab", "pk sk:B", "g", {global_index("ggg", "g", "", keys_only())}));
  // Of 10 to 2048 bytes, on both sides of the 255 up to which the entries' keys have them as they are; all
  // begin and end alike.
  std::vector<Json> rows;
  for (const std::size_t length : {10, 240, 250, 251, 252, 253, 254, 255, 256, 1000, 2047, 2048}) {
    for (const char* sk : {"AA==", "AQ=="}) {
      rows.push_back({{"pk", {{"S", std::string(length, 'x')}}}, {"sk", {{"B", sk}}}, {"g", {{"S", "g"}}}});
      db.put(the_table, rows.back());
    }
  }
  const std::string of_g = R"("IndexName": "ggg", )" + key_condition("g = :g", R"(":g": {"S": "g"})");
  const Json whole = items_of(db, "Query", of_g);
  CHECK(sorted(whole) == sorted(rows));
  for (const int limit : {1, 5}) {
    const std::string page = R"(, "Limit": )" + std::to_string(limit);
    CHECK(items_of(pages_of(db, "Query", of_g + page)) == whole);
    CHECK(reversed(items_of(pages_of(db, "Query", of_g + R"(, "ScanIndexForward": false)" + page))) == whole);
    CHECK(items_of(pages_of(db, "Scan", R"("IndexName": "ggg")" + page)) == whole);
  }
  for (const Json& row : rows)
    db.ok("DeleteItem", {{"TableName", the_table}, {"Key", {{"pk", row["pk"]}, {"sk", row["sk"]}}}});
  CHECK(items_of(db, "Scan", R"("IndexName": "ggg")").empty());
}

TEST_CASE("every hash attribute is needed, and range attributes from the left") {
  DynamoDb db;
  make_table(db);
  const auto unequal = [](const std::string& names) {
    return "HASH key attributes " + names + " must have equality conditions specified in the query";
  };
  const auto skipped = [](const std::string& names, const std::string& name) {
    return "RANGE key attributes " + names +
           " must have equality conditions specified in the query because a condition is present on key "
           "attribute " +
           name;
  };
  check_refusals(
      db,
      {{"Query", query("h1 = :h"), unequal("h2")},
       {"Query", query("h2 = :1"), unequal("h1")},
       {"Query", query("r1 = :a"), unequal("h1, h2")},
       {"Query", query("h1 = :h", "hashes"), unequal("h2")},
       {"Query", query("h1 = :h AND h2 = :1 AND r1 = :a", "hashes"),
        "The number of query conditions (3) exceeds the number of key attributes defined in the schema (2)"},
       {"Query", query("h1 = :h AND h2 > :1"), unequal("h2")},
       {"Query", query("h1 = :h AND h2 = :1 AND pk = :x"), "Query condition missed key schema element: r1"},
       {"Query", query("h1 = :h AND h2 = :1 AND r2 = :2"), skipped("r1", "r2")},
       {"Query", query("h1 = :h AND h2 = :1 AND r1 > :a AND r2 = :2"), skipped("r1", "r2")},
       {"Query", query("h1 = :h AND h2 = :1 AND r1 = :a AND r3 = :x"), skipped("r2", "r3")},
       {"Query", query("h1 = :h AND h2 = :1 AND r3 = :x"), skipped("r1, r2", "r3")},
       {"Query", query("h1 = :h AND h2 = :a"),
        invalid("Condition parameter type does not match schema type")}});
}

TEST_CASE("LastEvaluatedKey has every attribute of the key, and a start key must have them") {
  DynamoDb db;
  make_table(db);
  put_rows(db);
  const std::string of_h = query("h1 = :h AND h2 = :1");
  const Json first = ok_item(db, "Query", of_h + R"(, "Limit": 1)")["LastEvaluatedKey"];
  CHECK(first == Json::parse(item("3", "h", "1", "a", "2", "AA==")));
  CHECK(column(items_of(pages_of(db, "Query", of_h + R"(, "Limit": 1)")), "pk") == "3 1 2 4 5 6");
  CHECK(items_of(pages_of(db, "Scan", R"("IndexName": "many", "Limit": 3)")).size() == 8);
  for (const std::string name : {"pk", "h1", "h2", "r1", "r2", "r3"}) {
    Json key = first;
    key.erase(name);
    const std::string start = R"(, "ExclusiveStartKey": )" + key.dump();
    check_refusals(db, {{"Query", of_h + start, "The provided starting key is invalid"},
                        {"Scan", R"("IndexName": "many")" + start, "The provided starting key is invalid"}});
  }
  Json other = first;
  other["h2"] = {{"N", "2"}};
  check_refusal(db, {"Query", of_h + R"(, "ExclusiveStartKey": )" + other.dump(),
                     "The provided starting key is outside query boundaries based on provided conditions"});
}

TEST_CASE("rows with equal keys are walked once each") {
  DynamoDb db;
  make_table(db);
  for (int pk = 0; pk < 10; ++pk) put_items(db, {item(std::to_string(pk), "h", "1", "a", "2", "AA==")});
  for (const std::string index : {"many", "hashes"}) {
    const std::string of_h = query("h1 = :h AND h2 = :1", index);
    const Json whole = items_of(db, "Query", of_h);
    CHECK(whole.size() == 10);
    CHECK(items_of(pages_of(db, "Query", of_h + R"(, "Limit": 3)")) == whole);
  }
}

TEST_CASE("an item without one attribute of the key is not in the index") {
  DynamoDb db;
  make_table(db);
  const Json whole = Json::parse(item("1", "h", "1", "a", "2", "AA=="));
  const auto count = [&](const std::string& index) {
    return ok_item(db, "Scan", R"("IndexName": ")" + index + '"')["Count"];
  };
  for (const std::string name : {"h1", "h2", "r1", "r2", "r3"}) {
    db.put(the_table, whole);
    CHECK(count("many") == 1);
    ok_item(db, "UpdateItem", R"("Key": {"pk": {"S": "1"}}, )" + update("REMOVE " + name));
    CHECK(count("many") == 0);
    CHECK(count("hashes") == (name[0] == 'h' ? 0 : 1));
  }
}

TEST_CASE("a filter leaves every attribute of the key alone") {
  DynamoDb db;
  make_table(db);
  for (const std::string name : {"h1", "h2", "r1", "r2", "r3"}) {
    check_refusal(
        db,
        {"Query", query("h1 = :h AND h2 = :1") + filtered_by("attribute_exists(" + name + ")"),
         "Filter Expression can only contain non-primary key attributes: Primary key attribute: " + name});
  }
  CHECK(call_item(db, "Query", query("h1 = :h AND h2 = :1") + filtered_by("attribute_exists(pk)")).status ==
        200);
}

}  // namespace test::multi_attribute_index_test
