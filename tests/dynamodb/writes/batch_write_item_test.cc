#include <algorithm>
#include <vector>

#include "dynamodb/batch.h"
#include "support/faulty_engine.h"

// docs/service/batch.md section 2; values.md for the older wording, bare and unwrapped; indexes.md section 3;
// capacity.md sections 3 and 6.
namespace test::batch_write_item_test {
namespace {

const std::string no_match = "The provided key element does not match the schema";
const std::string duplicates = "Provided list of item keys contains duplicates";

Json put_text(std::string_view item) {
  return put_request(Json::parse(item));
}

Json one_put(std::string_view item) {
  return batch({{"Tab", Json::array({put_text(item)})}});
}

Json several(std::initializer_list<Json> requests) {
  Json list = Json::array();
  for (const Json& request : requests) list.push_back(request);
  return list;
}

/// The table Tab with a global index ggg on the string gk and the sort key sk, and with a local index on it.
void make_indexed_table(DynamoDb& db) {
  db.ok("CreateTable", table_request("Tab", "pk sk:N", "gk",
                                     {global_index("ggg", "gk"), local_index("lll", "gk", keys_only())}));
}

Json indexed(const std::string& pk, int sk, const std::string& gk) {
  return {{"pk", {{"S", pk}}}, {"sk", {{"N", std::to_string(sk)}}}, {"gk", {{"S", gk}}}};
}

Json index_entries(DynamoDb& db, std::string_view index) {
  return db.ok("Scan", {{"TableName", "Tab"}, {"IndexName", index}})["Items"];
}

/// The service on an engine that fails on cue.
struct Faulty {
  dinette::test::FaultyEngine* engine = new dinette::test::FaultyEngine(dinette::kv::make_memory_engine());
  DynamoDb db{{}, std::unique_ptr<dinette::kv::Engine>(engine)};

  void fail_commit(int nth, dinette::kv::ErrorKind kind) {
    engine->plan().fail(dinette::test::EngineCall::commit, nth, kind);
  }
};

}  // namespace

TEST_CASE("BatchWriteItem puts and deletes over several tables, by name or ARN") {
  DynamoDb db;
  db.create_table("Tab");
  db.create_table("Other");
  db.put("Tab", Json::parse(R"({"pk": {"S": "old"}, "gone": {"BOOL": true}})"));
  db.put("Other", with_pk("old"));
  const Json reply = db.ok(
      "BatchWriteItem",
      batch({{"Tab", several({put_text(R"({"pk": {"S": "old"}, "x": {"N": "1.0"}})"),
                              put_request(with_pk("new")), delete_request(with_pk("never"))})},
             {arn_of("Other"), several({delete_request(with_pk("old")), put_request(with_pk("new"))})}}));
  CHECK(reply == Json{{"UnprocessedItems", Json::object()}});
  CHECK(db.get("Tab", with_pk("old")) == Json::parse(R"({"pk": {"S": "old"}, "x": {"N": "1"}})"));
  CHECK(db.get("Tab", with_pk("new")) == with_pk("new"));
  CHECK(db.get("Tab", with_pk("never")).is_null());
  CHECK(db.get("Other", with_pk("old")).is_null());
  CHECK(db.get("Other", with_pk("new")) == with_pk("new"));
}

TEST_CASE("BatchWriteItem keeps the indexes as single writes do") {
  DynamoDb db;
  make_indexed_table(db);
  db.ok("BatchWriteItem",
        batch({{"Tab", several({put_request(indexed("a", 1, "x")), put_request(indexed("a", 2, "x"))})}}));
  CHECK(index_entries(db, "ggg").size() == 2);
  CHECK(index_entries(db, "lll").size() == 2);
  db.ok("BatchWriteItem",
        batch({{"Tab", several({put_request(indexed("a", 1, "y")),
                                delete_request(Json::parse(R"({"pk": {"S": "a"}, "sk": {"N": "2"}})"))})}}));
  CHECK(index_entries(db, "ggg") == Json::array({indexed("a", 1, "y")}));
  CHECK(index_entries(db, "lll") == Json::array({indexed("a", 1, "y")}));
}

TEST_CASE("BatchWriteItem writes 25 items over all tables and no more") {
  DynamoDb db;
  db.create_table("Tab");
  db.create_table("Other");
  db.ok("BatchWriteItem", batch({{"Tab", numbered_puts(25)}}));
  CHECK(db.ok("Scan", {{"TableName", "Tab"}})["Count"] == 25);
  db.ok("BatchWriteItem", batch({{"Tab", numbered_puts(20)}, {"Other", numbered_puts(5)}}));
  check_refused(db, "BatchWriteItem", batch({{"Tab", numbered_puts(20)}, {"Other", numbered_puts(6)}}),
                "Too many items requested for the BatchWriteItem call");
}

TEST_CASE("on a disk BatchWriteItem is one commit, unless that fails: then each item is one") {
  using dinette::kv::ErrorKind;
  Faulty faulty;
  faulty.engine->declare({.may_block = true});
  faulty.db.create_table("Tab");
  faulty.db.create_table("Other");
  const Json request = batch({{"Tab", numbered_puts(20)}, {"Other", numbered_puts(5)}});
  faulty.fail_commit(2, ErrorKind::io);
  CHECK(faulty.db.ok("BatchWriteItem", request)["UnprocessedItems"].empty());
  CHECK_FALSE(faulty.engine->plan().spent());
  faulty.fail_commit(1, ErrorKind::timed_out);
  CHECK(faulty.db.ok("BatchWriteItem", request)["UnprocessedItems"].empty());
  CHECK(faulty.engine->plan().spent());
  CHECK(faulty.db.ok("Scan", {{"TableName", "Tab"}})["Count"] == 20);
  CHECK(faulty.db.ok("Scan", {{"TableName", "Other"}})["Count"] == 5);
}

TEST_CASE("BatchWriteItem refuses two writes of one item, by value, whatever they are") {
  DynamoDb db;
  db.create_table("Tab");
  db.create_table("Num", "N");
  const Json a = with_pk("a");
  const Json more = Json::parse(R"({"pk": {"S": "a"}, "x": {"N": "1"}})");
  for (const Json& both :
       {several({put_request(a), put_request(more)}), several({put_request(more), delete_request(a)}),
        several({delete_request(a), put_request(a)}), several({delete_request(a), delete_request(a)})}) {
    check_refused(db, "BatchWriteItem", batch({{"Tab", both}}), duplicates);
  }
  check_refused(
      db, "BatchWriteItem",
      batch({{"Num", several({put_text(R"({"pk": {"N": "1"}})"), put_text(R"({"pk": {"N": "1.0"}})")})}}),
      duplicates);
  check_refused(db, "BatchWriteItem",
                batch({{"Tab", several({put_request(a)})}, {arn_of("Tab"), several({delete_request(a)})}}),
                duplicates);
  CHECK(db.get("Tab", a).is_null());
}

TEST_CASE("any problem refuses the whole BatchWriteItem before anything is written") {
  DynamoDb db;
  db.create_table("Tab");
  db.create_table("Zebra", "N");
  const Json good = several({put_request(with_pk("a"))});
  check_refused(db, "BatchWriteItem", batch({{"Tab", good}, {"Zzz", good}}), "Requested resource not found",
                "ResourceNotFoundException");
  check_refused(db, "BatchWriteItem", batch({{"Tab", good}, {"Zebra", good}}), no_match);
  check_refused(db, "BatchWriteItem",
                batch({{"Tab", good}, {"Zebra", several({put_text(R"({"pk": {"N": "bad"}})")})}}),
                "The parameter cannot be converted to a numeric value: bad");
  CHECK(db.get("Tab", with_pk("a")).is_null());
}

TEST_CASE("a write request says exactly one thing") {
  DynamoDb db;
  db.create_table("Tab");
  Json both = put_request(with_pk("a"));
  both.update(delete_request(with_pk("a")));
  check_refused(db, "BatchWriteItem", batch({{"Tab", several({both})}}));
  check_refused(db, "BatchWriteItem", batch({{"Tab", several({Json::object()})}}));
  check_refused(db, "BatchWriteItem", batch({{"Tab", several({{{"PutRequest", nullptr}}})}}));
  CHECK(db.get("Tab", with_pk("a")).is_null());
}

TEST_CASE("keys in BatchWriteItem do not match the schema, in puts too") {
  DynamoDb db;
  db.create_table("Tab", "S", "N");
  for (const char* key :
       {R"({"pk": {"S": "a"}})", R"({"sk": {"N": "1"}})", R"({"pk": {"S": "a"}, "sk": {"S": "1"}})",
        R"({"pk": {"M": {}}, "sk": {"N": "1"}})", "{}"}) {
    check_refused(db, "BatchWriteItem", one_put(key), no_match);
    check_refused(db, "BatchWriteItem", batch({{"Tab", several({delete_request(Json::parse(key))})}}),
                  no_match);
  }
  const Json more = Json::parse(R"({"pk": {"S": "a"}, "sk": {"N": "1"}, "x": {"S": "x"}})");
  check_refused(db, "BatchWriteItem", batch({{"Tab", several({delete_request(more)})}}), no_match);
  db.ok("BatchWriteItem", batch({{"Tab", several({put_request(more)})}}));
}

TEST_CASE("empty and over-long key values are refused in BatchWriteItem") {
  DynamoDb db;
  db.create_table("Tab");
  db.create_table("Bin", "B");
  const std::string empty =
      "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an "
      "empty ";
  for (const auto request : {&put_request, &delete_request}) {
    check_refused(db, "BatchWriteItem", batch({{"Tab", several({request(with_pk(""))})}}),
                  empty + "string value. Key: pk");
    check_refused(db, "BatchWriteItem",
                  batch({{"Bin", several({request(Json::parse(R"({"pk": {"B": ""}})"))})}}),
                  empty + "binary value. Key: pk");
    check_refused(db, "BatchWriteItem",
                  batch({{"Tab", several({request(with_pk(std::string(2049, 'x')))})}}));
    db.ok("BatchWriteItem", batch({{"Tab", several({request(with_pk(std::string(2048, 'x')))})}}));
  }
}

TEST_CASE("index keys are checked in BatchWriteItem with the sentences of puts") {
  DynamoDb db;
  make_indexed_table(db);
  Json item = indexed("a", 1, "");
  check_refused(
      db, "BatchWriteItem", batch({{"Tab", several({put_request(item)})}}),
      "One or more parameter values are not valid. A value specified for a secondary index key is not "
      "supported. The AttributeValue for a key attribute cannot contain an empty string value. "
      "IndexName: ggg, IndexKey: gk");
  item["gk"] = {{"N", "1"}};
  check_refused(db, "BatchWriteItem",
                batch({{"Tab", several({put_request(indexed("b", 1, "g")), put_request(item)})}}),
                invalid("Type mismatch for Index Key gk Expected: S Actual: N IndexName: ggg"));
  CHECK(index_entries(db, "ggg").empty());
}

TEST_CASE("an item over 400 KB refuses the whole BatchWriteItem") {
  DynamoDb db;
  db.create_table("Tab");
  const auto sized = [](std::size_t bytes) {  // pk takes 3 bytes, b 1 and its length
    return put_request({{"pk", {{"S", "b"}}}, {"b", {{"S", std::string(bytes - 4, 'x')}}}});
  };
  check_refused(db, "BatchWriteItem", batch({{"Tab", several({put_request(with_pk("a")), sized(409'601)})}}),
                "Item size has exceeded the maximum allowed size");
  CHECK(db.get("Tab", with_pk("a")).is_null());
  db.ok("BatchWriteItem", batch({{"Tab", several({put_request(with_pk("a")), sized(409'600)})}}));
}

TEST_CASE("items over 400 KB with different keys are not duplicates") {
  DynamoDb db;
  db.create_table("Tab", "N");
  const auto too_large = [](const char* pk) {  // the key follows what makes the item too large
    return put_request({{"b", {{"S", std::string(409'600, 'x')}}}, {"pk", {{"N", pk}}}});
  };
  check_refused(db, "BatchWriteItem", batch({{"Tab", several({too_large("1"), too_large("2e3")})}}),
                "Item size has exceeded the maximum allowed size");
  check_refused(db, "BatchWriteItem", batch({{"Tab", several({too_large("2000"), too_large("2e3")})}}),
                duplicates);
}

TEST_CASE("wrong values in BatchWriteItem are reported bare, in the older wording, before the table lookup") {
  DynamoDb db;
  const std::string not_number = "The parameter cannot be converted to a numeric value";
  std::string deep = R"({"S": "x"})";
  for (int i = 0; i < 32; ++i) deep = R"({"M": {"m": )" + deep + "}}";
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {R"({"N": "bad"})", not_number + ": bad"},
      {R"({"N": ""})", not_number},
      {R"({"N": "1e99999999999"})", not_number + ": 1e99999999999"},
      {R"({"N": "1e2147483647"})",
       "Number underflow. Attempting to store a number with magnitude smaller than supported range"},
      {R"({"N": "1E+126"})",
       "Number overflow. Attempting to store a number with magnitude larger than supported range"},
      {R"({"NS": []})", invalid("An number set  may not be empty")},
      {R"({"SS": ["b", "a", "b"]})", invalid("Input collection [b, a, b] contains duplicates.")},
      {R"({"SS": ["", "", "a"]})", invalid("Input collection [, , a] contains duplicates.")},
      {R"({"BS": ["/w==", "AA==", "AA=="]})",
       invalid("Input collection [/w==, AA==, AA==]of type BS contains duplicates.")},
      {R"({"NS": ["2", "1", "2.0"]})", "Input collection contains duplicates"},
      {R"({"NULL": false})", invalid("Null attribute value types must have the value of true")},
      {"{}", "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"},
      {deep,
       "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond "
       "supported limit"},
  };
  for (const auto& [value, message] : wrong) {
    const Json in_item = {{"pk", {{"S", "a"}}}, {"x", Json::parse(value)}};
    const Json in_key = {{"pk", Json::parse(value)}};
    check_refused(db, "BatchWriteItem", batch({{"Nowhere", several({put_request(in_item)})}}), message);
    check_refused(db, "BatchWriteItem", batch({{"Nowhere", several({delete_request(in_key)})}}), message);
  }
}

TEST_CASE("an element of BatchWriteItem is one put or one delete") {
  DynamoDb db;
  db.create_table("Tab");
  Json both = put_request(with_pk("a"));
  both.update(delete_request(with_pk("b")));
  for (const Json& element : {both, Json::object()}) {
    for (const char* table : {"Tab", "Nowhere"}) {
      const Json requests = several({put_request(with_pk("c")), element});
      CHECK(db.call("BatchWriteItem", batch({{table, requests}})).error() == "ValidationException");
    }
  }
  CHECK(db.get("Tab", with_pk("c")).is_null());
}

TEST_CASE("BatchWriteItem is charged as its single writes, summed per table") {
  DynamoDb db;
  make_indexed_table(db);
  db.create_table("Other");
  Json big = indexed("a", 2, "g");
  big["b"] = {{"S", std::string(2000, 'x')}};
  const auto write = [&](const char* wish) {
    return db
        .ok("BatchWriteItem", batch({{"Tab", several({put_request(indexed("a", 1, "g")), put_request(big)})},
                                     {"Other", several({delete_request(with_pk("none"))})}},
                                    {{"ReturnConsumedCapacity", wish}}))
        .value("ConsumedCapacity", Json());
  };
  const Json other = Json::parse(R"({"TableName": "Other", "CapacityUnits": 1.0})");
  CHECK(write("TOTAL") == Json::array({{{"TableName", "Tab"}, {"CapacityUnits", 3.0 + 3 + 2}}, other}));
  CHECK(write("NONE").is_null());
  // An item that is as the batch writes it costs the indexes nothing, one from elsewhere moves there.
  Json moved_big = big;
  moved_big["gk"] = {{"S", "moved"}};
  const auto check_arms = [&](const Json& small_before, const Json& big_before, double global, double local) {
    for (const Json& item : {small_before, big_before}) db.put("Tab", item);
    const Json tab = {{"TableName", "Tab"},
                      {"CapacityUnits", 3 + global + local},
                      {"Table", {{"CapacityUnits", 3.0}}},
                      {"GlobalSecondaryIndexes", {{"ggg", {{"CapacityUnits", global}}}}},
                      {"LocalSecondaryIndexes", {{"lll", {{"CapacityUnits", local}}}}}};
    CHECK(write("INDEXES") ==
          Json::array(
              {tab, {{"TableName", "Other"}, {"CapacityUnits", 1.0}, {"Table", {{"CapacityUnits", 1.0}}}}}));
  };
  check_arms(indexed("a", 1, "moved"), big, 2, 2);
  check_arms(indexed("a", 1, "g"), moved_big, 4, 2);
  check_arms(indexed("a", 1, "moved"), moved_big, 6, 4);
}

TEST_CASE("BatchWriteItem tells the collections it touched, each once, of tables with a local index") {
  DynamoDb db;
  make_indexed_table(db);
  db.create_table("Other");
  Json request =
      batch({{"Tab", several({put_request(indexed("a", 1, "g")), put_request(indexed("b", 1, "g")),
                              delete_request(Json::parse(R"({"pk": {"S": "a"}, "sk": {"N": "2"}})"))})},
             {"Other", several({put_request(with_pk("a"))})}},
            {{"ReturnItemCollectionMetrics", "SIZE"}});
  CHECK(db.ok("BatchWriteItem", request)["ItemCollectionMetrics"] == Json::parse(R"({"Tab": [
      {"ItemCollectionKey": {"pk": {"S": "a"}}, "SizeEstimateRangeGB": [0.0, 1.0]},
      {"ItemCollectionKey": {"pk": {"S": "b"}}, "SizeEstimateRangeGB": [0.0, 1.0]}]})"));
  request["ReturnItemCollectionMetrics"] = "NONE";
  CHECK_FALSE(db.ok("BatchWriteItem", request).contains("ItemCollectionMetrics"));
  request["ReturnItemCollectionMetrics"] = "SIZE";
  request["RequestItems"].erase("Tab");
  CHECK(db.ok("BatchWriteItem", request)["ItemCollectionMetrics"] == Json::object());
}

TEST_CASE("a write whose row cannot be had in time is left unprocessed, in request form") {
  for (const auto kind : {dinette::kv::ErrorKind::timed_out, dinette::kv::ErrorKind::conflict}) {
    Faulty faulty;
    faulty.db.create_table("Tab");
    faulty.db.create_table("Uuu");
    faulty.db.put("Uuu", with_pk("a"));
    const Json item = Json::parse(R"({"pk": {"S": "b"}, "x": {"N": "1.0"}})");
    Json request =
        batch({{"Tab", several({put_request(with_pk("a")), put_request(item), put_request(with_pk("c"))})},
               {"Uuu", several({delete_request(with_pk("a"))})}},
              {{"ReturnConsumedCapacity", "TOTAL"}});
    faulty.fail_commit(2, kind);
    Json reply = faulty.db.ok("BatchWriteItem", request);
    const Json rest = several({put_text(R"({"pk": {"S": "b"}, "x": {"N": "1"}})")});
    CHECK(reply["UnprocessedItems"] == Json{{"Tab", rest}});
    CHECK(reply["ConsumedCapacity"] == Json::parse(R"([{"TableName": "Tab", "CapacityUnits": 2.0},
                                                       {"TableName": "Uuu", "CapacityUnits": 1.0}])"));
    CHECK(faulty.db.get("Tab", with_pk("b")).is_null());
    CHECK(faulty.db.get("Tab", with_pk("c")) == with_pk("c"));
    faulty.db.put("Uuu", with_pk("a"));
    faulty.fail_commit(4, kind);
    reply = faulty.db.ok("BatchWriteItem", request);
    CHECK(reply["UnprocessedItems"] == Json{{"Uuu", several({delete_request(with_pk("a"))})}});
    request["RequestItems"] = reply["UnprocessedItems"];
    CHECK(faulty.db.ok("BatchWriteItem", request)["UnprocessedItems"] == Json::object());
    CHECK(faulty.db.get("Uuu", with_pk("a")).is_null());
  }
}

TEST_CASE("the writes of a batch share one deadline, however many there are") {
  Faulty faulty;
  faulty.db.create_table("Tab");
  faulty.db.create_table("Uuu");
  std::vector<dinette::kv::Deadline> deadlines;
  faulty.engine->before_transactions([&](dinette::kv::Deadline deadline) { deadlines.push_back(deadline); });
  faulty.db.ok("BatchWriteItem", batch({{"Tab", numbered_puts(20)}, {"Uuu", numbered_puts(5)}}));
  REQUIRE(deadlines.size() == 25);
  CHECK(std::ranges::count(deadlines, deadlines.front()) == 25);
}

TEST_CASE("when nothing at all could be written BatchWriteItem says that throughput is exceeded") {
  Faulty faulty;
  faulty.db.create_table("Tab");
  const Json request = batch({{"Tab", several({put_request(with_pk("a"))})}});
  faulty.fail_commit(1, dinette::kv::ErrorKind::timed_out);
  const Reply reply = faulty.db.call("BatchWriteItem", request);
  CHECK(reply.status == 400);
  CHECK(reply.error() == "ProvisionedThroughputExceededException");
  CHECK(reply.message() ==
        "The level of configured provisioned throughput for the table was exceeded. Consider increasing your "
        "provisioning level with the UpdateTable API.");
  CHECK(faulty.db.get("Tab", with_pk("a")).is_null());
  faulty.db.ok("BatchWriteItem", request);
}

TEST_CASE("a storage that fails makes BatchWriteItem an internal error") {
  Faulty faulty;
  faulty.db.create_table("Tab");
  const Json request = batch({{"Tab", numbered_puts(3)}});
  faulty.fail_commit(2, dinette::kv::ErrorKind::io);
  CHECK(faulty.db.call("BatchWriteItem", request).error() == "InternalServerError");
  REQUIRE(faulty.engine->plan().spent());
  CHECK(faulty.db.ok("BatchWriteItem", request) == Json{{"UnprocessedItems", Json::object()}});
}

TEST_CASE("writes of a batch that the engine decides twice count once") {
  Faulty faulty;
  make_indexed_table(faulty.db);
  faulty.engine->run_transactions_twice(true);
  const Json request =
      batch({{"Tab", several({put_request(indexed("a", 1, "g"))})}}, {{"ReturnConsumedCapacity", "TOTAL"}});
  CHECK(faulty.db.ok("BatchWriteItem", request)["ConsumedCapacity"][0]["CapacityUnits"] == 3.0);
  CHECK(faulty.db.ok("BatchWriteItem", request)["ConsumedCapacity"][0]["CapacityUnits"] == 1.0);
  CHECK(describe(faulty.db, "Tab")["ItemCount"] == 1);
}

}  // namespace test::batch_write_item_test
