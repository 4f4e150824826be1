#include <catch2/catch.hpp>

#include "reads.h"

// FilterExpression (docs/service/expressions.md sections 2 to 5, query-scan.md sections 1 to 5). How
// conditions are evaluated is the topic of condition_evaluation_test.cc.
namespace test::filter_test {
namespace {

void make_table(DynamoDb& db) {
  db.create_table(the_table, "S", "N");
  put_items(
      db, {R"({"pk": {"S": "a"}, "sk": {"N": "1"}, "x": {"N": "5"}})",
           R"({"pk": {"S": "a"}, "sk": {"N": "2"}, "x": {"S": "5"}, "m": {"M": {"k": {"L": [{"N": "1"}]}}}})",
           R"({"pk": {"S": "a"}, "sk": {"N": "3"}})",
           R"({"pk": {"S": "a"}, "sk": {"N": "4"}, "x": {"N": "7"}, "t": {"SS": ["p", "q"]}})"});
}

/// The values of a query's key condition and what else a filter wants.
std::string query(const std::string& values) {
  return R"("KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": {":p": {"S": "a"})" +
         (values.empty() ? "" : ", " + values) + "}";
}

}  // namespace

TEST_CASE("a filter is applied to what was read") {
  DynamoDb db;
  make_table(db);
  struct Filtering {
    std::string filter;
    std::string values;
    std::string sort_keys;
  };
  const std::vector<Filtering> filterings = {
      {"x > :v", R"(":v": {"N": "4"})", "1 4"},
      {"x <> :v", R"(":v": {"N": "5"})", "2 3 4"},
      {"NOT x = :v", R"(":v": {"N": "5"})", "2 3 4"},
      {"attribute_exists(x)", "", "1 2 4"},
      {"attribute_not_exists(x) OR x = :v", R"(":v": {"S": "5"})", "2 3"},
      {"attribute_type(x, :v)", R"(":v": {"S": "S"})", "2"},
      {"contains(t, :v)", R"(":v": {"S": "q"})", "4"},
      {"m.k[0] = :v", R"(":v": {"N": "1.0"})", "2"},
      {"size(t) = :v", R"(":v": {"N": "2"})", "4"},
      {"x IN (:v, :w)", R"(":v": {"N": "7"}, ":w": {"N": "9"})", "4"},
      {"x BETWEEN :v AND :w", R"(":v": {"N": "5"}, ":w": {"N": "6"})", "1"},
      {"begins_with(x, :v)", R"(":v": {"S": "5"})", "2"},
      {"x > :v", R"(":v": {"N": "40"})", ""},
  };
  for (const auto& [text, values, sort_keys] : filterings) {
    INFO(text);
    const Json queried = ok_item(db, "Query", query(values) + filtered_by(text));
    const Json scanned = ok_item(db, "Scan", filter(text, values));
    CHECK(column(queried["Items"], "sk") == sort_keys);
    CHECK(queried["Count"] == queried["Items"].size());
    CHECK(queried["ScannedCount"] == 4);
    CHECK(scanned == queried);
  }
}

TEST_CASE("a page may be filtered empty and still continue") {
  DynamoDb db;
  make_table(db);
  const std::string page = query(R"(":v": {"N": "7"})") + filtered_by("x = :v") + R"(, "Limit": 2)";
  const std::vector<Json> pages = pages_of(db, "Query", page);
  REQUIRE(pages.size() == 3);
  CHECK(pages[0] == Json::parse(R"({"Items": [], "Count": 0, "ScannedCount": 2,
                                    "LastEvaluatedKey": {"pk": {"S": "a"}, "sk": {"N": "2"}}})"));
  CHECK(pages[1]["Count"] == 1);
  CHECK(pages[1]["ScannedCount"] == 2);
  CHECK(pages[2] == Json::parse(R"({"Items": [], "Count": 0, "ScannedCount": 0})"));
}

TEST_CASE("a filter sees attributes that the projection leaves out") {
  DynamoDb db;
  make_table(db);
  CHECK(items_of(db, "Scan", filter("x = :v", R"(":v": {"N": "7"})") + R"(, "ProjectionExpression": "sk")") ==
        Json::parse(R"([{"sk": {"N": "4"}}])"));
  CHECK(ok_item(db, "Scan", filter("x = :v", R"(":v": {"N": "7"})") + R"(, "Select": "COUNT")") ==
        Json::parse(R"({"Count": 1, "ScannedCount": 4})"));
}

TEST_CASE("a query's filter leaves the key alone, a scan's need not") {
  DynamoDb db;
  make_table(db);
  const auto refused = [&](const std::string& members, const std::string& key_attribute) {
    check_refusal(db,
                  {"Query", members,
                   "Filter Expression can only contain non-primary key attributes: Primary key attribute: " +
                       key_attribute});
  };
  const std::string one = query(R"(":v": {"N": "1"})");
  refused(one + filtered_by("sk = :v"), "sk");
  refused(query("") + filtered_by("attribute_exists(pk)"), "pk");
  refused(one + filtered_by("x = :v OR size(sk) > :v"), "sk");
  refused(query("") + filtered_by("attribute_exists(#s)") + R"(, "ExpressionAttributeNames": {"#s": "sk"})",
          "sk");
  CHECK(column(items_of(db, "Scan", filter("pk = :p AND sk > :s", R"(":p": {"S": "a"}, ":s": {"N": "2"})")),
               "sk") == "3 4");
}

TEST_CASE("a malformed filter is refused whatever the table") {
  DynamoDb db;
  const std::string prefix = "Invalid FilterExpression: ";
  const std::string values = R"(":v": {"N": "1"}, ":w": {"N": "2"}, ":yes": {"BOOL": true})";
  const std::vector<std::pair<std::string, std::string>> filters = {
      {"", prefix + "The expression can not be empty;"},
      {"!!! INVALID !!!", prefix + R"(Syntax error; token: "!", near: "!!")"},
      {"status = :v", prefix + "Attribute name is a reserved keyword; reserved keyword: status"},
      {"a = :x",
       prefix + "An expression attribute value used in expression is not defined; attribute value: :x"},
      {"#a = :v",
       prefix + "An expression attribute name used in the document path is not defined; attribute name: #a"},
      {"((a = :v))", prefix + "The expression has redundant parentheses;"},
      {"contains(d, d)",
       prefix +
           "The first operand must be distinct from the remaining operands for this operator or function; "
           "operator: contains, first operand: [d]"},
      {"begins_with(a, :v)",
       prefix + "Incorrect operand type for operator or function; operator or function: begins_with, operand "
                "type: N"},
      {"a < :yes",
       prefix +
           "Incorrect operand type for operator or function; operator or function: <, operand type: BOOL"},
      {"a BETWEEN :w AND :v",
       prefix + "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; "
                "lower bound "
                "operand: AttributeValue: {N:2}, upper bound operand: AttributeValue: {N:1}"},
  };
  for (const auto& [text, message] : filters) {
    check_refusals(
        db, {{"Scan", filter(text, values), message}, {"Query", query(values) + filtered_by(text), message}});
  }
  CHECK_THAT(call_item(db, "Scan", filter("a" + std::string(4096, 'x'))).message(),
             Catch::StartsWith(prefix + "Expression size has exceeded the maximum allowed size;"));
}

}  // namespace test::filter_test
