#include <catch2/catch.hpp>

#include "dynamodb/reads/reads.h"
#include "support/tables.h"

// Key attributes are scalars: no expression has a path into one (docs/service/expressions.md section 2).
namespace test::key_paths_test {
namespace {

/// `key`: `Key` or `IndexKey`.
std::string refusal(const std::string& key, const std::string& attribute) {
  return "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: " +
         key + ": " + attribute;
}

/// The table with a global index on g.
void make_table(DynamoDb& db) {
  db.ok("CreateTable", table_request("Tab", "pk", "g", {global_index("by_g", "g")}));
}

const std::string v = R"(":v": {"S": "x"})";

/// Requests of every kind of expression that reach into an attribute.
std::vector<Refusal> reaching_into(const std::string& attribute, const std::string& message) {
  const std::string of_a = key_condition("pk = :p", R"(":p": {"S": "a"})");
  const std::string dotted = attribute + ".x";
  const std::string indexed = attribute + "[0]";
  const std::string exists = "attribute_exists(" + dotted + ")";
  return {{"PutItem", condition(exists), message},
          {"UpdateItem", condition("size(" + indexed + ") > :v", R"(":v": {"N": "1"})"), message},
          {"DeleteItem", condition("x = " + dotted), message},
          {"UpdateItem", update("SET " + dotted + " = :v", v), message},
          {"UpdateItem", update("SET #a[1] = :v", v, R"("#a": ")" + attribute + '"'), message},
          {"UpdateItem", update("SET x = if_not_exists(" + dotted + ", :v)", v), message},
          {"UpdateItem", update("REMOVE " + indexed), message},
          {"UpdateItem", update("ADD " + dotted + " :v", R"(":v": {"N": "1"})"), message},
          {"GetItem", projection("x, " + dotted), message},
          {"Query", of_a + ", " + projection(indexed), message},
          {"Query", of_a + filtered_by("attribute_exists(" + dotted + ")"), message},
          {"Scan", filter(exists), message},
          {"Scan", projection(dotted), message},
          {"Scan", R"("IndexName": "by_g", )" + projection(dotted), message}};
}

}  // namespace

TEST_CASE("no path goes into a key attribute") {
  DynamoDb db;
  make_table(db);
  for (const Refusal& one : reaching_into("pk", refusal("Key", "pk"))) check_refusal(db, one);
  for (const Refusal& one : reaching_into("g", refusal("IndexKey", "g"))) check_refusal(db, one);
  const Reply batch = db.call("BatchGetItem", R"({"RequestItems": {"Tab": {"Keys": [{"pk": {"S": "a"}}],
                                                 "ProjectionExpression": "pk.x"}}})");
  CHECK(batch.refusal() == refusal("Key", "pk"));
  CHECK(stored_attributes(db).is_null());
}

TEST_CASE("the key itself, and paths into other attributes, are fine") {
  DynamoDb db;
  make_table(db);
  store_item(db, R"("m": {"M": {"pk": {"S": "x"}}})");
  CHECK(condition_holds(db, condition("attribute_exists(pk) AND m.pk = :v", v)));
  CHECK(ok_item(db, "GetItem", projection("pk, g, m.pk"))["Item"] ==
        Json::parse(R"({"pk": {"S": "a"}, "m": {"M": {"pk": {"S": "x"}}}})"));
}

TEST_CASE("a path into a key is found once the table is, and the item's key fits") {
  DynamoDb db;
  CHECK(call_item(db, "GetItem", projection("pk.x")).error() == "ResourceNotFoundException");
  make_table(db);
  check_refusal(db, {"GetItem", R"("Key": {"x": {"S": "a"}}, )" + projection("pk.x"),
                     "The provided key element does not match the schema"});
  // An action on the key itself is another mistake.
  check_refusal(db, {"UpdateItem", update("SET pk = :v", v),
                     invalid("Cannot update attribute pk. This attribute is part of the key")});
}

}  // namespace test::key_paths_test
