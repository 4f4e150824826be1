#include <catch2/catch.hpp>

#include "dynamodb/one_item.h"

// AttributeUpdates (docs/service/legacy-api.md section 5).
namespace test::legacy_updates_test {
namespace {

std::string updates(const std::string& entries) {
  return R"("AttributeUpdates": {)" + entries + "}";
}

/// What AttributeUpdates make of an item; attributes are those next to the key, "none" means no item.
struct Change {
  std::string before;
  std::string entries;
  std::string after;
};

void check_changes(DynamoDb& db, std::initializer_list<Change> changes) {
  for (const Change& one : changes) {
    INFO(one.before << " | " << one.entries);
    ok_item(db, "DeleteItem");
    if (one.before != "none") store_item(db, one.before);
    ok_item(db, "UpdateItem", updates(one.entries));
    Json after = stored_attributes(db);
    for (auto& [name, value] : after.items()) {
      if (value.contains("SS")) std::sort(value["SS"].begin(), value["SS"].end());
    }
    CHECK(after == (one.after == "none" ? Json() : Json::parse("{" + one.after + "}")));
  }
}

}  // namespace

TEST_CASE("PUT sets, and is the default") {
  DynamoDb db;
  db.create_table(the_table);
  check_changes(db, {{"none", R"("a": {"Value": {"N": "1.0"}})", R"("a": {"N": "1"})"},
                     {R"("a": {"S": "x"}, "b": {"N": "2"})", R"("a": {"Action": "PUT", "Value": {"L": []}})",
                      R"("a": {"L": []}, "b": {"N": "2"})"},
                     {"none", "", ""}});
}

TEST_CASE("DELETE takes away attributes or members of sets") {
  DynamoDb db;
  db.create_table(the_table);
  const std::string set = R"("a": {"SS": ["x", "y"]})";
  check_changes(
      db,
      {{R"("a": {"N": "1"}, "b": {"N": "2"})", R"("a": {"Action": "DELETE"}, "c": {"Action": "DELETE"})",
        R"("b": {"N": "2"})"},
       {set, R"("a": {"Action": "DELETE", "Value": {"SS": ["y", "z"]}})", R"("a": {"SS": ["x"]})"},
       {set, R"("a": {"Action": "DELETE", "Value": {"SS": ["y", "x"]}})", ""},
       {R"("b": {"N": "2"})", R"("a": {"Action": "DELETE", "Value": {"SS": ["y"]}})", R"("b": {"N": "2"})"},
       {"none", R"("a": {"Action": "DELETE"})", "none"},
       {"none", R"("a": {"Action": "DELETE", "Value": {"SS": ["y"]}}, "b": {"Action": "DELETE"})", "none"},
       {"none", R"("a": {"Action": "DELETE"}, "b": {"Value": {"N": "1"}})", R"("b": {"N": "1"})"}});
  store_item(db, R"("a": {"N": "1"})");
  const Reply other_type =
      call_item(db, "UpdateItem", updates(R"("a": {"Action": "DELETE", "Value": {"SS": ["y"]}})"));
  CHECK(other_type.error() == "ValidationException");
  CHECK(stored_attributes(db) == Json{{"a", {{"N", "1"}}}});
}

TEST_CASE("ADD counts, unites and appends") {
  DynamoDb db;
  db.create_table(the_table);
  check_changes(
      db, {{"none", R"("a": {"Action": "ADD", "Value": {"N": "2"}})", R"("a": {"N": "2"})"},
           {R"("a": {"N": "1"})", R"("a": {"Action": "ADD", "Value": {"N": "2"}})", R"("a": {"N": "3"})"},
           {"none", R"("a": {"Action": "ADD", "Value": {"SS": ["x"]}})", R"("a": {"SS": ["x"]})"},
           {R"("a": {"SS": ["x"]})", R"("a": {"Action": "ADD", "Value": {"SS": ["x", "y"]}})",
            R"("a": {"SS": ["x", "y"]})"},
           {R"("a": {"L": [{"N": "1"}]})", R"("a": {"Action": "ADD", "Value": {"L": [{"N": "2"}]}})",
            R"("a": {"L": [{"N": "1"}, {"N": "2"}]})"}});
  store_item(db, R"("a": {"S": "x"}, "s": {"NS": ["1"]})");
  check_refusal(db, {"UpdateItem", updates(R"("a": {"Action": "ADD", "Value": {"N": "2"}})"),
                     "Type mismatch for attribute to update"});
  CHECK(call_item(db, "UpdateItem", updates(R"("s": {"Action": "ADD", "Value": {"SS": ["2"]}})")).error() ==
        "ValidationException");
  CHECK(stored_attributes(db) == Json::parse(R"({"a": {"S": "x"}, "s": {"NS": ["1"]}})"));
}

TEST_CASE("malformed AttributeUpdates are refused") {
  DynamoDb db;
  db.create_table(the_table);
  check_refusals(db,
                 {{"UpdateItem", updates(R"("a": {"Action": "PUT"})"),
                   enveloped(invalid("Only DELETE action is allowed when no attribute value is specified"))},
                  {"UpdateItem", updates(R"("a": {"Action": "ADD"})"),
                   enveloped(invalid("Only DELETE action is allowed when no attribute value is specified"))},
                  {"UpdateItem", updates(R"("a": {"Action": "ADD", "Value": {"S": "x"}})"),
                   enveloped(invalid("ADD action is not supported for the type S"))},
                  {"UpdateItem", updates(R"("a": {"Action": "DELETE", "Value": {"S": "x"}})"),
                   enveloped(invalid("DELETE action with value is not supported for the type S"))},
                  {"UpdateItem", updates(R"("a": {"Value": {"N": "bad"}})"),
                   enveloped("The parameter cannot be converted to a numeric value: bad")},
                  {"UpdateItem", updates(R"("": {"Value": {"S": "x"}})"), "Empty attribute name"},
                  {"UpdateItem", updates(R"("": {"Action": "DELETE"})"), "Empty attribute name"},
                  {"UpdateItem", updates(R"("a": {"Value": {"SS": []}})"),
                   enveloped(invalid("An string set  may not be empty"))},
                  {"UpdateItem", updates(R"("pk": {"Value": {"S": "a"}})"),
                   invalid("Cannot update attribute pk. This attribute is part of the key")},
                  {"UpdateItem", updates(R"("pk": {"Action": "DELETE"})"),
                   invalid("Cannot update attribute pk. This attribute is part of the key")}});
}

TEST_CASE("AttributeUpdates are held to 400 KB of finished item") {
  DynamoDb db;
  db.create_table(the_table);
  const auto put = [](std::size_t length) {
    return updates(R"("b": {"Value": {"S": ")" + std::string(length, 'x') + R"("}})");
  };
  CHECK(call_item(db, "UpdateItem", put(409'600 - 4)).status == 200);
  check_refusal(
      db, {"UpdateItem", put(409'601 - 4), "Item size to update has exceeded the maximum allowed size"});
}

TEST_CASE("AttributeUpdates go with Expected and return the attributes they name") {
  DynamoDb db;
  db.create_table(the_table);
  const std::string entries =
      updates(R"("a": {"Value": {"N": "2"}}, "b": {"Action": "DELETE"}, "c": {"Action": "DELETE"})");
  const auto returned = [&](const std::string& wanted) {
    store_item(db, R"("a": {"N": "1"}, "b": {"N": "1"}, "d": {"N": "1"})");
    return ok_item(db, "UpdateItem", entries + R"(, "ReturnValues": ")" + wanted + '"')
        .value("Attributes", Json());
  };
  CHECK(returned("NONE").is_null());
  CHECK(returned("UPDATED_OLD") == Json::parse(R"({"a": {"N": "1"}, "b": {"N": "1"}})"));
  CHECK(returned("UPDATED_NEW") == Json::parse(R"({"a": {"N": "2"}})"));
  CHECK(returned("ALL_OLD") ==
        Json::parse(R"({"pk": {"S": "a"}, "a": {"N": "1"}, "b": {"N": "1"}, "d": {"N": "1"}})"));
  CHECK(returned("ALL_NEW") == Json::parse(R"({"pk": {"S": "a"}, "a": {"N": "2"}, "d": {"N": "1"}})"));
  check_condition_failed(
      call_item(db, "UpdateItem", entries + R"(, "Expected": {"a": {"Value": {"N": "7"}}})"));
  CHECK(call_item(db, "UpdateItem", entries + R"(, "Expected": {"a": {"Value": {"N": "2"}}})").status == 200);
}

TEST_CASE("AttributeUpdates that delete from a missing item return nothing") {
  DynamoDb db;
  db.create_table(the_table);
  for (const std::string wanted : {"ALL_OLD", "UPDATED_OLD", "ALL_NEW", "UPDATED_NEW"}) {
    CHECK(ok_item(db, "UpdateItem",
                  updates(R"("a": {"Action": "DELETE"})") + R"(, "ReturnValues": ")" + wanted + '"') ==
          Json::object());
  }
}

}  // namespace test::legacy_updates_test
