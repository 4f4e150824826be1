#include <catch2/catch.hpp>

#include "dynamodb/reads/reads.h"
#include "support/tables.h"

// Queries and scans of indexes (docs/service/query-scan.md sections 4 to 6, indexes.md sections 1 and 2).
namespace test::index_reads_test {
namespace {

/// Global: by_g on g alone, by_gn on g and the number n, turned on sk and pk, binary on b. Local: by_n on n.
void make_table(DynamoDb& db) {
  db.ok("CreateTable",
        table_request("Tab", "pk sk", "g n:N b:B",
                      {global_index("by_g", "g"), global_index("by_gn", "g", "n", keys_only()),
                       global_index("turned", "sk", "pk"), global_index("binary", "b", "", keys_only()),
                       local_index("by_n", "n")}));
  put_items(
      db, {R"({"pk": {"S": "a"}, "sk": {"S": "1"}, "g": {"S": "red"}, "n": {"N": "30"}, "b": {"B": "/w=="}})",
           R"({"pk": {"S": "a"}, "sk": {"S": "2"}, "g": {"S": "red"}, "n": {"N": "4"}})",
           R"({"pk": {"S": "a"}, "sk": {"S": "3"}, "g": {"S": "blue"}, "n": {"N": "4"}})",
           R"({"pk": {"S": "b"}, "sk": {"S": "1"}, "g": {"S": "red"}, "n": {"N": "-5"}})",
           R"({"pk": {"S": "b"}, "sk": {"S": "2"}, "g": {"S": "red"}})",
           R"({"pk": {"S": "b"}, "sk": {"S": "3"}, "n": {"N": "1"}})"});
}

std::string on(const std::string& index) {
  return R"("IndexName": ")" + index + '"';
}

/// The keys `pk sk` of the rows that come back.
std::string rows(DynamoDb& db, const std::string& operation, const std::string& members) {
  std::string keys;
  for (const Json& item : items_of(db, operation, members)) {
    keys +=
        (keys.empty() ? "" : " ") + item["pk"]["S"].get<std::string>() + item["sk"]["S"].get<std::string>();
  }
  return keys;
}

std::string query(DynamoDb& db, const std::string& index, const std::string& condition,
                  const std::string& values, const std::string& more = "") {
  return rows(db, "Query", on(index) + ", " + key_condition(condition, values) + more);
}

}  // namespace

TEST_CASE("a global index has partitions and an order of its own") {
  DynamoDb db;
  make_table(db);
  const std::string red = R"(":g": {"S": "red"})";
  CHECK(query(db, "by_gn", "g = :g", red) == "b1 a2 a1");
  CHECK(query(db, "by_gn", "g = :g", red, R"(, "ScanIndexForward": false)") == "a1 a2 b1");
  CHECK(query(db, "by_gn", "g = :g AND n > :n", red + R"(, ":n": {"N": "-5"})") == "a2 a1");
  CHECK(query(db, "by_gn", "g = :g AND n BETWEEN :n AND :m",
              red + R"(, ":n": {"N": "-5"}, ":m": {"N": "4"})") == "b1 a2");
  CHECK(query(db, "by_gn", "g = :g AND n = :n", red + R"(, ":n": {"N": "4.0"})") == "a2");
  CHECK(query(db, "by_gn", "g = :g", R"(":g": {"S": "green"})") == "");
  CHECK(query(db, "binary", "b = :b", R"(":b": {"B": "/w=="})") == "a1");
}

TEST_CASE("a global index may turn the table's key around") {
  DynamoDb db;
  make_table(db);
  CHECK(query(db, "turned", "sk = :s", R"(":s": {"S": "1"})") == "a1 b1");
  CHECK(query(db, "turned", "sk = :s AND pk > :p", R"(":s": {"S": "3"}, ":p": {"S": "a"})") == "b3");
  const Json page = ok_item(
      db, "Query", on("turned") + ", " + key_condition("sk = :s", R"(":s": {"S": "1"})") + R"(, "Limit": 1)");
  CHECK(page["LastEvaluatedKey"] == Json::parse(R"({"pk": {"S": "a"}, "sk": {"S": "1"}})"));
}

TEST_CASE("a local index orders the rows of a partition by its own sort key") {
  DynamoDb db;
  make_table(db);
  CHECK(query(db, "by_n", "pk = :p", R"(":p": {"S": "a"})") == "a2 a3 a1");
  CHECK(query(db, "by_n", "pk = :p", R"(":p": {"S": "a"})", R"(, "ScanIndexForward": false)") == "a1 a3 a2");
  CHECK(query(db, "by_n", "pk = :p AND n < :n", R"(":p": {"S": "b"}, ":n": {"N": "1"})") == "b1");
  CHECK(query(db, "by_n", "pk = :p", R"(":p": {"S": "a"})", R"(, "ConsistentRead": true)") == "a2 a3 a1");
}

TEST_CASE("rows with one key of a hash-only index come in some order, always the same") {
  DynamoDb db;
  make_table(db);
  const std::string red = R"(":g": {"S": "red"})";
  const std::string all = query(db, "by_g", "g = :g", red);
  CHECK(all.size() == std::string("a1 a2 b1 b2").size());
  for (const std::string row : {"a1", "a2", "b1", "b2"}) CHECK_THAT(all, Catch::Contains(row));
  CHECK(query(db, "by_g", "g = :g", red) == all);
}

TEST_CASE("a scan of an index reads its rows, each once") {
  DynamoDb db;
  make_table(db);
  const auto scanned = [&](const std::string& index) { return ok_item(db, "Scan", on(index)); };
  CHECK(scanned("by_g")["Count"] == 5);
  CHECK(scanned("by_gn")["Count"] == 4);
  CHECK(scanned("by_n")["Count"] == 5);
  CHECK(scanned("turned")["Count"] == 6);
  CHECK(scanned("binary") == Json::parse(R"({"Count": 1, "ScannedCount": 1,
      "Items": [{"pk": {"S": "a"}, "sk": {"S": "1"}, "b": {"B": "/w=="}}]})"));
  CHECK(ok_item(db, "Scan", on("by_n") + R"(, "ConsistentRead": true)")["Count"] == 5);
}

TEST_CASE("segments of an index are disjoint and together all of it") {
  DynamoDb db;
  make_table(db);
  for (const std::string index : {"by_g", "by_gn", "by_n", "turned"}) {
    const Json whole = items_of(db, "Scan", on(index));
    Json together = Json::array();
    for (int segment = 0; segment < 3; ++segment) {
      const Json part =
          items_of(db, "Scan", on(index) + R"(, "TotalSegments": 3, "Segment": )" + std::to_string(segment));
      together.insert(together.end(), part.begin(), part.end());
    }
    CHECK(together == whole);
  }
}

TEST_CASE("global indexes are not read consistently") {
  DynamoDb db;
  make_table(db);
  const std::string message = "Consistent reads are not supported on global secondary indexes";
  const std::string red = key_condition("g = :g", R"(":g": {"S": "red"})");
  check_refusals(
      db, {{"Query", on("by_g") + R"(, "ConsistentRead": true, )" + red, message},
           {"Scan", on("by_g") + R"(, "ConsistentRead": true)", message},
           // ... which is reported before what the key condition misses.
           {"Query",
            on("by_g") + R"(, "ConsistentRead": true, )" + key_condition("pk = :g", R"(":g": {"S": "a"})"),
            message}});
  CHECK(ok_item(db, "Query", on("by_g") + R"(, "ConsistentRead": false, )" + red)["Count"] == 4);
}

TEST_CASE("a key condition and a filter are checked against the index's key") {
  DynamoDb db;
  make_table(db);
  const std::string g = R"(":g": {"S": "red"})";
  const std::string by_g = key_condition("g = :g", g);
  const auto filter_refused = [](const std::string& name) {
    return "Filter Expression can only contain non-primary key attributes: Primary key attribute: " + name;
  };
  check_refusals(
      db,
      {{"Query", on("by_g") + ", " + key_condition("pk = :g", g),
        "Query condition missed key schema element: g"},
       {"Query", on("by_g") + ", " + key_condition("g = :g AND n = :n", g + R"(, ":n": {"N": "1"})"),
        "The number of query conditions (2) exceeds the number of key attributes defined in the schema (1)"},
       {"Query", on("by_gn") + ", " + key_condition("g = :g AND sk = :g", g),
        "Query condition missed key schema element: n"},
       {"Query", on("by_gn") + ", " + key_condition("g = :g AND n = :g", g),
        invalid("Condition parameter type does not match schema type")},
       {"Query", on("by_n") + ", " + key_condition("pk = :g AND sk = :g", g),
        "Query condition missed key schema element: n"},
       {"Query", on("by_gn") + ", " + by_g + filtered_by("n = x"), filter_refused("n")},
       {"Query", on("by_g") + ", " + by_g + filtered_by("begins_with(g, :g)"), filter_refused("g")}});
  // The table's key is no key of this index.
  CHECK(query(db, "by_g", "g = :g", g + R"(, ":b": {"S": "b"}, ":2": {"S": "2"})",
              filtered_by("pk = :b AND sk = :2")) == "b2");
  CHECK(query(db, "by_n", "pk = :p", R"(":p": {"S": "a"}, ":2": {"S": "2"})", filtered_by("sk = :2")) ==
        "a2");
  CHECK(
      rows(
          db, "Query",
          on("by_g") +
              R"(, "KeyConditions": {"g": {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "red"}]}},
                 "QueryFilter": {"pk": {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "b"}]},
                                 "sk": {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "1"}]}})") ==
      "b1");
}

TEST_CASE("a filter sees what an index projects, and through a local index the item") {
  DynamoDb db;
  db.ok("CreateTable", table_request("Tab", "pk sk", "k",
                                     {global_index("global", "k", "", keys_only()),
                                      local_index("local", "k", keys_only())}));
  put_items(db, {R"({"pk": {"S": "a"}, "sk": {"S": "1"}, "k": {"S": "k"}, "x": {"N": "1"}})",
                 R"({"pk": {"S": "a"}, "sk": {"S": "2"}, "k": {"S": "k"}})"});
  const std::string exists = filter("attribute_exists(x)") + ", ";
  CHECK(rows(db, "Scan", exists + on("global")) == "");
  CHECK(rows(db, "Scan", exists + on("local")) == "a1");
  // What comes back is still what the index projects.
  CHECK(items_of(db, "Scan", exists + on("local"))[0] ==
        Json::parse(R"({"pk": {"S": "a"}, "sk": {"S": "1"}, "k": {"S": "k"}})"));
  CHECK(ok_item(db, "Scan", exists + on("local") + R"(, "Select": "COUNT")")["Count"] == 1);
}

TEST_CASE("an index shows a write at once, as the table does") {
  DynamoDb db;
  make_table(db);
  const std::string blue = R"(":g": {"S": "blue"})";
  put_items(db, {R"({"pk": {"S": "c"}, "sk": {"S": "1"}, "g": {"S": "blue"}, "n": {"N": "0"}})"});
  CHECK(query(db, "by_gn", "g = :g", blue) == "c1 a3");
}

}  // namespace test::index_reads_test
