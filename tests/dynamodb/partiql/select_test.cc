#include <catch2/catch.hpp>

#include "statements.h"

// docs/service/partiql.md section 3.
namespace test::partiql::select_test {
namespace {

/// Partitions a, b and c with the sort keys -2, 2, 10 and 20 each.
void make_rows(DynamoDb& db) {
  db.create_table(the_table, "S", "N");
  for (const std::string pk : {"a", "b", "c"}) {
    for (const std::string sk : {"-2", "2", "10", "20"})
      put_items(db, {R"({"pk": {"S": ")" + pk + R"("}, "sk": {"N": ")" + sk + R"("}, "x": {"S": ")" + pk +
                     sk + "\"}}"});
  }
}

std::string rows(DynamoDb& db, const std::string& where, const std::string& members = "") {
  return column(selected(db, "SELECT * FROM Tab WHERE " + where, members), "x");
}

double units(DynamoDb& db, const std::string& where) {
  return capacity_of(db, "SELECT * FROM Tab WHERE " + where, R"("ConsistentRead": true)")["CapacityUnits"];
}

struct Wide {
  DynamoDb db;

  /// Rows of 4 KB, so that what is read shows in what it costs.
  Wide() {
    db.create_table(the_table, "S", "N");
    for (const std::string pk : {"a", "b"}) {
      for (const std::string sk : {"2", "10"}) {
        put_items(db, {R"({"pk": {"S": ")" + pk + R"("}, "sk": {"N": ")" + sk + R"("}, "x": {"S": ")" + pk +
                       sk + R"("}, "big": {"S": ")" + std::string(4000, '.') + "\"}}"});
      }
    }
  }
};

const std::string overlapping = "Overlapping conditions with range keys are not supported in where clause";

}  // namespace

TEST_CASE("columns are returned under their last names") {
  DynamoDb db;
  db.create_table(the_table);
  store_item(
      db,
      R"("m": {"M": {"nested": {"N": "1"}, "k": {"L": [{"S": "x"}, {"S": "y"}]}}}, "l": {"L": [{"S": "z"}]})");
  CHECK(selected(db, "SELECT m.nested, l[0], m.k[1], pk, none FROM Tab") ==
        Json::parse(R"([{"nested": {"N": "1"}, "l[0]": {"S": "z"}, "k[1]": {"S": "y"}, "pk": {"S": "a"}}])"));
  CHECK(selected(db, "SELECT l[-0] FROM Tab") == Json::parse(R"([{"l[0]": {"S": "z"}}])"));
  CHECK(selected(db, "SELECT none, l[7] FROM Tab WHERE pk = 'b'") == Json::array());
  CHECK(selected(db, "SELECT none FROM Tab") == Json::parse("[{}]"));
  check_refused_statements(
      db,
      {{"SELECT a.z, b.z FROM Tab", "Duplicate identifiers in select clause: z"},
       {"SELECT l[-1] FROM Tab", "List index is not within the allowable range; index: [-1] at 1:11:1"},
       {"SELECT l[2147483648] FROM Tab",
        "List index is not within the allowable range; index: [2147483648] at 1:10:10"},
       {"SELECT l[1.5] FROM Tab", "List index is not within the allowable range; index: [1.5] at 1:10:3"}});
}

TEST_CASE("a select that finds nothing answers with no items") {
  DynamoDb db;
  db.create_table(the_table);
  CHECK(execute(db, "SELECT * FROM Tab WHERE pk = 'a'").body == R"({"Items":[]})");
}

TEST_CASE("key conditions of every kind") {
  DynamoDb db;
  make_rows(db);
  CHECK(rows(db, "pk = 'a'") == "a-2 a2 a10 a20");
  CHECK(rows(db, "'a' = pk AND 2 < sk") == "a10 a20");
  CHECK(rows(db, "pk = 'a' AND sk = 2") == "a2");
  CHECK(rows(db, "pk = 'a' AND sk < 10") == "a-2 a2");
  CHECK(rows(db, "pk = 'a' AND sk <= 10") == "a-2 a2 a10");
  CHECK(rows(db, "pk = 'a' AND sk > 2") == "a10 a20");
  CHECK(rows(db, "pk = 'a' AND sk >= 2") == "a2 a10 a20");
  CHECK(rows(db, "pk = 'a' AND sk BETWEEN 2 AND 10") == "a2 a10");
  CHECK(rows(db, "pk = 'a' AND sk BETWEEN 10 AND 2") == "");
  CHECK(rows(db, "pk = 'a' AND sk IN [20, -2, 7]") == "a-2 a20");
  CHECK(rows(db, "pk IN ['c', 'a', 'd'] AND sk = 2") == "a2 c2");
  CHECK(rows(db, "pk IN ('b', 'a') AND sk IN (2, 10)") == "a2 a10 b2 b10");
  CHECK(rows(db, "pk = 'b' AND sk = 2 OR pk = 'a'") == "a-2 a2 a10 a20 b2");
  CHECK(rows(db, "(pk = 'a' AND sk = 10) AND x = 'a10'") == "a10");
  CHECK(rows(db, "pk = 'a' AND (sk < 2 OR sk > 2 OR sk = 2) AND x <> 'a10'") == "a-2 a2 a20");
  CHECK(rows(db, "pk = 'a' AND (x = 'a2' OR x = 'a20')") == "a2 a20");
}

TEST_CASE("begins_with on a sort key selects rows by their prefix") {
  DynamoDb db;
  db.create_table(the_table, "S", "S");
  for (const std::string sk : {"a", "ab", "b"})
    put_items(db, {R"({"pk": {"S": "p"}, "sk": {"S": ")" + sk + R"("}, "x": {"S": ")" + sk + "\"}}"});
  CHECK(rows(db, "pk = 'p' AND begins_with(sk, 'a')") == "a ab");
}

TEST_CASE("what is read by key costs its reads, and each is rounded for itself") {
  Wide wide;
  DynamoDb& db = wide.db;
  CHECK(units(db, "pk = 'a'") == 2);
  CHECK(units(db, "pk = 'a' AND sk = 2") == 1);
  CHECK(units(db, "pk = 'a' AND sk = 3") == 1);
  CHECK(units(db, "pk IN ['a', 'none']") == 3);
  CHECK(units(db, "pk = 'a' AND sk IN [2, 10]") == 2);
  CHECK(units(db, "pk = 'a' AND sk IN [3, 4, 5]") == 3);
  CHECK(units(db, "pk = 'a' AND (sk < 3 OR sk >= 10)") == 2);
  CHECK(units(db, "pk = 'a' OR pk = 'b'") == 4);
  CHECK(units(db, "pk = 'a' AND (sk = 2 OR sk = 10)") == 2);
  CHECK(units(db, "pk = 'a' AND x = 'none'") == 2);
  CHECK(capacity_of(db, "SELECT x FROM Tab WHERE pk = 'a' AND sk = 3")["CapacityUnits"] == 0.5);
}

TEST_CASE("conditions that are said twice count once") {
  Wide wide;
  DynamoDb& db = wide.db;
  for (const std::string where : {"pk = 'a' AND pk = 'a' AND sk = 2", "pk = 'a' AND sk = 2 AND sk = 2.0",
                                  "pk = 'a' AND sk IN [2] AND sk = 2", "pk IN ['a'] AND pk = 'a' AND sk = 2",
                                  "pk = 'a' AND sk > 2 AND sk > 2.0"}) {
    INFO(where);
    CHECK(units(db, where) == 1);
  }
}

TEST_CASE("what is not a key read scans the whole table") {
  Wide wide;
  DynamoDb& db = wide.db;
  for (const std::string where : {"pk > 'a'",
                                  "x = 'a2'",
                                  "pk = 'a' OR x = 'b2'",
                                  "pk = 'a' OR sk = 2",
                                  "NOT pk = 'b'",
                                  "NOT NOT pk = 'a'",
                                  "NOT pk <> 'a'",
                                  "pk <> 'a'",
                                  "pk = 'a' AND sk > 1 AND sk < 9",
                                  "pk = 'a' AND sk >= 2 AND sk <= 10",
                                  "pk = 'a' AND sk > 2 AND sk > 10",
                                  "pk = 'a' AND sk BETWEEN 1 AND 9 AND sk < 5",
                                  "pk = 'a' AND sk = 2 AND sk >= 2",
                                  "pk = 'a' AND sk = 2 AND sk = 10",
                                  "pk = 'a' AND sk IN [2, 10] AND sk > 1",
                                  "pk = 'a' AND sk IN [2, 10] AND sk IN [2, 10]",
                                  "pk = 'a' AND pk = 'b'",
                                  "pk = 'a' AND NOT sk = 2",
                                  "pk = 'a' AND sk <> 2",
                                  "pk = 'a' AND NOT begins_with(sk, ?)",
                                  "pk = 'a' AND NOT sk IN [2]",
                                  "pk = 'a' AND NOT sk > 2",
                                  "pk = 'a' OR pk = 'a' AND NOT sk > 2",
                                  "pk = 'a' AND NOT (sk = 2)",
                                  "pk = 'a' OR pk = 'a' AND sk <> 2",
                                  "1 < 2"}) {
    INFO(where);
    const std::string members = R"("ConsistentRead": true, "Parameters": [{"S": "x"}])";
    CHECK(capacity_of(db, "SELECT * FROM Tab WHERE " + where, members)["CapacityUnits"] == 4);
  }
  CHECK(rows(db, "pk = 'a' AND NOT sk = 2") == "a10");
  CHECK(rows(db, "pk = 'a' AND sk > 2 AND sk > 9") == "a10");
  std::string many = "pk = 'a' AND x = '' OR x IN ['a2'";
  for (int i = 0; i < 60; ++i) many += ", '" + std::to_string(i) + "'";
  CHECK(rows(db, many + "]") == "a2");
}

TEST_CASE("a constant in a key condition has the type of the key") {
  DynamoDb db;
  make_rows(db);
  const std::string wrong = "Key attribute's data type should match its data type in table's schema: Key ";
  for (const auto& [where, message] : std::initializer_list<std::pair<std::string, std::string>>{
           {"pk = 1 AND sk = 1", wrong + "pk"},
           {"pk = 'a' AND sk = 'x'", wrong + "sk"},
           {"pk = 'a' AND sk BETWEEN 1 AND 'x'", wrong + "sk"},
           {"pk IN ['a', 1]", wrong + "pk"},
           {"pk = 'a' OR pk = 1", wrong + "pk"},
           {"pk = 'a' AND begins_with(sk, 'x')", wrong + "sk"},
           {"pk = true", "Key value must be of type S, N, or B. Key name: pk, Key type: BOOL"},
           {"pk = 'a' AND sk = [1]", "Key value must be of type S, N, or B. Key name: sk, Key type: L"}})
    check_refused_statement(db, "SELECT * FROM Tab WHERE " + where, message);
  CHECK(rows(db, "pk > 1") == "");
}

TEST_CASE("key reads do not overlap") {
  DynamoDb db;
  make_rows(db);
  for (const std::string where :
       {"pk='a' AND x='1' OR pk='a' AND sk=2", "pk='a' AND x<>'1' OR pk='a' AND sk=2", "pk IN ['a','a']",
        "pk='a' OR pk='a'", "pk='a' AND (sk > 0 OR sk < 5)", "pk='a' AND (sk=1 OR x='y')",
        "(pk='a' AND x='1') OR (pk='a' AND x='2')", "pk='a' AND sk IN [2,2.0]",
        "pk='a' AND (sk<=10 OR sk>=10)", "pk='a' AND (sk BETWEEN -2 AND 10 OR sk=10)"})
    check_refused_statement(db, std::string("SELECT * FROM Tab WHERE ") + where, overlapping);
  check_refused_statement(db, "SELECT * FROM Tab WHERE pk IN ['a', 'a'] AND sk = 'x'",
                          "Key attribute's data type should match its data type in table's schema: Key sk");
}

TEST_CASE("a statement comes to 50 key reads at most") {
  DynamoDb db;
  make_rows(db);
  const auto numbers = [](int count) {
    std::string list;
    for (int i = 0; i < count; ++i) list += (i == 0 ? "" : ", ") + std::to_string(i);
    return list;
  };
  const std::string too_many = "Too many decomposed read operations for a given query.";
  CHECK(rows(db, "pk = 'a' AND sk IN [" + numbers(50) + "]") == "a2 a10 a20");
  check_refused_statement(db, "SELECT * FROM Tab WHERE pk = 'a' AND sk IN [" + numbers(51) + "]", too_many);
  check_refused_statement(db, "SELECT * FROM Tab WHERE pk IN ['a', 'b'] AND sk IN [" + numbers(26) + "]",
                          too_many);
  CHECK(rows(db, "x = 'a2' OR sk IN [" + numbers(100) + "]").size() > 2);
  std::string partitions = "'a'";
  for (int i = 1; i < 50; ++i) partitions += ", '" + std::to_string(i) + "'";
  CHECK(rows(db, "pk IN [" + partitions + "]") == "a-2 a2 a10 a20");
  partitions += ", 'b'";
  check_refused_statement(db, "SELECT * FROM Tab WHERE pk IN [" + partitions + "]", too_many);
  CHECK(rows(db, "pk IN [" + partitions + "] AND NOT sk > 2") == "b-2 b2 a-2 a2");
  check_refused_statement(db, "SELECT * FROM none WHERE n IN [" + numbers(101) + "]",
                          "The IN operator is provided with too many operands; number of operands: 101");
}

TEST_CASE("a WHERE that multiplies out is refused in time") {
  DynamoDb db;
  make_rows(db);
  std::string where = "pk = 'a'";
  for (int i = 0; i < 200; ++i) where += " AND (pk = 'a' OR pk = 'a')";
  check_refused_statement(db, "SELECT * FROM Tab WHERE " + where,
                          "Too many decomposed read operations for a given query.");
}

TEST_CASE("IN wants a list of its own") {
  DynamoDb db;
  db.create_table(the_table);
  const std::string message =
      "IN operator must have a left hand argument of type Variable Reference and right hand argument of type "
      "Seq with at "
      "least one member";
  check_refused_statement(db, "SELECT * FROM Tab WHERE pk IN []", message);
  check_refused_statement(db, "SELECT * FROM Tab WHERE pk IN ?", message,
                          parameters(R"({"L": [{"S": "a"}]})"));
}

TEST_CASE("ORDER BY sorts by the key attributes named, each in its direction") {
  DynamoDb db;
  make_rows(db);
  CHECK(rows(db, "pk = 'a' ORDER BY sk") == "a-2 a2 a10 a20");
  CHECK(rows(db, "pk = 'a' ORDER BY sk DESC") == "a20 a10 a2 a-2");
  CHECK(rows(db, "pk = 'a' ORDER BY pk") == "a20 a10 a2 a-2");
  CHECK(rows(db, "pk = 'a' ORDER BY pk, sk") == "a-2 a2 a10 a20");
  const std::string both = "pk IN ['b', 'a'] AND sk IN [2, 10] ORDER BY ";
  CHECK(rows(db, both + "pk, sk") == "a2 a10 b2 b10");
  CHECK(rows(db, both + "pk ASC, sk DESC") == "a10 a2 b10 b2");
  CHECK(rows(db, both + "pk DESC, sk ASC") == "b2 b10 a2 a10");
  CHECK(rows(db, both + "pk DESC, sk DESC") == "b10 b2 a10 a2");
  CHECK(rows(db, both + "sk ASC, pk ASC") == "a2 a10 b2 b10");
  CHECK(rows(db, both + "pk") == "a10 a2 b10 b2");
  CHECK(rows(db, both + "pk ASC") == "a10 a2 b10 b2");
  CHECK(rows(db, both + "pk DESC") == "b10 b2 a10 a2");
}

TEST_CASE("ORDER BY without a key condition, or by other attributes, is refused") {
  DynamoDb db;
  make_rows(db);
  const std::string no_hash =
      "Must have at least one non-optional hash key condition in WHERE clause when using ORDER BY clause.";
  check_refused_statements(db,
                           {{"SELECT * FROM Tab ORDER BY pk",
                             "Must have WHERE clause in the statement when using ORDER BY clause."},
                            {"SELECT * FROM Tab WHERE pk = 'a' ORDER BY Total",
                             "Attribute Total in ORDER BY clause must be part of the primary key"},
                            {"SELECT * FROM Tab WHERE sk = 2 ORDER BY sk", no_hash},
                            {"SELECT * FROM Tab WHERE pk > 'a' ORDER BY pk", no_hash},
                            {"SELECT * FROM Tab WHERE pk = 'a' AND sk > 1 AND sk < 9 ORDER BY sk", no_hash},
                            {"SELECT * FROM Tab WHERE pk IN ['a', 'b'] ORDER BY sk",
                             "Must have hash key in ORDER BY clause when more than one hash key condition "
                             "specified in WHERE clause."}});
}

TEST_CASE("a scan is charged as Scan is") {
  dinette::dynamodb::ServiceOptions options;
  options.partition_minimum = true;
  DynamoDb db(options);
  make_rows(db);
  for (const std::string members : {"", R"("ConsistentRead": true)", R"("Limit": 5)"}) {
    const std::string wishes =
        R"("ReturnConsumedCapacity": "INDEXES")" + (members.empty() ? "" : ", " + members);
    CHECK(capacity_of(db, "SELECT * FROM Tab", members) ==
          ok_item(db, "Scan", wishes).at("ConsumedCapacity"));
  }
  CHECK(capacity_of(db, "SELECT * FROM Tab")["CapacityUnits"] == 2);
}

TEST_CASE("numbers and strings order partitions by value") {
  DynamoDb db;
  db.create_table(the_table, "N");
  for (const std::string pk : {"10", "9", "-1"}) put_items(db, {R"({"pk": {"N": ")" + pk + "\"}}"});
  CHECK(column(selected(db, "SELECT * FROM Tab WHERE pk IN [10, -1, 9] ORDER BY pk"), "pk") == "-1 9 10");
  CHECK(column(selected(db, "SELECT * FROM Tab WHERE pk IN [10, -1, 9] ORDER BY pk DESC"), "pk") ==
        "10 9 -1");
}

TEST_CASE("partitions of strings are in the order of their bytes") {
  DynamoDb db;
  db.create_table(the_table);
  for (const std::string pk : {"\u00e9", "a", "Z", "\U0001f600", "\uff5e"})
    put_items(db, {R"({"pk": {"S": ")" + pk + "\"}}"});
  const std::string where =
      "SELECT * FROM Tab WHERE pk IN ['\U0001f600', '\u00e9', 'a', '\uff5e', 'Z'] ORDER BY pk";
  CHECK(column(selected(db, where), "pk") == "Z a \u00e9 \uff5e \U0001f600");
  CHECK(column(selected(db, where + " DESC"), "pk") == "\U0001f600 \uff5e \u00e9 a Z");
}

TEST_CASE("paths do not go into key attributes") {
  DynamoDb db;
  make_rows(db);
  check_refused_statement(
      db, "SELECT * FROM Tab WHERE pk.x = 'a'",
      "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: Key: pk");
}

}  // namespace test::partiql::select_test
