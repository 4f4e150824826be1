#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "dynamodb/vectors/vectors.h"

// docs/service/vector-search.md, "UpdateTable rejections" and "Lifecycle".
namespace test::vector_updates_test {
namespace {

using std::chrono_literals::operator""s;

Json create_of(const Json& index) {
  return {{"Create", index}};
}

Json delete_of(std::string_view name) {
  return {{"Delete", {{"IndexName", name}}}};
}

Json update(std::vector<Json> elements, const Json& changes = Json::object()) {
  return with({{"TableName", "Music"}, {"VectorIndexUpdates", Json(std::move(elements))}}, changes);
}

void refused(DynamoDb& db, const Json& request, const std::string& message,
             std::string_view error = "ValidationException") {
  check_refused(db, "UpdateTable", request, message, error);
}

const std::string only_one =
    "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table";

const std::string redefined =
    "Attributes cannot be redefined. Please check that your attribute has the same type as previously "
    "defined. ";

/// A table that takes some seconds for each change.
dinette::dynamodb::ServiceOptions slow() {
  dinette::dynamodb::ServiceOptions options;
  options.state_delay = 10s;
  return options;
}

Json index_of(DynamoDb& db, std::size_t at = 0) {
  return describe(db).at("VectorIndexes").at(at);
}

}  // namespace

TEST_CASE("vector updates: what the elements are") {
  DynamoDb db;
  create_with_vectors(db, {vector_index("plain")});
  CHECK(db.call("UpdateTable", update({})).refusal().starts_with("At least one of "));
  for (const Json& element : {Json::object(), Json{{"Update", {{"IndexName", "plain"}}}}}) {
    refused(db, update({element}),
            invalid("One of VectorIndexUpdate.Create, VectorIndexUpdate.Delete must not be null"));
  }
  refused(db, update({{{"Create", vector_index("other")}, {"Delete", {{"IndexName", "plain"}}}}}),
          invalid("Only one vector index action is allowed per VectorIndexUpdate object"));
  refused(
      db, update({create_of(vector_index("other", {{"Dimensions", 0}}))}),
      enveloped("Value '0' at 'vectorIndexUpdates.1.member.create.dimensions' failed to satisfy constraint: "
                "Member must have value greater than or equal to 1"));
  refused(db, update({delete_of("nope")}), "Requested resource not found: Index nope for table Music",
          "ResourceNotFoundException");
  // Those of the global indexes come first, whatever the order in the request.
  const std::string short_name =
      " failed to satisfy constraint: Member must have length greater than or equal to 3";
  refused(
      db,
      update({delete_of("vx")},
             {{"GlobalSecondaryIndexUpdates", Json::array({{{"Delete", {{"IndexName", "gx"}}}}})}}),
      "2 validation errors detected: Value 'gx' at 'globalSecondaryIndexUpdates.1.member.delete.indexName'" +
          short_name + "; Value 'vx' at 'vectorIndexUpdates.1.member.delete.indexName'" + short_name);
}

TEST_CASE("vector updates: definitions are checked as those of a new table") {
  DynamoDb db;
  db.ok("CreateTable", on_demand());
  const auto index_refused = [&](const Json& changes, const std::string& message,
                                 const Json& more = Json::object()) {
    refused(db, update({create_of(vector_index("plain", changes))}, more), invalid(message));
  };
  index_refused({{"Dimensions", 4097}}, "Number of dimensions must be between 1 and 4096 inclusive.");
  index_refused({{"Projection", {{"ProjectionType", "INCLUDE"}}}},
                "ProjectionType is INCLUDE, but NonKeyAttributes is not specified");
  const Json a_and_b = {{"AttributeDefinitions", Json::array({attribute("a", "S"), attribute("b", "S")})}};
  index_refused({{"SearchSchema", search_schema("a:HASH b:HASH")}},
                "Value '2' at 'SearchSchema' failed to satisfy constraint: Member must have HASH count less "
                "than or equal to 1",
                a_and_b);
  index_refused(Json::object(),
                "Conflicting attribute definition for 'embedding'. An attribute cannot be defined in "
                "AttributeDefinitions when used as a VectorAttribute.",
                {{"AttributeDefinitions", Json::array({attribute("embedding", "S")})}});
}

TEST_CASE("vector updates: one index at once") {
  DynamoDb db;
  create_with_vectors(db, {vector_index("plain")});
  refused(db, update({create_of(vector_index("ix1")), create_of(vector_index("ix2"))}), only_one,
          "LimitExceededException");
  refused(db, update({delete_of("nope"), create_of(vector_index("ix2"))}), only_one,
          "LimitExceededException");
  refused(db, update({delete_of("nope"), delete_of("plain")}), only_one, "LimitExceededException");
  const Json ceiling = {{"IndexName", "byA"}, {"OnDemandThroughput", {{"MaxReadRequestUnits", 5}}}};
  refused(
      db,
      update({delete_of("plain")}, {{"GlobalSecondaryIndexUpdates", Json::array({{{"Update", ceiling}}})}}),
      only_one, "LimitExceededException");
  const Json global = {{"Create", index_on("byA", Json::array({key("a", "HASH")}))}};
  refused(db,
          update({delete_of("nope")}, {{"GlobalSecondaryIndexUpdates", Json::array({global})},
                                       {"AttributeDefinitions", Json::array({attribute("a", "S")})}}),
          only_one, "LimitExceededException");
}

TEST_CASE("vector updates: numbers and names") {
  DynamoDb db;
  const std::vector<Json> five = {vector_index("ix1"), vector_index("ix2"), vector_index("ix3"),
                                  vector_index("ix4"), vector_index("ix5")};
  create_with_vectors(db, five);
  refused(db, update({create_of(vector_index("ix6"))}),
          "Subscriber limit exceeded: Number of vector secondary indexes exceeds per-table limit of 5",
          "LimitExceededException");
  refused(db, update({create_of(vector_index("ix1"))}), "Attempting to create an index which already exists");
  refused(db,
          {{"TableName", "Music"},
           {"GlobalSecondaryIndexUpdates",
            Json::array({{{"Create", index_on("ix1", Json::array({key("a", "HASH")}))}}})},
           {"AttributeDefinitions", Json::array({attribute("a", "S")})}},
          "Attempting to create an index which already exists");
}

TEST_CASE("vector updates: no index has the name or the key of one of another kind") {
  DynamoDb db;
  db.ok("CreateTable",
        table_request("Music", "pk sk", "g h l", {global_index("byG", "g", "h"), local_index("byL", "l")}));
  for (const std::string name : {"byG", "byL"}) {
    refused(db, update({create_of(vector_index(name))}),
            "Attempting to create an index which already exists");
  }
  const auto key_refused = [&](const std::string& attribute, const std::string& schema) {
    refused(db,
            update({create_of(vector_index("plain", {{"VectorAttribute", {{"AttributeName", attribute}}}}))}),
            invalid(redefined + "Existing schema: Schema:[" + schema +
                    "] New schema: VectorIndexSchema:[VectorAttribute: key{" + attribute + ":L:3}]"));
  };
  const std::string element = "SchemaElement: key{";
  key_refused("sk", element + "pk:S:HASH}, " + element + "sk:S:RANGE}");
  key_refused("g", element + "g:S:HASH}, " + element + "h:S:RANGE}");
  key_refused("h", element + "g:S:HASH}, " + element + "h:S:RANGE}");
  key_refused("l", element + "pk:S:HASH}, " + element + "l:S:RANGE}");
}

TEST_CASE("vector updates: on-demand tables alone, without other changes") {
  DynamoDb db;
  create_with_vectors(db, {vector_index("plain")});
  const Json units_of_it = {{"BillingMode", "PROVISIONED"}, {"ProvisionedThroughput", units(1, 1)}};
  refused(db, with({{"TableName", "Music"}}, units_of_it),
          invalid("Vector indexes are only supported for PAY_PER_REQUEST tables"));
  refused(db, update({delete_of("plain")}, units_of_it),
          invalid("Tables with vector indexes must be in PAY_PER_REQUEST mode"));
  refused(db,
          update({delete_of("nope")},
                 {{"StreamSpecification", {{"StreamEnabled", true}, {"StreamViewType", "KEYS_ONLY"}}}}),
          invalid("You cannot create or delete index while changing stream status"));
  db.ok("UpdateTable", update({delete_of("plain")}));
  db.ok("UpdateTable", with({{"TableName", "Music"}}, units_of_it));
  refused(db, update({create_of(vector_index("plain"))}),
          invalid("Vector indexes are only supported for PAY_PER_REQUEST tables"));
}

TEST_CASE("vector updates: attributes have one use") {
  DynamoDb db;
  db.ok("CreateTable", with(table_request("Music", "pk", "g", {global_index("byG", "g")}),
                            {{"VectorIndexes", Json::array({vector_index("plain")})}}));
  refused(db,
          update({create_of(
              vector_index("other", {{"VectorAttribute", {{"AttributeName", "pk"}}}, {"Dimensions", 4}}))}),
          invalid(redefined + "Existing schema: Schema:[SchemaElement: key{pk:S:HASH}] New schema: "
                              "VectorIndexSchema:[VectorAttribute: key{pk:L:4}]"));
  refused(db, update({create_of(vector_index("other", {{"Dimensions", 4}}))}),
          invalid(redefined +
                  "Existing schema: VectorIndexSchema:[VectorAttribute: key{embedding:L:3}] New schema: "
                  "VectorIndexSchema:[VectorAttribute: key{embedding:L:4}]"));
  refused(db,
          {{"TableName", "Music"},
           {"GlobalSecondaryIndexUpdates",
            Json::array({{{"Create", index_on("byE", Json::array({key("embedding", "HASH")}))}}})},
           {"AttributeDefinitions", Json::array({attribute("embedding", "S")})}},
          invalid(redefined +
                  "Existing schema: VectorIndexSchema:[VectorAttribute: key{embedding:L:3}] New schema: "
                  "Schema:[SchemaElement: key{embedding:S:HASH}]"));
}

TEST_CASE("vector updates: each attribute has its own number of dimensions") {
  DynamoDb db;
  create_with_vectors(db, {vector_index("plain")});
  const Json other =
      vector_index("other", {{"VectorAttribute", {{"AttributeName", "image"}}}, {"Dimensions", 4}});
  db.ok("UpdateTable", update({create_of(other)}));
  CHECK(describe(db).at("VectorIndexes").size() == 2);
}

TEST_CASE("vector updates: the request defines the attributes of a search schema again") {
  DynamoDb db;
  db.ok("CreateTable", table_request("Music", "pk", "g", {global_index("byG", "g")}));
  const Json index = vector_index("plain", {{"SearchSchema", search_schema("g:HASH color:INLINE_FILTER")}});
  const Json definitions = Json::array({attribute("g", "S"), attribute("color", "N")});
  refused(db, update({create_of(index)}, {{"AttributeDefinitions", Json::array({attribute("color", "N")})}}),
          invalid("One element in SearchSchema is not defined in attribute definitions"));
  refused(db,
          update({create_of(index)},
                 {{"AttributeDefinitions", Json::array({attribute("g", "N"), attribute("color", "N")})}}),
          invalid(redefined + "Existing schema: Schema:[SchemaElement: key{g:S:HASH}] New schema: "
                              "Schema:[SchemaElement: key{g:N:HASH}]"));
  db.ok("UpdateTable", update({create_of(index)}, {{"AttributeDefinitions", definitions}}));
  CHECK(describe(db).at("AttributeDefinitions").size() == 3);
  db.jobs().run_due();
  db.ok("UpdateTable", update({delete_of("plain")}));
  CHECK(describe(db).at("AttributeDefinitions").size() == 2);
  CHECK_FALSE(describe(db).contains("VectorIndexes"));
}

TEST_CASE("vector updates: an index waits for its resources, then is filled") {
  DynamoDb db(slow());
  db.ok("CreateTable", on_demand());
  db.clock().advance(10s);
  db.put("Music", item_with("a", {"1", "0", "0"}));
  db.put("Music", item_with("b", {"0", "1", "0"}));
  const Json answer = db.ok("UpdateTable", update({create_of(vector_index("plain"))})).at("TableDescription");
  CHECK(answer.at("TableStatus") == "UPDATING");
  CHECK(answer.at("VectorIndexes").at(0).at("IndexStatus") == "CREATING");
  CHECK(answer.at("VectorIndexes").at(0).at("Backfilling") == false);
  CHECK(describe(db).at("TableStatus") == "UPDATING");
  CHECK(index_of(db).at("IndexStatus") == "CREATING");
  CHECK(index_of(db).at("Backfilling") == false);
  const Json search = search_request("plain", {"1", "0", "0"});
  const auto in_use = [&](const Json& request, const std::string& why) {
    refused(db, request, "Attempt to change a resource which is still in use: " + why,
            "ResourceInUseException");
  };
  in_use(
      update({delete_of("plain")}),
      "Index creation is in resource allocation phase. Retry deletion during backfilling phase or when the "
      "index is active. Table: Music Index: plain");
  in_use(update({create_of(vector_index("plain"))}), "Index is being created.  Table: Music Index: plain");
  refused(db, update({create_of(vector_index("other"))}), only_one, "LimitExceededException");
  check_refused(db, "SearchVectors", search, "The table does not have the specified index: plain");
  db.clock().advance(10s);
  CHECK(describe(db).at("TableStatus") == "ACTIVE");
  CHECK(index_of(db).at("IndexStatus") == "CREATING");
  CHECK(index_of(db).at("Backfilling") == true);
  check_refused(db, "SearchVectors", search, "Cannot search backfilling vector index: plain");
  in_use(update({create_of(vector_index("plain"))}), "Index is being created.  Table: Music Index: plain");
  refused(db, update({create_of(vector_index("other"))}), only_one, "LimitExceededException");
  check_refused(db, "DeleteTable", {{"TableName", "Music"}},
                "Attempt to change a resource which is still in use: Cannot delete table while indexes are "
                "being created, updated, or deleted.",
                "ResourceInUseException");
  db.jobs().run_due();
  CHECK(index_of(db).at("IndexStatus") == "ACTIVE");
  CHECK_FALSE(index_of(db).contains("Backfilling"));
  CHECK(index_of(db).at("ItemCount") == 2);
  CHECK(found_keys(db.ok("SearchVectors", search)) == std::vector<std::string>{"a", "b"});
}

TEST_CASE("vector updates: a filling can be cancelled") {
  DynamoDb db(slow());
  db.ok("CreateTable", on_demand());
  db.clock().advance(10s);
  db.put("Music", item_with("a", {"1", "0", "0"}));
  db.ok("UpdateTable", update({create_of(vector_index("plain"))}));
  db.clock().advance(10s);
  db.ok("UpdateTable", update({delete_of("plain")}));
  CHECK(index_of(db).at("IndexStatus") == "DELETING");
  db.clock().advance(10s);
  db.jobs().run_due();
  CHECK_FALSE(describe(db).contains("VectorIndexes"));
  CHECK(describe(db).at("TableStatus") == "ACTIVE");
}

TEST_CASE("vector updates: items that the index cannot take are passed over") {
  DynamoDb db;
  db.ok("CreateTable", on_demand());
  db.put("Music", item_with("good", {"1", "2", "3"}, {{"tenant", {{"S", "t"}}}}));
  db.put("Music", item_with("short", {"1", "2"}, {{"tenant", {{"S", "t"}}}}));
  db.put("Music", item_with("large", {"1", "2", "4e38"}, {{"tenant", {{"S", "t"}}}}));
  db.put("Music", {{"pk", {{"S", "text"}}}, {"embedding", {{"S", "x"}}}, {"tenant", {{"S", "t"}}}});
  db.put("Music", {{"pk", {{"S", "texts"}}},
                   {"embedding", {{"L", Json::array({{{"S", "1"}}, {{"N", "1"}}, {{"N", "1"}}})}}},
                   {"tenant", {{"S", "t"}}}});
  db.put("Music", item_with("type", {"1", "2", "3"}, {{"tenant", {{"N", "1"}}}}));
  db.put("Music", item_with("empty", {"1", "2", "3"}, {{"tenant", {{"S", ""}}}}));
  db.put("Music", item_with("none", {"1", "2", "3"}));
  const Json index = vector_index("plain", {{"SearchSchema", search_schema("tenant:HASH")}});
  db.ok("UpdateTable",
        update({create_of(index)}, {{"AttributeDefinitions", Json::array({attribute("tenant", "S")})}}));
  db.jobs().run_due();
  const Json search = search_request(
      "plain", {"1", "2", "3"},
      {{"SearchConditionExpression", "tenant = :t"}, {"ExpressionAttributeValues", {{":t", {{"S", "t"}}}}}});
  CHECK(found_keys(db.ok("SearchVectors", search)) == std::vector<std::string>{"good"});
  CHECK(index_of(db).at("ItemCount") == 1);
  // The bad value stays where an update leaves it, and is refused where it is written again.
  const Json of_short = {{"TableName", "Music"}, {"Key", {{"pk", {{"S", "short"}}}}}};
  db.ok("UpdateItem", with(of_short, {{"UpdateExpression", "SET title = :t"},
                                      {"ExpressionAttributeValues", {{":t", {{"S", "new"}}}}}}));
  const Json of_type = {{"TableName", "Music"}, {"Key", {{"pk", {{"S", "type"}}}}}};
  db.ok("UpdateItem", with(of_type, {{"UpdateExpression", "SET title = :t"},
                                     {"ExpressionAttributeValues", {{":t", {{"S", "new"}}}}}}));
  check_refused(
      db, "PutItem",
      {{"TableName", "Music"}, {"Item", item_with("short", {"1", "2"}, {{"tenant", {{"S", "t"}}}})}},
      "One or more parameter values were invalid. Invalid size for parameter embedding, Expected: 3, "
      "Actual: 2 IndexName: plain");
  db.put("Music", item_with("short", {"1", "2", "2.9"}, {{"tenant", {{"S", "t"}}}}));
  CHECK(found_keys(db.ok("SearchVectors", search)) == std::vector<std::string>{"good", "short"});
}

TEST_CASE("vector updates: streams and indexes of vectors leave each other alone") {
  DynamoDb db;
  const Json stream = {{"StreamSpecification", {{"StreamEnabled", true}, {"StreamViewType", "KEYS_ONLY"}}}};
  const Json no_stream = {{"StreamSpecification", {{"StreamEnabled", false}}}};
  create_with_vectors(db, {vector_index("first")});
  CHECK_FALSE(describe(db).contains("StreamSpecification"));
  CHECK_FALSE(describe(db).contains("LatestStreamArn"));
  db.put("Music", item_with("a", {"1", "0", "0"}));
  const auto change = [&](const Json& request) {
    db.ok("UpdateTable", with({{"TableName", "Music"}}, request));
    db.jobs().run_due();
  };
  const auto finds = [&](std::string_view index) {
    return found_keys(db.ok("SearchVectors", search_request(index, {"1", "0", "0"}))).size();
  };
  change(stream);
  CHECK(finds("first") == 1);
  change(update({create_of(vector_index("second"))}));
  CHECK(describe(db).contains("StreamSpecification"));
  db.put("Music", item_with("b", {"0", "1", "0"}));
  CHECK(finds("first") == 2);
  CHECK(finds("second") == 2);
  change(no_stream);
  CHECK(finds("second") == 2);
  change(update({delete_of("first")}));
  change(stream);
  CHECK(describe(db).at("VectorIndexes").size() == 1);
  CHECK(describe(db).contains("StreamSpecification"));
}

TEST_CASE("vector updates: writes during the filling count, whichever comes first") {
  DynamoDb db;
  db.ok("CreateTable", on_demand());
  for (int i = 0; i < 600; ++i) db.put("Music", item_with(std::to_string(i), {std::to_string(i), "1", "1"}));
  db.ok("UpdateTable", update({create_of(vector_index("plain", {{"DistanceFunction", "EUCLIDEAN"}}))}));
  REQUIRE(db.jobs().run_step());
  for (int i = 0; i < 600; i += 3) db.put("Music", item_with(std::to_string(i), {"-1", "1", "1"}));
  for (int i = 1; i < 600; i += 3)
    db.ok("DeleteItem", {{"TableName", "Music"}, {"Key", {{"pk", {{"S", std::to_string(i)}}}}}});
  db.jobs().run_due();
  CHECK(index_of(db).at("ItemCount") == 400);
  const Json found = db.ok("SearchVectors", search_request("plain", {"500", "1", "1"}, {{"TopK", 2}}));
  CHECK(found_keys(found) == std::vector<std::string>{"500", "503"});
}

}  // namespace test::vector_updates_test
