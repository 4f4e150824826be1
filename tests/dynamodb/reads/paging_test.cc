#include <sstream>

#include <catch2/catch.hpp>

#include "reads.h"
#include "support/tables.h"

// Limit, the megabyte, LastEvaluatedKey and ExclusiveStartKey (docs/service/query-scan.md section 2).
namespace test::paging_test {
namespace {

const std::string of_a = key_condition("pk = :p", R"(":p": {"S": "a"})");

std::string item(const std::string& pk, int sk, const std::string& more = "") {
  return R"({"pk": {"S": ")" + pk + R"("}, "sk": {"N": ")" + std::to_string(sk) + "\"}" + more + "}";
}

/// Partitions a and b, of five rows each.
void make_table(DynamoDb& db) {
  db.create_table(the_table, "S", "N");
  for (int sk = 1; sk <= 5; ++sk) put_items(db, {item("a", sk), item("b", sk)});
}

/// Without a detour over parsed JSON, for items that are large.
void put_text(DynamoDb& db, const std::string& item_text) {
  REQUIRE(db.call("PutItem", R"({"TableName": "Tab", "Item": )" + item_text + "}").status == 200);
}

std::string limit(int rows) {
  return R"(, "Limit": )" + std::to_string(rows);
}

std::string start(const std::string& key) {
  return R"(, "ExclusiveStartKey": {)" + key + "}";
}

std::string start_at(const std::string& sk) {
  return start(R"("pk": {"S": "a"}, "sk": {"N": ")" + sk + R"("})");
}

/// The table with a global index gsi on g and r, a local one lsi on l, and rows that are equal in these.
void make_indexed_table(DynamoDb& db) {
  db.ok("CreateTable",
        table_request("Tab", "pk sk:N", "g r:N l", {global_index("gsi", "g", "r"), local_index("lsi", "l")}));
  const std::string equal = R"(, "g": {"S": "g"}, "r": {"N": "1"}, "l": {"S": "same"})";
  for (int sk = 1; sk <= 5; ++sk) put_items(db, {item("a", sk, equal), item("b", sk, equal)});
}

const std::string of_gsi = R"("IndexName": "gsi", )" + key_condition("g = :g", R"(":g": {"S": "g"})");
const std::string of_lsi = R"("IndexName": "lsi", )" + of_a;

}  // namespace

TEST_CASE("Limit ends a page, with a key to continue from") {
  DynamoDb db;
  make_table(db);
  const Json first = ok_item(db, "Query", of_a + limit(2));
  CHECK(column(first["Items"], "sk") == "1 2");
  CHECK(first["LastEvaluatedKey"] == Json::parse(R"({"pk": {"S": "a"}, "sk": {"N": "2"}})"));
  CHECK(call_item(db, "Query", of_a + limit(5) + start_at("5")).body ==
        R"({"Items":[],"Count":0,"ScannedCount":0})");
  CHECK_FALSE(ok_item(db, "Query", of_a + limit(6)).contains("LastEvaluatedKey"));
  CHECK_FALSE(ok_item(db, "Scan", R"("Limit": 11)").contains("LastEvaluatedKey"));
  CHECK(ok_item(db, "Scan", R"("Limit": 10)").contains("LastEvaluatedKey"));
}

namespace {

/// Rows 1 and 2 of the partitions x and y, in the order of a scan: y1 y2 x1 x2. They are in the table, in a
/// global index on h and s, and in a local one on s, in the same order.
void make_neighbours(DynamoDb& db) {
  db.ok("CreateTable",
        table_request("Tab", "pk sk", "h s",
                      {global_index("gsi", "h", "s", keys_only()), local_index("lsi", "s", keys_only())}));
  for (const std::string pk : {"x", "y"}) {
    for (const std::string sk : {"1", "2"}) {
      put_items(db, {R"({"pk": {"S": ")" + pk + R"("}, "sk": {"S": ")" + sk + R"("}, "h": {"S": ")" + pk +
                     R"("}, "s": {"S": ")" + sk + R"("}, "v": {"S": "v"}})"});
    }
  }
}

/// What is queried, and the names of its key's attributes.
struct Queried {
  std::string from;
  std::string hash;
  std::string range;
};
const std::vector<Queried> tables_and_indexes = {
    {"", "pk", "sk"}, {R"("IndexName": "gsi", )", "h", "s"}, {R"("IndexName": "lsi", )", "pk", "s"}};

}  // namespace

// docs/service/query-scan.md section 2.
TEST_CASE("a query that Limit ends at its last row has a key only if no row of another key comes next") {
  DynamoDb db;
  make_neighbours(db);
  for (const auto& [from, hash, range] : tables_and_indexes) {
    INFO(from);
    const Json scanned = items_of(db, "Scan", from + R"("ConsistentRead": false)");
    REQUIRE(column(scanned, hash) == "y y x x");
    REQUIRE(column(scanned, range) == "1 2 1 2");
    const auto has_key = [&, from = from, hash = hash, range = range](const std::string& partition,
                                                                      const std::string& condition, int rows,
                                                                      const std::string& more = "") {
      const std::string text = hash + " = :p" + (condition.empty() ? "" : " AND " + range + condition);
      const std::string values = R"(":p": {"S": ")" + partition + R"("}, ":1": {"S": "1"}, ":2": {"S": "2"})";
      const Json page =
          ok_item(db, "Query", from + key_condition(text, used_in(text, values)) + limit(rows) + more);
      CHECK(page["ScannedCount"] == rows);
      return page.contains("LastEvaluatedKey");
    };
    const std::string backward = R"(, "ScanIndexForward": false)";
    // Inside the condition comes another row.
    CHECK(has_key("y", "", 1));
    CHECK(has_key("x", "", 1, backward));
    // What comes is of another partition, or has another sort key.
    CHECK_FALSE(has_key("y", "", 2));
    CHECK_FALSE(has_key("x", "", 2, backward));
    CHECK_FALSE(has_key("x", " = :1", 1));
    CHECK_FALSE(has_key("x", " < :2", 1));
    CHECK_FALSE(has_key("y", " BETWEEN :1 AND :1", 1));
    CHECK_FALSE(has_key("y", " > :1", 1, backward));
    if (!from.empty()) CHECK_FALSE(has_key("x", " = :2", 1, backward));
    // Nothing comes.
    CHECK(has_key("x", "", 2));
    CHECK(has_key("y", "", 2, backward));
    CHECK(has_key("x", " > :1", 1));
    CHECK(has_key("y", " < :2", 1, backward));
    if (!from.empty()) CHECK(has_key("x", " = :2", 1));
    // Filters and Select change nothing.
    for (const std::string& wish : {filtered_by("attribute_exists(v)"), filtered_by("attribute_exists(w)"),
                                    std::string(R"(, "Select": "COUNT")")}) {
      CHECK_FALSE(has_key("y", "", 2, wish));
      CHECK(has_key("x", "", 2, wish));
    }
  }
}

TEST_CASE("what comes next is looked at from the start key on, too") {
  DynamoDb db;
  make_neighbours(db);
  const auto rest = [&](const std::string& pk, const std::string& sk, const std::string& more) {
    const std::string query = key_condition("pk = :p", R"(":p": {"S": ")" + pk + R"("})");
    return ok_item(db, "Query",
                   query + limit(1) + more +
                       start(R"("pk": {"S": ")" + pk + R"("}, "sk": {"S": ")" + sk + R"("})"))
        .contains("LastEvaluatedKey");
  };
  const std::string backward = R"(, "ScanIndexForward": false)";
  CHECK_FALSE(rest("y", "1", ""));
  CHECK(rest("x", "1", ""));
  CHECK_FALSE(rest("x", "2", backward));
  CHECK(rest("y", "2", backward));
}

TEST_CASE("Limit counts rows before the filter") {
  DynamoDb db;
  make_table(db);
  const Json page = ok_item(db, "Query", of_a + filtered_by("attribute_exists(x)") + limit(3));
  CHECK(page == Json::parse(R"({"Items": [], "Count": 0, "ScannedCount": 3,
                                "LastEvaluatedKey": {"pk": {"S": "a"}, "sk": {"N": "3"}}})"));
}

TEST_CASE("a page starts strictly after its start key, in its direction, whether the key is there or not") {
  DynamoDb db;
  make_table(db);
  const auto from = [&](const std::string& sk, const std::string& more = "") {
    return column(items_of(db, "Query", of_a + start_at(sk) + more), "sk");
  };
  const std::string backward = R"(, "ScanIndexForward": false)";
  CHECK(from("2") == "3 4 5");
  CHECK(from("2.5") == "3 4 5");
  CHECK(from("-7") == "1 2 3 4 5");
  CHECK(from("5") == "");
  CHECK(from("3", backward) == "2 1");
  CHECK(from("3.5", backward) == "3 2 1");
  CHECK(from("1", backward) == "");
  CHECK(from("2", limit(2)) == "3 4");
  db.ok("DeleteItem", Json::parse(R"({"TableName": "Tab", "Key": {"pk": {"S": "a"}, "sk": {"N": "2"}}})"));
  CHECK(from("2") == "3 4 5");
}

TEST_CASE("pages of any size make up the whole, in both directions") {
  DynamoDb db;
  make_indexed_table(db);
  for (const auto& [operation, members] :
       std::vector<std::pair<std::string, std::string>>{{"Query", of_a},
                                                        {"Query", of_a + R"(, "ScanIndexForward": false)"},
                                                        {"Query", of_gsi},
                                                        {"Query", of_gsi + R"(, "ScanIndexForward": false)"},
                                                        {"Query", of_lsi},
                                                        {"Query", of_lsi + R"(, "ScanIndexForward": false)"},
                                                        {"Scan", R"("ConsistentRead": false)"},
                                                        {"Scan", R"("IndexName": "gsi")"},
                                                        {"Scan", R"("IndexName": "lsi")"}}) {
    const Json whole = items_of(db, operation, members);
    CHECK(whole.size() == (members.find("pk =") == std::string::npos ? 10 : 5));
    // A scan's last page may be empty, as may that of a query that no other rows follow.
    const std::string index = members.find("gsi") != std::string::npos   ? R"("IndexName": "gsi")"
                              : members.find("lsi") != std::string::npos ? R"("IndexName": "lsi")"
                                                                         : R"("ConsistentRead": true)";
    const Json scanned = items_of(db, "Scan", index);
    const bool backward = members.find("ScanIndexForward") != std::string::npos;
    const bool nothing_follows = whole.back() == (backward ? scanned.front() : scanned.back());
    for (int size = 1; size <= 11; ++size) {
      INFO(operation << " " << members << " by " << size);
      const auto pages = pages_of(db, operation, members + limit(size));
      CHECK(items_of(pages) == whole);
      const auto rows = static_cast<std::size_t>(size);
      const bool ends_early = whole.size() % rows == 0 && !nothing_follows;
      CHECK(pages.size() == whole.size() / rows + (ends_early ? 0 : 1));
    }
  }
}

TEST_CASE("LastEvaluatedKey has the attributes of the table's key and of the index's") {
  DynamoDb db;
  make_indexed_table(db);
  const auto last = [&](const std::string& operation, const std::string& members) {
    return ok_item(db, operation, members + R"(, "Limit": 1)")["LastEvaluatedKey"];
  };
  const auto names = [](const Json& key) {
    std::string all;
    for (const auto& [name, value] : key.items()) all += name + " ";
    return all;
  };
  CHECK(names(last("Query", of_a)) == "pk sk ");
  CHECK(names(last("Query", of_gsi)) == "g pk r sk ");
  CHECK(names(last("Query", of_lsi)) == "l pk sk ");
  CHECK(names(last("Scan", R"("IndexName": "gsi")")) == "g pk r sk ");
  CHECK(names(last("Scan", R"("IndexName": "lsi")")) == "l pk sk ");
  // Whatever the projection and Select.
  CHECK(names(last("Query", of_gsi + R"(, "ProjectionExpression": "nothing")")) == "g pk r sk ");
  CHECK(names(last("Query", of_gsi + R"(, "Select": "COUNT")")) == "g pk r sk ");
}

TEST_CASE("a start key that does not fit the key is refused") {
  DynamoDb db;
  make_indexed_table(db);
  const std::string query_refusal = "The provided starting key is invalid";
  const std::string mismatch = "The provided key element does not match the schema";
  const std::string scan_refusal = query_refusal + ": " + mismatch;
  const std::string table_key = R"("pk": {"S": "a"}, "sk": {"N": "1"})";
  for (const std::string key :
       {R"("pk": {"S": "a"})", R"("sk": {"N": "1"})", R"("pk": {"S": "a"}, "sk": {"S": "1"})",
        R"("pk": {"N": "1"}, "sk": {"N": "1"})", R"("pk": {"S": "a"}, "sk": {"N": "1"}, "x": {"S": "x"})",
        R"("pk": {"S": "a"}, "x": {"N": "1"})", R"("pk": {"S": "a"}, "sk": {"NULL": true})", ""}) {
    INFO(key);
    check_refusals(
        db, {{"Query", of_a + start(key), query_refusal}, {"Scan", start(key).substr(2), scan_refusal}});
  }
  for (const std::string more : {R"(, "g": {"S": "g"})", R"(, "r": {"N": "1"})", "",
                                 R"(, "g": {"S": "g"}, "r": {"N": "1"}, "l": {"S": "same"})"}) {
    const std::string key = table_key + more;
    check_refusals(db, {{"Query", of_gsi + start(key), query_refusal},
                        {"Scan", R"("IndexName": "gsi")" + start(key), query_refusal}});
  }
  const std::string other_type = start(table_key + R"(, "g": {"N": "1"}, "r": {"N": "1"})");
  check_refusals(db, {{"Query", of_gsi + other_type, query_refusal},
                      {"Scan", R"("IndexName": "gsi")" + other_type, mismatch},
                      {"Query", of_lsi + start(table_key), query_refusal},
                      {"Scan", R"("IndexName": "lsi")" + start(table_key), query_refusal},
                      {"Query", of_a + start(table_key + R"(, "l": {"S": "same"})"), query_refusal}});
}

// The form of the request decides (docs/service/query-scan.md section 2).
TEST_CASE("KeyConditions word a start key of other types in their own way") {
  DynamoDb db;
  make_indexed_table(db);
  const std::string legacy =
      R"("KeyConditions": {"pk": {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "a"}]}})";
  check_refusals(
      db,
      {{"Query", legacy + start(R"("pk": {"S": "a"}, "sk": {"S": "1"})"),
        "The provided key element does not match the schema"},
       {"Query", legacy + start(R"("pk": {"S": "a"})"), "The provided starting key is invalid"},
       {"Query",
        R"("IndexName": "lsi", )" + legacy + start(R"("pk": {"S": "a"}, "sk": {"N": "1"}, "l": {"N": "1"})"),
        "The provided key element does not match the schema"}});
}

TEST_CASE("an invalid value is an invalid start key, whatever the table") {
  DynamoDb db;
  const std::string front = "The provided starting key is invalid: ";
  const std::vector<std::pair<std::string, std::string>> values = {
      {"{}", front + "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"},
      {R"({"S": "a", "N": "1"})", front + "Supplied AttributeValue has more than one datatypes set, must "
                                          "contain exactly one of the supported datatypes"},
      {R"({"NULL": false})", front + invalid("Null attribute value types must have the value of true")},
      {R"({"SS": []})", front + invalid("An string set  may not be empty")},
      {R"({"BS": []})", front + invalid("Binary sets should not be empty")},
      {R"({"NS": []})", invalid("An number set  may not be empty")},
      {R"({"N": "x"})", "The parameter cannot be converted to a numeric value: x"}};
  for (const auto& [value, refusal] : values) {
    const std::string key = start(R"("pk": )" + value);
    check_refusal(db, {"Query", of_a + key, refusal});
    if (value != R"({"N": "x"})") check_refusal(db, {"Scan", key.substr(2), refusal});
  }
}

// docs/service/query-scan.md section 2.
TEST_CASE("a query with equality on the whole key is started again only from its rows in an index") {
  DynamoDb db;
  make_indexed_table(db);
  const std::string once = "The query can return at most one row and cannot be restarted";
  const std::string of_row = key_condition("pk = :p AND sk = :s", R"(":p": {"S": "a"}, ":s": {"N": "3"})");
  const std::string of_entry =
      R"("IndexName": "gsi", )" + key_condition("g = :g AND r = :r", R"(":g": {"S": "g"}, ":r": {"N": "1"})");
  const auto entry = [](const std::string& g, const std::string& r) {
    return start(R"("pk": {"S": "a"}, "sk": {"N": "3"}, "g": {"S": ")" + g + R"("}, "r": {"N": ")" + r +
                 R"("})");
  };
  const std::string of_local =
      R"("IndexName": "lsi", )" +
      key_condition("pk = :p AND l = :l", R"(":p": {"S": "a"}, ":l": {"S": "same"})");
  const auto local = [](const std::string& pk, const std::string& l) {
    return start(R"("pk": {"S": ")" + pk + R"("}, "sk": {"N": "3"}, "l": {"S": ")" + l + R"("})");
  };
  check_refusals(db, {{"Query", of_row + start_at("3"), once},
                      {"Query", of_row + start_at("2"), once},
                      {"Query", of_row + start(R"("pk": {"S": "b"}, "sk": {"N": "3"})"), once},
                      {"Query", of_entry + entry("h", "1"), once},
                      {"Query", of_entry + entry("h", "2"), once},
                      {"Query", of_local + local("b", "same"), once}});
  // In the partition, with another sort key.
  const std::string outside =
      "The provided starting key is outside query boundaries based on provided conditions";
  check_refusals(db, {{"Query", of_entry + entry("g", "2"), outside},
                      {"Query", of_entry + entry("g", "0"), outside},
                      {"Query", of_local + local("a", "other"), outside}});
  // Several rows share the key of an index.
  CHECK(ok_item(db, "Query", of_entry)["Count"] == 10);
  CHECK(ok_item(db, "Query", of_entry + entry("g", "1"))["Count"].get<int>() < 10);
  CHECK(pages_of(db, "Query", of_entry + limit(3)).size() == 4);
  CHECK(column(items_of(db, "Query", of_local + local("a", "same")), "sk") == "4 5");
  // The service cannot have meant a next page there: its key would be refused.
  const Json page = ok_item(db, "Query", of_row + limit(1));
  CHECK(page["Count"] == 1);
  CHECK_FALSE(page.contains("LastEvaluatedKey"));
}

TEST_CASE("a query of a table without sort key takes no start key") {
  DynamoDb db;
  db.create_table("Strings");
  db.create_table("Numbers", "N");
  db.put("Strings", Json::parse(R"({"pk": {"S": "a"}})"));
  const std::string refusal =
      "The provided exclusive start key is invalid: ExclusiveStartKey: {pk=AttributeValue: ";
  const std::string strings = R"("TableName": "Strings", )" + of_a;
  check_refusals(db,
                 {{"Query", strings + start(R"("pk": {"S": "a"})"), refusal + "{S:a}}"},
                  {"Query", strings + start(R"("pk": {"S": "b"})"), refusal + "{S:b}}"},
                  {"Query", strings + start(R"("pk": {"N": "1"})"), "The provided starting key is invalid"},
                  {"Query",
                   R"("TableName": "Numbers", )" + key_condition("pk = :p", R"(":p": {"N": "1"})") +
                       start(R"("pk": {"N": "1.0"})"),
                   refusal + "{N:1}}"}});
  const Json page = ok_item(db, "Query", strings + limit(1));
  CHECK(page["Count"] == 1);
  CHECK_FALSE(page.contains("LastEvaluatedKey"));
  CHECK(ok_item(db, "Scan", R"("TableName": "Strings", "Limit": 1)").contains("LastEvaluatedKey"));
}

TEST_CASE("a start key has values that a key may have") {
  DynamoDb db;
  db.create_table(the_table, "S", "S");
  const std::string empty =
      "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an "
      "empty "
      "string value. Key: sk";
  const std::string key = R"("pk": {"S": "a"}, "sk": {"S": ""})";
  check_refusals(db, {{"Query", of_a + start(key), empty}, {"Scan", start(key).substr(2), empty}});
  const auto as_long_as = [](std::size_t size) {
    return start(R"("pk": {"S": "a"}, "sk": {"S": ")" + std::string(size, 'x') + R"("})");
  };
  CHECK(call_item(db, "Query", of_a + as_long_as(1024)).status == 200);
  const std::string too_long =
      invalid("Aggregated size of all range keys has exceeded the size limit of 1024 bytes");
  check_refusals(
      db, {{"Query", of_a + as_long_as(1025), too_long}, {"Scan", as_long_as(1025).substr(2), too_long}});
}

TEST_CASE("a query's start key lies within what is queried") {
  DynamoDb db;
  make_indexed_table(db);
  const std::string outside =
      "The provided starting key is outside query boundaries based on provided conditions";
  check_refusals(
      db,
      {{"Query", of_a + start(R"("pk": {"S": "b"}, "sk": {"N": "1"})"), outside},
       {"Query", of_lsi + start(R"("pk": {"S": "b"}, "sk": {"N": "1"}, "l": {"S": "same"})"), outside},
       {"Query", of_gsi + start(R"("pk": {"S": "a"}, "sk": {"N": "1"}, "g": {"S": "h"}, "r": {"N": "1"})"),
        outside}});
}

TEST_CASE("a query's start key meets the condition on the sort key, its bounds included") {
  DynamoDb db;
  make_table(db);
  struct Bound {
    std::string condition;
    std::string meeting;  // start keys that are taken
    std::string failing;
  };
  const std::vector<Bound> bounds = {
      {"sk < :v", "1 2 3", "3.5 4"},
      {"sk <= :v", "1 3", "3.5 4"},
      {"sk > :v", "3 4 9", "1 2.5"},
      {"sk >= :v", "3 4", "1 2.5"},
      {"sk BETWEEN :v AND :w", "3 4 5", "2 6"},
  };
  const std::string values = R"(":p": {"S": "a"}, ":v": {"N": "3"}, ":w": {"N": "5"})";
  for (const auto& [condition, meeting, failing] : bounds) {
    const std::string text = "pk = :p AND " + condition;
    const std::string query = key_condition(text, used_in(text, values));
    for (const std::string backward : {"", R"(, "ScanIndexForward": false)"}) {
      std::istringstream right(meeting);
      for (std::string sk; right >> sk;) {
        INFO(condition << " from " << sk << backward);
        CHECK(call_item(db, "Query", query + start_at(sk) + backward).refusal().substr(0, 3) == "200");
      }
      std::istringstream wrong(failing);
      for (std::string sk; wrong >> sk;) {
        check_refusal(db, {"Query", query + start_at(sk) + backward,
                           "The provided starting key does not match the range key predicate"});
      }
    }
  }
}

TEST_CASE("a start key of an index meets the condition on the index's sort key") {
  DynamoDb db;
  make_indexed_table(db);
  const std::string refused = "The provided starting key does not match the range key predicate";
  const std::string above =
      R"("IndexName": "gsi", )" + key_condition("g = :g AND r > :r", R"(":g": {"S": "g"}, ":r": {"N": "1"})");
  const auto in_gsi = [](const std::string& r) {
    return start(R"("pk": {"S": "a"}, "sk": {"N": "3"}, "g": {"S": "g"}, "r": {"N": ")" + r + R"("})");
  };
  CHECK(ok_item(db, "Query", above + in_gsi("1"))["Count"] == 0);
  CHECK(ok_item(db, "Query", above + in_gsi("1") + R"(, "ScanIndexForward": false)")["Count"] == 0);
  check_refusal(db, {"Query", above + in_gsi("0.9"), refused});
  const std::string prefixed =
      R"("IndexName": "lsi", )" +
      key_condition("pk = :p AND begins_with(l, :l)", R"(":p": {"S": "a"}, ":l": {"S": "sa"})");
  const auto in_lsi = [](const std::string& l) {
    return start(R"("pk": {"S": "a"}, "sk": {"N": "3"}, "l": {"S": ")" + l + R"("})");
  };
  CHECK(column(items_of(db, "Query", prefixed + in_lsi("same")), "sk") == "4 5");
  CHECK(column(items_of(db, "Query", prefixed + in_lsi("sa")), "sk") == "1 2 3 4 5");
  for (const std::string l : {"s", "sb"}) check_refusal(db, {"Query", prefixed + in_lsi(l), refused});
}

TEST_CASE("a page ends with the row that fills its megabyte, whatever is filtered, projected or counted") {
  DynamoDb db;
  db.create_table(the_table, "S", "N");
  // pk 3 bytes, sk 4, x 1: rows of exactly 256 KiB; sizes are not those of the text.
  constexpr std::size_t row = 256 * 1024;
  const auto padded = [](int sk, std::size_t bytes) {
    return item("a", sk, R"(, "x": {"S": ")" + std::string(bytes - 3 - 4 - 1, 'x') + R"("})");
  };
  for (int sk = 1; sk <= 6; ++sk) put_text(db, padded(sk, row));
  const std::string scan_all = R"("ConsistentRead": true)";
  for (const std::string& wish :
       {filtered_by("attribute_not_exists(x)"), std::string(R"(, "ProjectionExpression": "sk")"),
        std::string(R"(, "Select": "COUNT")")}) {
    const Json queried = ok_item(db, "Query", of_a + wish);
    CHECK(queried["ScannedCount"] == 4);
    CHECK(queried["LastEvaluatedKey"]["sk"]["N"] == "4");
    CHECK(ok_item(db, "Scan", scan_all + wish)["ScannedCount"] == 4);
    const Json rest = ok_item(db, "Query", of_a + wish + start_at("4"));
    CHECK(rest["ScannedCount"] == 2);
    CHECK_FALSE(rest.contains("LastEvaluatedKey"));
  }
  CHECK(ok_item(db, "Query", of_a + limit(3) + R"(, "Select": "COUNT")")["ScannedCount"] == 3);
  CHECK(ok_item(db, "Query", of_a + limit(5))["ScannedCount"] == 4);
  // A byte less, and a fifth row is read.
  put_text(db, padded(1, row - 1));
  CHECK(ok_item(db, "Query", of_a + R"(, "Select": "COUNT")")["ScannedCount"] == 5);
}

// Ours: what docs/service leaves open.
TEST_CASE("items that a local index's query fetches from the table count in the page's megabyte") {
  DynamoDb db;
  db.ok("CreateTable", table_request("Tab", "pk sk:N", "l", {local_index("lsi", "l", keys_only())}));
  const std::string padding(300 * 1024, 'x');
  for (int sk = 1; sk <= 6; ++sk)
    put_text(db, item("a", sk, R"(, "l": {"S": "l"}, "x": {"S": ")" + padding + R"("})"));
  CHECK(ok_item(db, "Query", of_lsi)["ScannedCount"] == 6);
  for (const std::string& wish :
       {R"(, "Select": "ALL_ATTRIBUTES")" + filtered_by("attribute_not_exists(x)"),
        std::string(R"(, "ProjectionExpression": "nothing")"), filtered_by("attribute_not_exists(x)")}) {
    const auto pages = pages_of(db, "Query", of_lsi + wish);
    REQUIRE(pages.size() == 2);
    CHECK(pages[0]["ScannedCount"] == 4);
    CHECK(pages[1]["ScannedCount"] == 2);
  }
}

}  // namespace test::paging_test
