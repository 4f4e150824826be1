#include <catch2/catch.hpp>

#include "reads.h"
#include "support/tables.h"

// Select (docs/service/query-scan.md section 3).
namespace test::select_test {
namespace {

/// Global indexes all, keys and some (x next to its keys) on g; local ones l_all, l_keys and l_some on l.
void make_table(DynamoDb& db) {
  db.ok("CreateTable", table_request("Tab", "pk sk", "g l",
                                     {global_index("all", "g"), global_index("keys", "g", "", keys_only()),
                                      global_index("some", "g", "", including({"x"})),
                                      local_index("l_all", "l"), local_index("l_keys", "l", keys_only()),
                                      local_index("l_some", "l", including({"x"}))}));
  put_items(db, {R"({"pk": {"S": "a"}, "sk": {"S": "s"}, "g": {"S": "g"}, "l": {"S": "l"}, "x": {"S": "x"},
                     "y": {"M": {"k": {"S": "deep"}, "j": {"S": "other"}}}})"});
}

const std::string of_a = key_condition("pk = :p", R"(":p": {"S": "a"})");
const std::string of_g = key_condition("g = :g", R"(":g": {"S": "g"})");

std::string on(const std::string& index) {
  return index.empty() ? "" : R"(, "IndexName": ")" + index + '"';
}

std::string select(const std::string& what) {
  return R"(, "Select": ")" + what + '"';
}

std::string names_in(const Json& items) {
  REQUIRE(items.size() == 1);
  std::string names;
  for (const auto& [name, value] : items[0].items()) names += name + " ";
  return names;
}

/// The names of the attributes that come back, from a Query and from a Scan alike.
std::string answered(DynamoDb& db, const std::string& index, const std::string& members) {
  const bool global = !index.empty() && !index.starts_with("l_");
  const std::string names = names_in(items_of(db, "Query", (global ? of_g : of_a) + on(index) + members));
  const std::string scan = on(index) + members;
  CHECK(names_in(items_of(db, "Scan", scan.empty() ? "" : scan.substr(2))) == names);
  return names;
}

void check_both_refuse(DynamoDb& db, const std::string& index, const std::string& members,
                       const std::string& message) {
  const bool global = !index.empty() && !index.starts_with("l_");
  const std::string rest = on(index) + members;
  check_refusals(db, {{"Query", (global ? of_g : of_a) + rest, message}, {"Scan", rest.substr(2), message}});
}

/// What is wrong with Select itself, Query refuses in the envelope and Scan without it.
void check_select_refused(DynamoDb& db, const std::string& members, const std::string& message) {
  check_refusals(db, {{"Query", of_a + members, enveloped(message)}, {"Scan", members.substr(2), message}});
}

const std::string everything = "g l pk sk x y ";

}  // namespace

TEST_CASE("without Select a table gives everything, an index what it projects") {
  DynamoDb db;
  make_table(db);
  CHECK(answered(db, "", "") == everything);
  CHECK(answered(db, "all", "") == everything);
  CHECK(answered(db, "keys", "") == "g pk sk ");
  CHECK(answered(db, "some", "") == "g pk sk x ");
  CHECK(answered(db, "l_all", "") == everything);
  CHECK(answered(db, "l_keys", "") == "l pk sk ");
  CHECK(answered(db, "l_some", "") == "l pk sk x ");
}

TEST_CASE("ALL_PROJECTED_ATTRIBUTES is what an index projects") {
  DynamoDb db;
  make_table(db);
  const std::string wish = select("ALL_PROJECTED_ATTRIBUTES");
  CHECK(answered(db, "all", wish) == everything);
  CHECK(answered(db, "keys", wish) == "g pk sk ");
  CHECK(answered(db, "some", wish) == "g pk sk x ");
  CHECK(answered(db, "l_some", wish) == "l pk sk x ");
  check_select_refused(db, wish,
                       "ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName");
}

TEST_CASE("ALL_ATTRIBUTES reaches through a local index, and not through a global one") {
  DynamoDb db;
  make_table(db);
  const std::string wish = select("ALL_ATTRIBUTES");
  for (const std::string index : {"", "all", "l_all", "l_keys", "l_some"})
    CHECK(answered(db, index, wish) == everything);
  for (const std::string index : {"keys", "some"}) {
    check_both_refuse(db, index, wish,
                      invalid("Select type ALL_ATTRIBUTES is not supported for global secondary index " +
                              index + " because its projection type is not ALL"));
  }
}

TEST_CASE("COUNT gives no items") {
  DynamoDb db;
  make_table(db);
  for (const std::string index : {"", "l_keys", "l_all"}) {
    CHECK(call_item(db, "Query", of_a + on(index) + select("COUNT")).body ==
          R"({"Count":1,"ScannedCount":1})");
  }
  CHECK(call_item(db, "Query", of_g + on("keys") + select("COUNT")).body ==
        R"({"Count":1,"ScannedCount":1})");
  CHECK(call_item(db, "Scan", R"("Select": "COUNT")").body == R"({"Count":1,"ScannedCount":1})");
}

TEST_CASE("a projection may say that it asks for SPECIFIC_ATTRIBUTES") {
  DynamoDb db;
  make_table(db);
  const std::string projected = R"(, "ProjectionExpression": "x, nothing")";
  CHECK(answered(db, "", projected) == "x ");
  CHECK(answered(db, "", projected + select("SPECIFIC_ATTRIBUTES")) == "x ");
  const std::string to_get = R"("AttributesToGet": ["x", "nothing"])";
  CHECK(names_in(items_of(db, "Scan", to_get + select("SPECIFIC_ATTRIBUTES"))) == "x ");
}

TEST_CASE("SPECIFIC_ATTRIBUTES names them") {
  DynamoDb db;
  check_select_refused(
      db, select("SPECIFIC_ATTRIBUTES"),
      "Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES");
}

TEST_CASE("a projection goes with no other Select") {
  DynamoDb db;
  const std::string legacy_a =
      R"("KeyConditions": {"pk": {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "a"}]}})";
  const std::vector<std::pair<std::string, std::string>> choices = {
      {"ALL_ATTRIBUTES", "ALL_ATTRIBUTES"},
      {"ALL_PROJECTED_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES"},
      {"COUNT", "only the Count"}};
  for (const auto& [value, words] : choices) {
    const std::string message = " when choosing to get " + words;
    const std::string projected = R"(, "ProjectionExpression": "x")" + select(value);
    const std::string to_get = R"(, "AttributesToGet": ["x"])" + select(value);
    check_select_refused(db, projected, "Cannot specify the ProjectionExpression" + message);
    check_select_refused(db, on("all") + projected, "Cannot specify the ProjectionExpression" + message);
    check_refusals(db,
                   {{"Query", legacy_a + to_get, enveloped("Cannot specify the AttributesToGet" + message)},
                    {"Scan", to_get.substr(2), "Cannot specify the AttributesToGet" + message}});
  }
}

TEST_CASE("an unknown Select is refused") {
  DynamoDb db;
  const std::string message = enveloped(
      "Value 'INVALID_VALUE' at 'select' failed to satisfy constraint: Member must satisfy enum value set: "
      "[SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES]");
  check_both_refuse(db, "", select("INVALID_VALUE"), message);
}

TEST_CASE("a projection of an attribute that a global index lacks is refused, and a local index fetches it") {
  DynamoDb db;
  make_table(db);
  const auto projecting = [](const std::string& paths) {
    return R"(, "ProjectionExpression": ")" + paths + '"';
  };
  const auto refused = [](const std::string& index, const std::string& attributes) {
    return invalid("Global secondary index " + index + " does not project [" + attributes + "]");
  };
  check_both_refuse(db, "keys", projecting("x"), refused("keys", "x"));
  check_both_refuse(db, "keys", projecting("pk, y.k, x, g"), refused("keys", "x, y"));
  check_both_refuse(db, "some", projecting("y.k"), refused("some", "y"));
  CHECK(answered(db, "all", projecting("y.k, pk")) == "pk y ");
  CHECK(answered(db, "some", projecting("x, sk")) == "sk x ");
  CHECK(answered(db, "l_keys", projecting("x, sk")) == "sk x ");
  CHECK(answered(db, "l_some", projecting("y.k")) == "y ");
  CHECK(items_of(db, "Scan", R"("IndexName": "l_keys")" + projecting("y.k")) ==
        Json::parse(R"([{"y": {"M": {"k": {"S": "deep"}}}}])"));
}

}  // namespace test::select_test
