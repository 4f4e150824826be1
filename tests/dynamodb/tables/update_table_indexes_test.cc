#include <catch2/catch.hpp>

#include "support/dynamodb.h"
#include "support/faulty_engine.h"
#include "support/tables.h"

// docs/service/indexes.md sections 5 and 7.
namespace test::update_table_indexes_test {
namespace {

/// A table with items whose attribute `a` is: right, missing, of another type, empty, too long.
struct MusicTable : DynamoDb {
  explicit MusicTable(dinette::dynamodb::ServiceOptions options = {})
      : DynamoDb(std::move(options),
                 std::make_unique<dinette::test::FaultyEngine>(dinette::kv::make_memory_engine())) {
    ok("CreateTable", on_demand());
    if (describe(*this).at("TableStatus") != "ACTIVE") return;
    put("Music", {{"pk", {{"S", "1"}}}, {"a", {{"S", "x"}}}, {"b", {{"S", "first"}}}});
    put("Music", {{"pk", {{"S", "2"}}}});
    put("Music", {{"pk", {{"S", "3"}}}, {"a", {{"N", "1"}}}});
    put("Music", {{"pk", {{"S", "4"}}}, {"a", {{"S", ""}}}});
    put("Music", {{"pk", {{"S", "5"}}}, {"a", {{"S", std::string(2049, 'x')}}}});
  }
};

Json create(std::string_view index = "byA", std::string_view attribute_name = "a") {
  return {{"TableName", "Music"},
          {"AttributeDefinitions", Json::array({attribute(attribute_name, "S")})},
          {"GlobalSecondaryIndexUpdates",
           Json::array({{{"Create", index_on(index, Json::array({key(attribute_name, "HASH")}))}}})}};
}

Json drop(std::string_view index = "byA") {
  return {{"TableName", "Music"},
          {"GlobalSecondaryIndexUpdates", Json::array({{{"Delete", {{"IndexName", index}}}}})}};
}

Json change(std::string_view index, const Json& members) {
  return {
      {"TableName", "Music"},
      {"GlobalSecondaryIndexUpdates", Json::array({{{"Update", with({{"IndexName", index}}, members)}}})}};
}

Json index_of(const Json& description, std::size_t position = 0) {
  return description.at("GlobalSecondaryIndexes").at(position);
}

Json query_of(std::string_view value, std::string_view index = "byA") {
  return {{"TableName", "Music"},
          {"IndexName", index},
          {"KeyConditionExpression", "a = :a"},
          {"ExpressionAttributeValues", {{":a", {{"S", value}}}}}};
}

Json provisioned_change() {
  return {{"BillingMode", "PROVISIONED"}, {"ProvisionedThroughput", units(1, 1)}};
}

/// A provisioned table with an index of so many units.
Json provisioned_with_index(int read, int write) {
  Json index = index_on("byA", Json::array({key("a", "HASH")}));
  index["ProvisionedThroughput"] = units(read, write);
  return with(provisioned(),
              {{"AttributeDefinitions", Json::array({attribute("pk", "S"), attribute("a", "S")})},
               {"GlobalSecondaryIndexes", Json::array({index})}});
}

void check_in_use(DynamoDb& db, const Json& request, const std::string& why) {
  check_refused(db, "UpdateTable", request, "Attempt to change a resource which is still in use: " + why,
                "ResourceInUseException");
}

const std::string several =
    "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table";

}  // namespace

TEST_CASE("a new index is CREATING, backfilling, then ACTIVE") {
  MusicTable db;
  const Json answer = db.ok("UpdateTable", create()).at("TableDescription");
  CHECK(answer.at("TableStatus") == "UPDATING");
  CHECK(index_of(answer).at("IndexStatus") == "CREATING");
  CHECK(index_of(answer).at("Backfilling") == false);
  CHECK(index_of(answer).at("ItemCount") == 0);

  CHECK(describe(db).at("TableStatus") == "ACTIVE");
  CHECK(index_of(describe(db)).at("IndexStatus") == "CREATING");
  CHECK(index_of(describe(db)).at("Backfilling") == true);
  check_refused(db, "Query", query_of("x"), "Cannot read from backfilling global secondary index: byA");
  check_refused(db, "Scan", {{"TableName", "Music"}, {"IndexName", "byA"}},
                "Cannot read from backfilling global secondary index: byA");

  db.jobs().run_due();
  CHECK(describe(db).at("TableStatus") == "ACTIVE");
  CHECK(index_of(describe(db)).at("IndexStatus") == "ACTIVE");
  CHECK(!index_of(describe(db)).contains("Backfilling"));
}

TEST_CASE("older items whose key attribute is missing, of the wrong type, empty or too long are left out") {
  MusicTable db;
  db.ok("UpdateTable", create());
  db.jobs().run_due();
  const Json items = db.ok("Scan", {{"TableName", "Music"}, {"IndexName", "byA"}}).at("Items");
  CHECK(items == Json::array({{{"pk", {{"S", "1"}}}, {"a", {{"S", "x"}}}, {"b", {{"S", "first"}}}}}));
  CHECK(index_of(describe(db)).at("ItemCount") == 1);
  CHECK(index_of(describe(db)).at("IndexSizeBytes") == 2 + 1 + 1 + 1 + 1 + 5);
}

TEST_CASE("writes keep a new index from its first moment, and filling it counts every item once") {
  MusicTable db;
  db.ok("UpdateTable", create());
  // Before a row is reached: changed in place, moved, taken out, put in.
  SECTION("changed") {
    db.put("Music", {{"pk", {{"S", "1"}}}, {"a", {{"S", "x"}}}, {"b", {{"S", "second"}}}});
    db.jobs().run_due();
    CHECK(db.ok("Query", query_of("x")).at("Items").at(0).at("b") == Json{{"S", "second"}});
    CHECK(index_of(describe(db)).at("ItemCount") == 1);
    CHECK(index_of(describe(db)).at("IndexSizeBytes") == 2 + 1 + 1 + 1 + 1 + 6);
  }
  SECTION("moved") {
    db.put("Music", {{"pk", {{"S", "1"}}}, {"a", {{"S", "y"}}}});
    db.jobs().run_due();
    CHECK(db.ok("Query", query_of("x")).at("Count") == 0);
    CHECK(db.ok("Query", query_of("y")).at("Count") == 1);
    CHECK(index_of(describe(db)).at("ItemCount") == 1);
  }
  SECTION("deleted") {
    db.ok("DeleteItem", {{"TableName", "Music"}, {"Key", {{"pk", {{"S", "1"}}}}}});
    db.jobs().run_due();
    CHECK(db.ok("Query", query_of("x")).at("Count") == 0);
    CHECK(index_of(describe(db)).at("ItemCount") == 0);
    CHECK(index_of(describe(db)).at("IndexSizeBytes") == 0);
  }
  SECTION("new") {
    db.put("Music", {{"pk", {{"S", "6"}}}, {"a", {{"S", "x"}}}});
    CHECK(index_of(describe(db)).at("ItemCount") == 1);
    db.jobs().run_due();
    CHECK(db.ok("Query", query_of("x")).at("Count") == 2);
    CHECK(index_of(describe(db)).at("ItemCount") == 2);
  }
  SECTION("and the values of its key are checked from then on") {
    check_refused(db, "PutItem",
                  {{"TableName", "Music"}, {"Item", {{"pk", {{"S", "7"}}}, {"a", {{"N", "1"}}}}}},
                  invalid("Type mismatch for Index Key a Expected: S Actual: N IndexName: byA"));
  }
}

TEST_CASE("a table of many steps is filled while it is written to") {
  MusicTable db;
  const auto item = [](int i, std::string_view a) -> Json {
    return {{"pk", {{"S", "many" + std::to_string(i)}}}, {"a", {{"S", a}}}};
  };
  constexpr int count = 1000;
  for (int i = 0; i < count; ++i) db.put("Music", item(i, "old"));
  db.ok("UpdateTable", create());
  int written = 0;
  while (db.jobs().run_step()) {
    for (int i = 0; i < 50 && written < count; ++i, written += 3) db.put("Music", item(written, "new"));
  }
  int renewed = 0;
  for (int i = 0; i < written; i += 3) ++renewed;
  CHECK(db.ok("Query", query_of("new")).at("Count") == renewed);
  CHECK(db.ok("Query", query_of("old")).at("Count") == count - renewed);
  CHECK(index_of(describe(db)).at("ItemCount") == count + 1);
}

TEST_CASE("a deleted index is DELETING, then gone, with the definitions that nothing uses any more") {
  MusicTable db;
  db.ok("UpdateTable", create());
  db.jobs().run_due();
  CHECK(describe(db).at("AttributeDefinitions").size() == 2);
  const Json answer = db.ok("UpdateTable", drop()).at("TableDescription");
  CHECK(answer.at("TableStatus") == "UPDATING");
  CHECK(index_of(answer).at("IndexStatus") == "DELETING");
  CHECK(answer.at("AttributeDefinitions") == Json::array({attribute("pk", "S")}));
  CHECK(!describe(db).contains("GlobalSecondaryIndexes"));
  check_refused(db, "Query", query_of("x"), "The table does not have the specified index: byA");

  SECTION("and one of the same name begins empty") {
    db.ok("UpdateTable", create());
    CHECK(index_of(describe(db)).at("ItemCount") == 0);
    db.jobs().run_due();
    CHECK(index_of(describe(db)).at("ItemCount") == 1);
  }
}

TEST_CASE("while an index is filled, the table takes other changes") {
  MusicTable db;
  db.ok("UpdateTable", create());
  const auto update = [&](const Json& members) {
    db.ok("UpdateTable", with({{"TableName", "Music"}}, members));
  };
  update({{"OnDemandThroughput", {{"MaxReadRequestUnits", 5}}}});
  update({{"DeletionProtectionEnabled", true}});
  update({{"DeletionProtectionEnabled", false}});
  update({{"TableClass", "STANDARD_INFREQUENT_ACCESS"}});
  db.ok("TagResource", {{"ResourceArn", describe(db).at("TableArn")},
                        {"Tags", Json::array({{{"Key", "a"}, {"Value", "b"}}})}});
  db.ok("UpdateTable", change("byA", {{"OnDemandThroughput", {{"MaxReadRequestUnits", 5}}}}));
  CHECK(index_of(describe(db)).at("Backfilling") == true);
  check_refused(db, "UpdateTable", create("byB", "b"), several, "LimitExceededException");
  check_refused(db, "DeleteTable", {{"TableName", "Music"}},
                "Attempt to change a resource which is still in use: Cannot delete table while indexes are "
                "being created, updated, or deleted.",
                "ResourceInUseException");
  db.jobs().run_due();
  CHECK(index_of(describe(db)).at("IndexStatus") == "ACTIVE");
  CHECK(index_of(describe(db)).at("OnDemandThroughput") == Json{{"MaxReadRequestUnits", 5}});
  CHECK(index_of(describe(db)).at("ItemCount") == 1);
  db.ok("UpdateTable", create("byB", "b"));
}

TEST_CASE("a change of the table does not begin filling an index again") {
  const auto steps_after = [](const std::vector<Json>& changes) {
    MusicTable db;
    for (const Json& change : changes) db.ok("UpdateTable", with({{"TableName", "Music"}}, change));
    int steps = 0;
    while (db.jobs().run_step()) ++steps;
    return steps;
  };
  const int once = steps_after({create()});
  CHECK(steps_after({create(), {{"TableClass", "STANDARD_INFREQUENT_ACCESS"}}}) == once);
  CHECK(steps_after({create(), {{"DeletionProtectionEnabled", true}}}) == once);
}

TEST_CASE("an index that is being filled can be deleted") {
  MusicTable db;
  db.ok("UpdateTable", create());
  db.ok("UpdateTable", drop());
  CHECK(!describe(db).contains("GlobalSecondaryIndexes"));
  db.jobs().run_due();
  db.put("Music", {{"pk", {{"S", "3"}}}, {"a", {{"N", "1"}}}});  // no index asks for a string any more
  db.ok("UpdateTable", create());
  db.jobs().run_due();
  CHECK(db.ok("Query", query_of("x")).at("Count") == 1);
  CHECK(index_of(describe(db)).at("ItemCount") == 1);
}

TEST_CASE("until an index has its resources, neither it nor the table's throughput changes") {
  dinette::dynamodb::ServiceOptions options;
  options.state_delay = std::chrono::milliseconds(100);
  DynamoDb db(options);
  db.ok("CreateTable", provisioned_with_index(1, 1));
  db.clock().advance(std::chrono::milliseconds(100));
  Json second = create("byB", "b");
  second["GlobalSecondaryIndexUpdates"][0]["Create"]["ProvisionedThroughput"] = units(1, 1);
  db.ok("UpdateTable", second);
  CHECK(describe(db).at("TableStatus") == "UPDATING");
  CHECK(index_of(describe(db), 1).at("Backfilling") == false);
  const std::string of_index = ". Table: Music Index: byB";
  check_in_use(db, change("byB", {{"ProvisionedThroughput", units(2, 2)}}),
               "Index is being created but is not backfilling yet" + of_index);
  check_in_use(
      db, drop("byB"),
      "Index creation is in resource allocation phase. Retry deletion during backfilling phase or when "
      "the index is active" +
          of_index);
  const Json throughput = {{"TableName", "Music"}, {"ProvisionedThroughput", units(9, 9)}};
  check_in_use(db, throughput,
               "Can't change table IOPS when an index is being created. Table: Music Indexes: [byB]");
  db.clock().advance(std::chrono::milliseconds(100));
  db.jobs().run_due();
  db.ok("UpdateTable", drop("byB"));
  check_in_use(db, drop("byB"), "Index is being deleted" + of_index);
  check_in_use(db, second, "Index is being deleted" + of_index);
  check_in_use(db, throughput,
               "Can't change table IOPS when an index is being deleted. Table: Music Indexes: [byB]");
  check_in_use(db, {{"TableName", "Music"}, {"OnDemandThroughput", {{"MaxReadRequestUnits", 1}}}},
               "OnDemandThroughput cannot be updated while index deletion is in progress for indexes: [byB]");
}

TEST_CASE("while a delay lasts, an index is CREATING though it is full, and DELETING though it is empty") {
  dinette::dynamodb::ServiceOptions options;
  options.state_delay = std::chrono::milliseconds(100);
  MusicTable db(options);
  db.clock().advance(std::chrono::milliseconds(100));
  db.ok("UpdateTable", create());
  check_refused(db, "UpdateTable", create("byB", "b"), several, "LimitExceededException");
  const auto in_use = db.call("DeleteTable", Json{{"TableName", "Music"}});
  CHECK(in_use.error() == "ResourceInUseException");
  CHECK(in_use.message() ==
        "Attempt to change a resource which is still in use: Cannot delete table while indexes are being "
        "created, updated, or deleted.");
  db.jobs().run_due();
  CHECK(index_of(describe(db)).at("IndexStatus") == "CREATING");  // the delay is not over
  check_refused(db, "Query", query_of("x"), "Cannot read from backfilling global secondary index: byA");
  db.clock().advance(std::chrono::milliseconds(100));
  CHECK(index_of(describe(db)).at("IndexStatus") == "ACTIVE");

  db.ok("UpdateTable", drop());
  CHECK(index_of(describe(db)).at("IndexStatus") == "DELETING");
  CHECK(describe(db).at("TableStatus") == "UPDATING");
  check_refused(db, "Query", query_of("x"), "The table does not have the specified index: byA");
  check_refused(db, "UpdateTable", create("byB", "b"), several, "LimitExceededException");
  check_refused(db, "DeleteTable", {{"TableName", "Music"}},
                "Attempt to change a resource which is still in use: Cannot delete table while indexes are "
                "being created, updated, or deleted.",
                "ResourceInUseException");
  db.clock().advance(std::chrono::milliseconds(100));
  CHECK(!describe(db).contains("GlobalSecondaryIndexes"));
  CHECK(describe(db).at("TableStatus") == "ACTIVE");
}

TEST_CASE("indexes alone may take time to be CREATING and DELETING") {
  dinette::dynamodb::ServiceOptions options;
  options.index_state_delay = std::chrono::milliseconds(100);
  MusicTable db(options);
  const auto index_status = [&] { return index_of(describe(db)).at("IndexStatus"); };
  CHECK(describe(db).at("TableStatus") == "ACTIVE");
  db.ok("UpdateTable", create());
  db.jobs().run_due();
  CHECK(index_status() == "CREATING");
  db.clock().advance(std::chrono::milliseconds(100));
  CHECK(index_status() == "ACTIVE");
  db.ok("UpdateTable", with(provisioned_change(), change("byA", {{"ProvisionedThroughput", units(1, 1)}})));
  CHECK(index_status() == "ACTIVE");
  db.ok("UpdateTable", drop());
  CHECK(index_status() == "DELETING");
  db.clock().advance(std::chrono::milliseconds(100));
  CHECK(!describe(db).contains("GlobalSecondaryIndexes"));
  db.ok("DeleteTable", {{"TableName", "Music"}});
  CHECK(db.call("DescribeTable", Json{{"TableName", "Music"}}).error() == "ResourceNotFoundException");
}

TEST_CASE("a change that takes no time does not end that of an index which is being created") {
  dinette::dynamodb::ServiceOptions options;
  options.index_state_delay = std::chrono::milliseconds(100);
  MusicTable db(options);
  db.ok("UpdateTable", create());
  db.ok("UpdateTable", {{"TableName", "Music"}, {"SSESpecification", {{"Enabled", true}}}});
  db.jobs().run_due();
  db.clock().advance(std::chrono::milliseconds(99));
  CHECK(index_of(describe(db)).at("IndexStatus") == "CREATING");
  db.clock().advance(std::chrono::milliseconds(1));
  CHECK(index_of(describe(db)).at("IndexStatus") == "ACTIVE");
  CHECK(describe(db).at("SSEDescription").at("Status") == "ENABLED");
}

TEST_CASE("local indexes keep their definitions and their names when global ones come and go") {
  DynamoDb db;
  const Json local = index_on("local", Json::array({key("pk", "HASH"), key("a", "RANGE")}));
  const Json definitions = Json::array({attribute("a", "S"), attribute("pk", "S"), attribute("sk", "S")});
  db.ok("CreateTable", with(with_range(), {{"AttributeDefinitions", definitions},
                                           {"LocalSecondaryIndexes", Json::array({local})}}));
  db.ok("UpdateTable", create("byB", "b"));
  db.jobs().run_due();
  db.ok("UpdateTable", drop("byB"));
  CHECK(describe(db).at("AttributeDefinitions") == definitions);
  check_refused(db, "UpdateTable", create("local"), "Attempting to create an index which already exists");
  check_refused(db, "UpdateTable", drop("local"),
                "Cannot delete an index that is not a GlobalSecondaryIndex: local");
  check_refused(db, "UpdateTable", change("local", {{"OnDemandThroughput", {{"MaxReadRequestUnits", 5}}}}),
                "Cannot update an index that is not a GlobalSecondaryIndex: local");
}

TEST_CASE("filling an index continues when it was disturbed") {
  MusicTable db;
  db.ok("UpdateTable", create());
  auto& plan = dynamic_cast<dinette::test::FaultyEngine&>(db.engine()).plan();
  for (int nth = 1; nth <= 12; ++nth) {
    plan.fail(dinette::test::EngineCall::commit, 1, dinette::kv::ErrorKind::io);
    if (!db.jobs().run_step()) db.clock().advance(std::chrono::seconds(1));
  }
  db.clock().advance(std::chrono::seconds(1));
  db.jobs().run_due();
  CHECK(db.ok("Query", query_of("x")).at("Count") == 1);
  CHECK(index_of(describe(db)).at("ItemCount") == 1);
}

TEST_CASE("one index is created or deleted at a time") {
  MusicTable db;
  Json two = create();
  two["AttributeDefinitions"].push_back(attribute("b", "S"));
  two["GlobalSecondaryIndexUpdates"].push_back(create("byB", "b").at("GlobalSecondaryIndexUpdates").at(0));
  check_refused(db, "UpdateTable", two, several, "LimitExceededException");
  db.ok("UpdateTable", create());
  check_refused(db, "UpdateTable", create("byB", "b"), several, "LimitExceededException");
  db.jobs().run_due();
  db.ok("UpdateTable", create("byB", "b"));
  check_refused(db, "UpdateTable", drop(), several, "LimitExceededException");
}

TEST_CASE("impossible changes of indexes are refused") {
  MusicTable db;
  db.ok("UpdateTable", create());
  db.jobs().run_due();
  SECTION("delete or change of an unknown index") {
    const std::string not_found = "Requested resource not found: Index none for table Music";
    check_refused(db, "UpdateTable", drop("none"), not_found, "ResourceNotFoundException");
    check_refused(db, "UpdateTable", change("none", {{"OnDemandThroughput", {{"MaxReadRequestUnits", 5}}}}),
                  not_found, "ResourceNotFoundException");
    const Reply stumble =
        db.call("UpdateTable", change("none", {{"WarmThroughput", {{"ReadUnitsPerSecond", 13000}}}}));
    CHECK(stumble.status == 500);
    CHECK(stumble.error() == "InternalFailure");
  }
  SECTION("nothing of a request is applied when a part is refused") {
    Json request = change("byA", {{"OnDemandThroughput", {{"MaxReadRequestUnits", 5}}}});
    request["GlobalSecondaryIndexUpdates"].push_back(drop("none").at("GlobalSecondaryIndexUpdates").at(0));
    check_refused(db, "UpdateTable", request, "Requested resource not found: Index none for table Music",
                  "ResourceNotFoundException");
    CHECK(!index_of(describe(db)).contains("OnDemandThroughput"));
  }
  SECTION("a name that is taken") {
    check_refused(db, "UpdateTable", create(), "Attempting to create an index which already exists");
  }
  SECTION("the twenty-first index") {
    for (int i = 2; i <= 20; ++i) {
      db.ok("UpdateTable", create("by" + std::to_string(i), "a"));
      db.jobs().run_due();
    }
    check_refused(
        db, "UpdateTable", create("by21", "a"),
        "Subscriber limit exceeded: Number of global secondary indexes exceeds per-table limit of 20",
        "LimitExceededException");
    CHECK(describe(db).at("GlobalSecondaryIndexes").size() == 20);
    for (int i = 2; i <= 20; ++i) db.ok("UpdateTable", drop("by" + std::to_string(i)));
  }
  SECTION("more than a hundred projected attributes over all indexes") {
    const auto including = [](int number, int attributes) {
      Json request = create("wide" + std::to_string(number));
      Json& projection = request["GlobalSecondaryIndexUpdates"][0]["Create"]["Projection"];
      projection = {{"ProjectionType", "INCLUDE"}, {"NonKeyAttributes", Json::array()}};
      for (int i = 0; i < attributes; ++i) projection["NonKeyAttributes"].push_back("p" + std::to_string(i));
      return request;
    };
    for (int number = 1; number <= 5; ++number) {
      db.ok("UpdateTable", including(number, 20));
      db.jobs().run_due();
    }
    check_refused(db, "UpdateTable", including(6, 1));
    for (int number = 1; number <= 5; ++number) db.ok("UpdateTable", drop("wide" + std::to_string(number)));
  }
  SECTION("a key that this request does not declare, though the table does") {
    check_refused(db, "UpdateTable", with(create("again"), {{"AttributeDefinitions", nullptr}}),
                  invalid("AttributeDefinitions is not specified for index: again"));
    const Json others = {attribute("sk", "S"), attribute("pk", "S")};
    check_refused(db, "UpdateTable", with(create("again"), {{"AttributeDefinitions", others}}),
                  invalid("Some index key attributes are not defined in AttributeDefinitions. Keys: [a], "
                          "AttributeDefinitions: [pk, sk]"));
  }
  SECTION("a key that the table declares with another type") {
    Json request = create("again");
    request["AttributeDefinitions"] = {attribute("a", "N"), attribute("c", "B")};
    request["GlobalSecondaryIndexUpdates"][0]["Create"]["KeySchema"].push_back(key("c", "RANGE"));
    check_refused(
        db, "UpdateTable", request,
        invalid("Attributes cannot be redefined. Please check that your attribute has the same type as "
                "previously defined. Existing schema: Schema:[SchemaElement: key{a:S:HASH}, SchemaElement: "
                "key{c:B:RANGE}] New schema: Schema:[SchemaElement: key{a:N:HASH}, SchemaElement: "
                "key{c:B:RANGE}]"));
  }
  SECTION("a key schema or projection that CreateTable would refuse") {
    Json request = create("again");
    Json& index = request["GlobalSecondaryIndexUpdates"][0]["Create"];
    index["KeySchema"].push_back(key("a", "RANGE"));
    check_refused(db, "UpdateTable", request,
                  "The KeySchema contains multiple key attributes with the same name");
    index["KeySchema"] = Json::array({key("a", "RANGE")});
    check_refused(db, "UpdateTable", request,
                  "Invalid KeySchema: The first KeySchemaElement is not a HASH key type");
    index["KeySchema"] = Json::array({key("a", "HASH")});
    index["Projection"] = {{"ProjectionType", "INCLUDE"}, {"NonKeyAttributes", {"x", "x"}}};
    check_refused(db, "UpdateTable", request, invalid("Duplicate element in NonKeyAttributes: x"));
  }
  SECTION("no action") {
    check_refused(db, "UpdateTable",
                  {{"TableName", "Music"}, {"GlobalSecondaryIndexUpdates", Json::array({Json::object()})}},
                  invalid("One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, "
                          "GlobalSecondaryIndexUpdate.Delete must not be null"));
  }
  SECTION("no update, next to another change") {
    check_refused(db, "UpdateTable",
                  {{"TableName", "Music"},
                   {"DeletionProtectionEnabled", true},
                   {"GlobalSecondaryIndexUpdates", Json::array()}},
                  invalid("List of GlobalSecondaryIndexUpdates is empty"));
  }
  SECTION("two actions in one") {
    Json both = create("byB", "b");
    both["GlobalSecondaryIndexUpdates"][0]["Delete"] = {{"IndexName", "byA"}};
    check_refused(db, "UpdateTable", both,
                  invalid("Only one global secondary index action is allowed per GlobalSecondaryIndexUpdate "
                          "object"));
  }
  SECTION("two for one index") {
    Json twice = change("byA", {{"OnDemandThroughput", {{"MaxReadRequestUnits", 5}}}});
    twice["GlobalSecondaryIndexUpdates"].push_back(drop().at("GlobalSecondaryIndexUpdates").at(0));
    check_refused(
        db, "UpdateTable", twice,
        invalid("Only one global secondary index update per index is allowed simultaneously. Index: "
                "byA"));
  }
  SECTION("warm throughput that is none, or lower") {
    check_refused(
        db, "UpdateTable", change("byA", {{"WarmThroughput", Json::object()}}),
        invalid("WarmThroughput must have at least one of ReadUnitsPerSecond or WriteUnitsPerSecond "
                "specified for index: byA"));
    check_refused(
        db, "UpdateTable", change("byA", {{"WarmThroughput", {{"ReadUnitsPerSecond", 11999}}}}),
        invalid("Requested ReadUnitsPerSecond for WarmThroughput for index byA is lower than current "
                "WarmThroughput, decreasing WarmThroughput is not supported"));
  }
  SECTION("ceilings of a new index") {
    Json ceilings = create("byB", "b");
    ceilings["GlobalSecondaryIndexUpdates"][0]["Create"]["OnDemandThroughput"] = {
        {"MaxReadRequestUnits", -1}};
    check_refused(db, "UpdateTable", ceilings,
                  invalid("Requested MaxReadRequestUnits for OnDemandThroughput for index: byB is outside of "
                          "valid range"));
  }
  SECTION("throughput on an on-demand table") {
    check_refused(
        db, "UpdateTable", change("byA", {{"ProvisionedThroughput", units(1, 1)}}),
        invalid("The only Updates for index: byA when TableThroughputMode is PAY_PER_REQUEST can be "
                "to OnDemandThroughput, WarmThroughput"));
    Json with_units = create("byB", "b");
    with_units["GlobalSecondaryIndexUpdates"][0]["Create"]["ProvisionedThroughput"] = units(1, 1);
    check_refused(db, "UpdateTable", with_units,
                  invalid("Neither ReadCapacityUnits nor WriteCapacityUnits can be specified for index: byB "
                          "when BillingMode is PAY_PER_REQUEST"));
  }
  CHECK(describe(db).at("GlobalSecondaryIndexes").size() == 1);
}

TEST_CASE("definitions are merged into the stored ones; a stored type stays, an unused one is dropped") {
  MusicTable db;
  db.ok("UpdateTable", create());
  db.jobs().run_due();
  Json second = create("byAB");
  second["AttributeDefinitions"] =
      Json::array({attribute("pk", "N"), attribute("b", "S"), attribute("a", "S"), attribute("unused", "S")});
  second["GlobalSecondaryIndexUpdates"][0]["Create"]["KeySchema"] =
      Json::array({key("a", "HASH"), key("b", "RANGE")});
  const Json answer = db.ok("UpdateTable", second).at("TableDescription");
  const Json merged = Json::array({attribute("a", "S"), attribute("b", "S"), attribute("pk", "S")});
  CHECK(answer.at("AttributeDefinitions") == merged);
  CHECK(describe(db).at("AttributeDefinitions") == merged);
}

TEST_CASE("throughput of an index of a provisioned table changes") {
  dinette::dynamodb::ServiceOptions options;
  options.state_delay = std::chrono::milliseconds(100);
  DynamoDb db(options);
  db.ok("CreateTable", provisioned_with_index(1, 1));
  db.clock().advance(std::chrono::milliseconds(100));
  const auto read_units = [](const Json& description) {
    return index_of(description).at("ProvisionedThroughput").at("ReadCapacityUnits");
  };
  const Json answer =
      db.ok("UpdateTable", change("byA", {{"ProvisionedThroughput", units(7, 8)}})).at("TableDescription");
  CHECK(answer.at("TableStatus") == "ACTIVE");
  CHECK(index_of(answer).at("IndexStatus") == "UPDATING");
  CHECK(read_units(answer) == 1);
  CHECK(describe(db).at("TableStatus") == "ACTIVE");
  check_in_use(db, change("byA", {{"ProvisionedThroughput", units(9, 9)}}),
               "Index is being updated. Table: Music Index: byA");
  db.clock().advance(std::chrono::milliseconds(100));
  CHECK(index_of(describe(db)).at("IndexStatus") == "ACTIVE");
  CHECK(read_units(describe(db)) == 7);
  check_refused(db, "UpdateTable", create("byB", "b"),
                invalid("Both ReadCapacityUnits and WriteCapacityUnits must be specified for index: byB"));
}

TEST_CASE("throughput of an index that is the current one, or too much, is refused") {
  DynamoDb db;
  db.ok("CreateTable", provisioned_with_index(2, 3));
  check_refused(
      db, "UpdateTable", change("byA", {{"ProvisionedThroughput", units(2, 3)}}),
      "The provisioned throughput for the index byA will not change. The requested value equals the "
      "current value. Current ReadCapacityUnits provisioned for index byA: 2. Requested "
      "ReadCapacityUnits: 2. Current WriteCapacityUnits provisioned for index byA: 3. Requested "
      "WriteCapacityUnits: 3. Refer to the Amazon DynamoDB Developer Guide for current limits and how "
      "to request higher limits.");
  check_refused(
      db, "UpdateTable", change("byA", {{"ProvisionedThroughput", units(40001, 3)}}),
      "The requested ReadCapacityUnits for index byA, 40001, is above the per index maximum for the "
      "account in us-east-1. Per table maximum: 40000. Refer to the Amazon DynamoDB Developer Guide "
      "for current limits and how to request higher limits.",
      "LimitExceededException");
}

TEST_CASE("an index and its table count decreases apart; one refused part refuses the request") {
  DynamoDb db;
  db.ok("CreateTable", provisioned_with_index(9, 9));
  for (const int figure : {8, 7, 6, 5})
    db.ok("UpdateTable", change("byA", {{"ProvisionedThroughput", units(figure, 9)}}));
  Json both = change("byA", {{"ProvisionedThroughput", units(4, 9)}});
  both["ProvisionedThroughput"] = units(4, 4);
  CHECK(db.call("UpdateTable", both).error() == "LimitExceededException");
  CHECK(describe(db).at("ProvisionedThroughput").at("ReadCapacityUnits") == 5);
  db.ok("UpdateTable", {{"TableName", "Music"}, {"ProvisionedThroughput", units(4, 4)}});

  // A switch to on-demand is no matter of the count, and counts.
  const Json answer = db.ok("UpdateTable", {{"TableName", "Music"}, {"BillingMode", "PAY_PER_REQUEST"}})
                          .at("TableDescription");
  CHECK(index_of(answer).at("ProvisionedThroughput").at("ReadCapacityUnits") == 0);  // the new figures
  CHECK(index_of(describe(db)).at("ProvisionedThroughput").at("NumberOfDecreasesToday") == 5);
  CHECK(describe(db).at("ProvisionedThroughput").at("NumberOfDecreasesToday") == 1);
  CHECK(index_of(describe(db)).at("WarmThroughput").at("ReadUnitsPerSecond") == 12000);
}

TEST_CASE("an index tells when its throughput changed and counts its own decreases of the day") {
  DynamoDb db;
  db.ok("CreateTable", provisioned_with_index(5, 5));
  const auto shown = [&] { return index_of(describe(db)).at("ProvisionedThroughput"); };
  const auto set_units = [&](int read, int write) {
    db.clock().advance(std::chrono::seconds(10));
    return db.ok("UpdateTable", change("byA", {{"ProvisionedThroughput", units(read, write)}}));
  };
  Json expected = units(5, 5);
  expected["NumberOfDecreasesToday"] = 0;
  CHECK(shown() == expected);
  const Json answer = set_units(4, 6).at("TableDescription");
  CHECK(index_of(answer).at("ProvisionedThroughput") == expected);
  expected.update(units(4, 6));
  expected["NumberOfDecreasesToday"] = 1;
  expected["LastIncreaseDateTime"] = 1791633610.0;
  expected["LastDecreaseDateTime"] = 1791633610.0;
  CHECK(shown() == expected);
  set_units(3, 6);
  expected.update(units(3, 6));
  expected["NumberOfDecreasesToday"] = 2;
  expected["LastDecreaseDateTime"] = 1791633620.0;
  CHECK(shown() == expected);
  CHECK(describe(db).at("ProvisionedThroughput").at("NumberOfDecreasesToday") == 0);
  db.clock().advance(std::chrono::hours(24));
  expected["NumberOfDecreasesToday"] = 0;
  CHECK(shown() == expected);
  set_units(3, 5);
  CHECK(shown().at("NumberOfDecreasesToday") == 1);
}

TEST_CASE("deletion protection of a table does not protect its indexes") {
  MusicTable db;
  db.ok("UpdateTable", create());
  db.jobs().run_due();
  db.ok("UpdateTable", {{"TableName", "Music"}, {"DeletionProtectionEnabled", true}});
  db.ok("UpdateTable", drop());
  CHECK(!describe(db).contains("GlobalSecondaryIndexes"));
}

TEST_CASE("ceilings of an index are its own, and may be set to what they are") {
  MusicTable db;
  db.ok("UpdateTable", create());
  db.jobs().run_due();
  const Json request = change("byA", {{"OnDemandThroughput", {{"MaxReadRequestUnits", 5}}}});
  const Json answer = db.ok("UpdateTable", request).at("TableDescription");
  CHECK(answer.at("TableStatus") == "ACTIVE");
  CHECK(index_of(answer).at("IndexStatus") == "UPDATING");
  db.ok("UpdateTable", request);
  CHECK(index_of(describe(db)).at("OnDemandThroughput") == Json{{"MaxReadRequestUnits", 5}});
  CHECK(!describe(db).contains("OnDemandThroughput"));
  db.ok("UpdateTable", change("byA", {{"OnDemandThroughput", {{"MaxReadRequestUnits", -1}}}}));
  CHECK(!index_of(describe(db)).contains("OnDemandThroughput"));
}

TEST_CASE("a switch to provisioned billing needs units for every index, and takes their ceilings away") {
  MusicTable db;
  db.ok("UpdateTable", create());
  db.jobs().run_due();
  db.ok("UpdateTable", change("byA", {{"OnDemandThroughput", {{"MaxReadRequestUnits", 5}}}}));
  const Json provisioned = {
      {"TableName", "Music"}, {"BillingMode", "PROVISIONED"}, {"ProvisionedThroughput", units(5, 5)}};
  check_refused(db, "UpdateTable", provisioned,
                invalid("ProvisionedThroughput must be specified for index: byA"));
  Json whole = change("byA", {{"ProvisionedThroughput", units(2, 3)}});
  whole.update(provisioned);
  db.ok("UpdateTable", whole);
  CHECK(index_of(describe(db)).at("ProvisionedThroughput").at("WriteCapacityUnits") == 3);
  CHECK(!index_of(describe(db)).contains("OnDemandThroughput"));
}

}  // namespace test::update_table_indexes_test
