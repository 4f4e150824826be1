#include <catch2/catch.hpp>

#include "dynamodb/streams/streams.h"
#include "dynamodb/writes/expiration.h"
#include "support/faulty_engine.h"

// docs/service/ttl-tags.md section 1. The clock stands at 1791633600 unless a case moves it.
namespace test::time_to_live_test {

using namespace std::chrono_literals;

namespace {

constexpr std::int64_t now = 1791633600;

Json setting(bool enabled, std::string_view attribute = "ends") {
  return {{"TableName", "Music"},
          {"TimeToLiveSpecification", {{"Enabled", enabled}, {"AttributeName", attribute}}}};
}

const Json music = {{"TableName", "Music"}};

Json described(DynamoDb& db) {
  return db.ok("DescribeTimeToLive", music).at("TimeToLiveDescription");
}

/// A table whose items end as their attribute `ends` says.
struct Expiring : DynamoDb {
  Expiring() {
    ok("CreateTable", with_stream());
    ok("UpdateTimeToLive", setting(true));
  }

  void put_until(std::string_view pk, const std::string& seconds) {
    test::put(*this, pk, R"("ends": {"N": ")" + seconds + "\"}");
  }
  void put_until(std::string_view pk, std::int64_t seconds) { put_until(pk, std::to_string(seconds)); }

  /// The keys of the items that there are, ascending.
  std::string keys() {
    std::vector<std::string> names;
    const Json page = ok("Scan", music);
    for (const Json& item : page.at("Items")) names.push_back(item.at("pk").at("S"));
    std::sort(names.begin(), names.end());
    std::string all;
    for (const std::string& name : names) all += name;
    return all;
  }
  std::string keys_after(std::chrono::milliseconds time) {
    clock().advance(time);
    jobs().run_due();
    return keys();
  }
};

}  // namespace

TEST_CASE("TTL: enabled, described, disabled") {
  DynamoDb db;
  db.ok("CreateTable", provisioned());
  CHECK(described(db) == Json{{"TimeToLiveStatus", "DISABLED"}});
  CHECK(db.ok("UpdateTimeToLive", setting(true)) ==
        Json{{"TimeToLiveSpecification", {{"Enabled", true}, {"AttributeName", "ends"}}}});
  CHECK(described(db) == Json{{"TimeToLiveStatus", "ENABLED"}, {"AttributeName", "ends"}});
  CHECK(describe(db).at("TableStatus") == "ACTIVE");
  CHECK(db.ok("ListTagsOfResource", {{"ResourceArn", describe(db).at("TableArn")}}).at("Tags").empty());
  CHECK(db.ok("UpdateTimeToLive", setting(false)) ==
        Json{{"TimeToLiveSpecification", {{"Enabled", false}, {"AttributeName", "ends"}}}});
  CHECK(described(db) == Json{{"TimeToLiveStatus", "DISABLED"}});
  // It can be enabled again, for any name.
  const std::string longest(255, 'x');
  for (const std::string& name :
       {std::string("size"), std::string("a.b"), std::string("with space"), std::string("pk"), longest}) {
    db.ok("UpdateTimeToLive", setting(true, name));
    CHECK(described(db).at("AttributeName") == name);
    db.ok("UpdateTimeToLive", setting(false, name));
  }
}

TEST_CASE("TTL: a table that is created again has none") {
  Expiring db;
  db.ok("DeleteTable", music);
  db.ok("CreateTable", provisioned());
  CHECK(described(db) == Json{{"TimeToLiveStatus", "DISABLED"}});
}

TEST_CASE("TTL: changes that the present setting does not allow") {
  DynamoDb db;
  db.ok("CreateTable", provisioned());
  for (const char* name : {"ends", "other"})
    check_refused(db, "UpdateTimeToLive", setting(false, name), "TimeToLive is already disabled");
  db.ok("UpdateTimeToLive", setting(true));
  check_refused(db, "UpdateTimeToLive", setting(true), "TimeToLive is already enabled");
  for (const bool enabled : {true, false}) {
    check_refused(db, "UpdateTimeToLive", setting(enabled, "other"),
                  "TimeToLive is active on a different AttributeName: current AttributeName is ends");
  }
  CHECK(described(db).at("AttributeName") == "ends");
}

TEST_CASE("TTL: requests that the model does not allow") {
  DynamoDb db;
  db.ok("CreateTable", provisioned());
  const auto refused = [&](const Json& specification, const std::string& message) {
    check_refused(db, "UpdateTimeToLive", with(music, {{"TimeToLiveSpecification", specification}}), message);
  };
  const std::string one = "1 validation error detected: Value ";
  const std::string at =
      " at 'timeToLiveSpecification.attributeName' failed to satisfy constraint: Member must ";
  for (const bool enabled : {true, false}) {
    refused({{"Enabled", enabled}, {"AttributeName", ""}},
            one + "''" + at + "have length greater than or equal to 1");
    refused({{"Enabled", enabled}, {"AttributeName", std::string(256, 'x')}},
            one + "'" + std::string(256, 'x') + "'" + at + "have length less than or equal to 255");
    refused({{"Enabled", enabled}}, one + "null" + at + "not be null");
  }
  refused(
      {{"AttributeName", "ends"}},
      one +
          "null at 'timeToLiveSpecification.enabled' failed to satisfy constraint: Member must not be null");
  const Reply both = db.call("UpdateTimeToLive", with(music, {{"TimeToLiveSpecification", Json::object()}}));
  CHECK(both.message().starts_with("2 validation errors detected: "));
  check_refused(
      db, "UpdateTimeToLive", music,
      one + "null at 'timeToLiveSpecification' failed to satisfy constraint: Member must not be null");
  for (const Json& specification : {Json{{"Enabled", "true"}, {"AttributeName", "ends"}},
                                    Json{{"Enabled", true}, {"AttributeName", 1}}}) {
    CHECK(db.call("UpdateTimeToLive", with(music, {{"TimeToLiveSpecification", specification}})).error() ==
          "SerializationException");
  }
  const std::string not_found = "Requested resource not found: Table: Films not found";
  check_refused(db, "UpdateTimeToLive", with(setting(true), {{"TableName", "Films"}}), not_found,
                "ResourceNotFoundException");
  // The table is looked up after the model's constraints.
  check_refused(db, "UpdateTimeToLive", with(setting(true, ""), {{"TableName", "Films"}}),
                one + "''" + at + "have length greater than or equal to 1");
  check_refused(db, "DescribeTimeToLive", {{"TableName", "Films"}}, not_found, "ResourceNotFoundException");
}

TEST_CASE("TTL: a table that is not ACTIVE") {
  dinette::dynamodb::ServiceOptions options;
  options.state_delay = 5s;
  DynamoDb db(options);
  db.ok("CreateTable", provisioned());
  const auto describing = [](const std::string& state) {
    return "Cannot describe time to live while table is in " + state + " state: Current table state is " +
           state;
  };
  const std::string not_found = "Requested resource not found: Table: Music not found";
  check_refused(db, "DescribeTimeToLive", music, describing("CREATING"));
  check_refused(db, "UpdateTimeToLive", setting(true), not_found, "ResourceNotFoundException");
  db.clock().advance(5s);
  db.ok("UpdateTable", with(music, {{"ProvisionedThroughput", units(7, 7)}}));
  CHECK(describe(db).at("TableStatus") == "UPDATING");
  db.ok("UpdateTimeToLive", setting(true));
  db.clock().advance(5s);
  db.ok("DeleteTable", music);
  check_refused(db, "DescribeTimeToLive", music, describing("DELETING"));
  check_refused(db, "UpdateTimeToLive", setting(false), not_found, "ResourceNotFoundException");
}

TEST_CASE("TTL: an item is there until its time is over, and gone within a second of it") {
  Expiring db;
  db.put_until("a", now + 10);
  db.put_until("b", now + 20);
  CHECK(db.keys_after(10s) == "ab");
  CHECK(db.keys_after(1s) == "b");
  CHECK(db.keys_after(8s) == "b");
  CHECK(db.keys_after(2s) == "");
}

TEST_CASE("TTL: until it is deleted an expired item is read and written as usual") {
  Expiring db;
  db.put_until("a", now + 10);
  db.clock().advance(1h);
  CHECK(db.keys() == "a");
  CHECK_FALSE(db.get("Music", {{"pk", {{"S", "a"}}}}).is_null());
  db.ok("UpdateItem", {{"TableName", "Music"},
                       {"Key", {{"pk", {{"S", "a"}}}}},
                       {"UpdateExpression", "SET n = :n"},
                       {"ExpressionAttributeValues", {{":n", {{"N", "1"}}}}}});
  CHECK(db.get("Music", {{"pk", {{"S", "a"}}}}).at("n").at("N") == "1");
  db.jobs().run_due();
  CHECK(db.keys() == "");
}

TEST_CASE("TTL: an update that moves or removes the attribute saves the item") {
  Expiring db;
  for (const char* pk : {"a", "b", "c"}) db.put_until(pk, now + 10);
  db.clock().advance(1h);
  const auto update = [&](const char* pk, const Json& members) {
    db.ok("UpdateItem", with(with(music, {{"Key", {{"pk", {{"S", pk}}}}}}), members));
  };
  update("a", {{"UpdateExpression", "REMOVE ends"}});
  update("b", {{"UpdateExpression", "SET ends = :later"},
               {"ExpressionAttributeValues", {{":later", {{"N", std::to_string(now + 7200)}}}}}});
  db.jobs().run_due();
  CHECK(db.keys() == "ab");
  CHECK(db.keys_after(1h) == "ab");
  CHECK(db.keys_after(1s) == "a");
}

TEST_CASE("TTL: an update that comes between the look at an item and its deletion saves it") {
  auto* const engine = new dinette::test::FaultyEngine(dinette::kv::make_memory_engine());
  DynamoDb db({}, std::unique_ptr<dinette::kv::Engine>(engine));
  db.ok("CreateTable", provisioned());
  db.ok("UpdateTimeToLive", setting(true));
  db.jobs().run_due();
  put(db, "a", R"("ends": {"N": ")" + std::to_string(now - 1) + "\"}");
  engine->before_transactions([&](auto) {
    engine->before_transactions(nullptr);
    put(db, "a", R"("ends": {"N": ")" + std::to_string(now + 10) + "\"}");
  });
  db.jobs().run_due();
  CHECK(db.ok("Scan", music).at("Count") == 1);
  db.clock().advance(11s);
  db.jobs().run_due();
  CHECK(db.ok("Scan", music).at("Count") == 0);
}

TEST_CASE("TTL: the stream's view type says what is shown of an expired item") {
  const Json old_image = {{"pk", {{"S", "a"}}}, {"ends", {{"N", std::to_string(now - 1)}}}};
  for (const char* view_type : {"KEYS_ONLY", "NEW_IMAGE", "OLD_IMAGE", "NEW_AND_OLD_IMAGES"}) {
    DynamoDb db;
    db.ok("CreateTable", with_stream(view_type));
    db.ok("UpdateTimeToLive", setting(true));
    db.put("Music", old_image);
    db.jobs().run_due();
    const auto all = records(db, stream_arn(db));
    REQUIRE(all.size() == 2);
    CHECK(all[1].at("userIdentity") == Json{{"Type", "Service"}, {"PrincipalId", "dynamodb.amazonaws.com"}});
    Json removed = {{"Keys", {{"pk", {{"S", "a"}}}}}};
    if (std::string_view(view_type).find("OLD") != std::string_view::npos) removed["OldImage"] = old_image;
    CHECK(changes(db)[1] == Json{{"REMOVE", removed}});
  }
}

TEST_CASE("TTL: which values count") {
  Expiring db;
  constexpr std::int64_t year = 31'556'952;
  put(db, "a", R"("ends": {"S": "1791633000"})");
  put(db, "b");
  put(db, "c", R"("nested": {"M": {"ends": {"N": "1791633000"}}})");
  put(db, "d", R"("ends": {"L": [{"N": "1791633000"}]})");
  db.put_until("e", std::to_string(now * 1000));  // milliseconds: far ahead
  db.put_until("f", "157766400");                 // 1975: too long ago
  db.put_until("g", now - 5 * year - 86400);
  db.put_until("h", "-5");
  db.put_until("i", "1E100");
  db.put_until("j", "0.00000001");
  CHECK(db.keys_after(1h) == "abcdefghij");
  for (const char* pk : {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"}) remove(db, pk);

  db.put_until("k", "1791637199.1234");
  db.put_until("l", "17916371e2");
  db.put_until("m", now - 5 * year + 86400);
  db.put_until("n", now + 3600);  // now: not before now
  CHECK(db.keys_after(0s) == "n");
  CHECK(db.keys_after(1s) == "");
}

TEST_CASE("TTL: the name is one attribute's, whatever is in it") {
  DynamoDb db;
  db.ok("CreateTable", provisioned());
  db.ok("UpdateTimeToLive", setting(true, "a.b"));
  const std::string over = R"({"N": ")" + std::to_string(now - 1) + "\"}";
  put(db, "literal", R"("a.b": )" + over);
  put(db, "path", R"("a": {"M": {"b": )" + over + "}}");
  db.jobs().run_due();
  const Json left = db.ok("Scan", music).at("Items");
  REQUIRE(left.size() == 1);
  CHECK(left[0].at("pk").at("S") == "path");
}

TEST_CASE("TTL: a key attribute may be the one that counts") {
  DynamoDb db;
  const auto count_after_it = [&](const Json& item) {
    db.ok("UpdateTimeToLive", setting(true));
    db.put("Music", item);
    db.clock().advance(2s);
    db.jobs().run_due();
    const Json count = db.ok("Scan", music).at("Count");
    db.ok("DeleteTable", music);
    return count;
  };
  const auto ends_as_key = [](const char* type) {
    return Json{{"KeySchema", Json::array({key("ends", "HASH")})},
                {"AttributeDefinitions", Json::array({attribute("ends", type)})}};
  };
  const std::string end = std::to_string(now + 1);
  db.ok("CreateTable", with(provisioned(), ends_as_key("N")));
  CHECK(count_after_it({{"ends", {{"N", end}}}}) == 0);
  // As text it is no time.
  db.ok("CreateTable", with(provisioned(), ends_as_key("S")));
  CHECK(count_after_it({{"ends", {{"S", end}}}}) == 1);
  const Json of_indexes = {
      {"LocalSecondaryIndexes",
       Json::array({index_on("local", Json::array({key("pk", "HASH"), key("ends", "RANGE")}))})},
      {"GlobalSecondaryIndexes", Json::array({index_on("global", Json::array({key("ends", "HASH")}))})},
      {"AttributeDefinitions",
       Json::array({attribute("pk", "S"), attribute("sk", "S"), attribute("ends", "N")})}};
  db.ok("CreateTable", with(with_range(), of_indexes));
  CHECK(count_after_it({{"pk", {{"S", "1"}}}, {"sk", {{"S", "2"}}}, {"ends", {{"N", end}}}}) == 0);
}

TEST_CASE("TTL: items that were there before it was enabled expire too") {
  DynamoDb db;
  db.ok("CreateTable", provisioned());
  constexpr int items = 1000;
  for (int i = 0; i < items; ++i) {
    const std::int64_t ends = now - 100 + (i % 2) * 1000;
    put(db, std::to_string(i), R"("ends": {"N": ")" + std::to_string(ends) + "\"}");
  }
  db.ok("UpdateTimeToLive", setting(true));
  CHECK(described(db).at("TimeToLiveStatus") == "ENABLED");
  int steps = 0;
  while (db.jobs().run_step()) ++steps;
  CHECK(steps > 4);
  CHECK(db.ok("Scan", music).at("Count") == items / 2);
  db.clock().advance(1h);
  db.jobs().run_due();
  CHECK(db.ok("Scan", music).at("Count") == 0);
}

TEST_CASE("TTL: enabled for another attribute while items that were there are still looked for") {
  DynamoDb db;
  db.ok("CreateTable", provisioned());
  for (int i = 0; i < 1000; ++i)
    put(db, std::to_string(i), R"("other": {"N": ")" + std::to_string(now - 1) + "\"}");
  db.ok("UpdateTimeToLive", setting(true));
  for (int step = 0; step < 3; ++step) db.jobs().run_step();
  db.ok("UpdateTimeToLive", setting(false));
  db.ok("UpdateTimeToLive", setting(true, "other"));
  db.jobs().run_due();
  CHECK(db.ok("Scan", music).at("Count") == 0);
}

TEST_CASE("TTL: once it is disabled nothing expires, nor by what was known before") {
  Expiring db;
  db.put_until("a", now + 10);
  db.ok("UpdateTimeToLive", setting(false));
  CHECK(db.keys_after(1h) == "a");
  put(db, "b", R"("other": {"N": "1791633000"})");
  db.ok("UpdateTimeToLive", setting(true, "other"));
  CHECK(db.keys_after(1h) == "a");
}

TEST_CASE("TTL: an expired item leaves all indexes and costs nothing, and its stream says who deleted it") {
  DynamoDb db;
  const Json locals = Json::array({index_on("local", Json::array({key("pk", "HASH"), key("a", "RANGE")}))});
  const Json globals = Json::array({index_on("global", Json::array({key("a", "HASH")}))});
  db.ok("CreateTable",
        with(with_range(),
             with(stream_setting(true, "NEW_AND_OLD_IMAGES"),
                  {{"LocalSecondaryIndexes", locals},
                   {"GlobalSecondaryIndexes", globals},
                   {"AttributeDefinitions",
                    Json::array({attribute("pk", "S"), attribute("sk", "S"), attribute("a", "S")})}})));
  db.ok("UpdateTimeToLive", setting(true));
  const Json item = {{"pk", {{"S", "1"}}},
                     {"sk", {{"S", "2"}}},
                     {"a", {{"S", "3"}}},
                     {"ends", {{"N", std::to_string(now + 1)}}}};
  db.put("Music", item);
  db.clock().advance(2s);
  db.jobs().run_due();
  for (const char* index : {"local", "global"})
    CHECK(db.ok("Scan", with(music, {{"IndexName", index}})).at("Count") == 0);
  CHECK(describe(db).at("ItemCount") == 0);
  CHECK(describe(db).at("TableSizeBytes") == 0);

  const auto all = records(db, stream_arn(db));
  REQUIRE(all.size() == 2);
  CHECK_FALSE(all[0].contains("userIdentity"));
  CHECK(all[1].at("eventName") == "REMOVE");
  CHECK(all[1].at("userIdentity") == Json{{"Type", "Service"}, {"PrincipalId", "dynamodb.amazonaws.com"}});
  CHECK(all[1].at("dynamodb").at("OldImage") == item);
}

TEST_CASE("TTL: items of transactions, batches and statements expire like others") {
  Expiring db;
  const auto item = [](const char* pk) {
    return Json{{"pk", {{"S", pk}}}, {"ends", {{"N", std::to_string(now + 5)}}}};
  };
  db.ok("TransactWriteItems",
        {{"TransactItems", Json::array({{{"Put", {{"TableName", "Music"}, {"Item", item("a")}}}}})}});
  db.ok("BatchWriteItem",
        {{"RequestItems", {{"Music", Json::array({{{"PutRequest", {{"Item", item("b")}}}}})}}}});
  db.ok("ExecuteStatement",
        {{"Statement", "INSERT INTO Music VALUE {'pk': 'c', 'ends': " + std::to_string(now + 5) + "}"}});
  CHECK(db.keys_after(5s) == "abc");
  CHECK(db.keys_after(1s) == "");
}

TEST_CASE("TTL: the deletion can be made to come later") {
  dinette::dynamodb::ServiceOptions options;
  options.time_to_live_delay = 10min;
  DynamoDb db(options);
  db.ok("CreateTable", provisioned());
  db.ok("UpdateTimeToLive", setting(true));
  put(db, "a", R"("ends": {"N": ")" + std::to_string(now) + "\"}");
  const auto count_after = [&](std::chrono::milliseconds time) {
    db.clock().advance(time);
    db.jobs().run_due();
    return db.ok("Scan", music).at("Count").get<int>();
  };
  CHECK(count_after(10min) == 1);
  CHECK(count_after(1s) == 0);
}

TEST_CASE("TTL: many expired items go in steps, and all at once if asked") {
  Expiring db;
  for (int i = 0; i < 1000; ++i) db.put_until(std::to_string(i), now + 1);
  db.clock().advance(1min);
  auto& store = db.worlds().pick("").value()->store(dinette::dynamodb::face().id);
  SECTION("in steps") {
    int steps = 0;
    while (db.jobs().run_step()) ++steps;
    CHECK(steps > 4);
  }
  SECTION("all at once") {
    CHECK(dinette::dynamodb::expire_now(store).value() == 1000);
    CHECK(dinette::dynamodb::expire_now(store).value() == 0);
  }
  CHECK(db.ok("Scan", music).at("Count") == 0);
  CHECK(records(db, stream_arn(db)).size() == 2000);
}

TEST_CASE("TTL: a copy of a world deletes its own items") {
  Expiring db;
  db.put_until("a", now + 1);
  REQUIRE(db.worlds().fork("", "copy").ok());
  db.clock().advance(1min);
  const auto copy = db.worlds().pick("copy").value();
  copy->jobs().run_due();
  auto& store = copy->store(dinette::dynamodb::face().id);
  const auto table = store.catalog().open("Music").value();
  CHECK(store.count(*table).value().rows == 0);
  CHECK(db.keys() == "a");
}

TEST_CASE("TTL: of several ends the earliest comes first") {
  Expiring db;
  db.put_until("a", now + 1);
  db.put_until("b", now + 100);
  db.put_until("c", now + 50);
  CHECK(db.keys_after(2s) == "bc");
  CHECK(db.keys_after(50s) == "b");
  CHECK(db.keys_after(100s) == "");
}

}  // namespace test::time_to_live_test
