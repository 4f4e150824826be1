#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "dynamodb/vectors/vectors.h"

// docs/service/vector-search.md, "Writes to a vector-indexed table" and "Capacity".
namespace test::vector_writes_test {
namespace {

const std::string wrong = "One or more parameter values were invalid. ";

void put_refused(DynamoDb& db, const Json& item, const std::string& message) {
  INFO(item.dump());
  check_refused(db, "PutItem", {{"TableName", "Music"}, {"Item", item}}, message);
}

Json put_of(const Json& item) {
  return {{"TableName", "Music"}, {"Item", item}};
}

Json embedding(Json elements) {
  return {{"pk", {{"S", "a"}}}, {"embedding", std::move(elements)}};
}

Json capacity(DynamoDb& db, std::string_view operation, const Json& request) {
  return db.ok(operation, with(request, {{"ReturnConsumedCapacity", "INDEXES"}})).at("ConsumedCapacity");
}

Json written(std::int64_t bytes) {
  return {{"VectorWriteRequestBytes", bytes}};
}

std::vector<std::string> tenants(DynamoDb& db, const std::string& tenant) {
  return found_keys(
      db.ok("SearchVectors", search_request("plain", {"1", "2", "3"},
                                            {{"SearchConditionExpression", "tenant = :t"},
                                             {"ExpressionAttributeValues", {{":t", {{"S", tenant}}}}}})));
}

using Keys = std::vector<std::string>;

}  // namespace

TEST_CASE("vector writes: vectors that no index takes") {
  DynamoDb db;
  create_with_vectors(db, {vector_index("plain"), vector_index("zzz")});
  put_refused(db, item_with("a", {"1", "2"}),
              wrong + "Invalid size for parameter embedding, Expected: 3, Actual: 2 IndexName: plain");
  put_refused(
      db, embedding({{"L", Json::array({{{"N", "1"}}, {{"S", "2"}}, {{"N", "3"}}})}}),
      wrong +
          "Invalid type for parameter embedding[1], Expected: 32-bit floating point number, Actual: S. "
          "IndexName: plain");
  for (const auto& [sent, printed] : {std::pair<std::string, std::string>{"3.5E38", "3.5E+38"},
                                      {"1E+39", "1E+39"},
                                      {"-12345e40", "-1.2345E+44"}}) {
    put_refused(db, item_with("a", {"1", sent, "3"}),
                wrong + "Invalid value for parameter embedding[1], Value: " + printed +
                    " is outside valid range [-3.4028235E38, 3.4028235E38]. IndexName: plain");
  }
  for (const Json& other : {Json{{"N", "1"}}, Json{{"NS", {"1", "2", "3"}}}, Json{{"S", "x"}}}) {
    put_refused(db, embedding(other),
                wrong +
                    "Invalid type for parameter embedding, Expected: 32-bit floating point number list "
                    "IndexName: plain");
  }
  db.put("Music", item_with("a", {"3.4028235E38", "-3.4028235E38", "1E-130"}));
  db.put("Music", {{"pk", {{"S", "b"}}}});
  CHECK(describe(db).at("VectorIndexes").at(0).at("ItemCount") == 1);
}

TEST_CASE("vector writes: attributes of a search schema, also without a vector") {
  DynamoDb db;
  create_with_vectors(
      db, {vector_index("plain", {{"SearchSchema", search_schema("tenant:HASH color:INLINE_FILTER")}})},
      "tenant color");
  const auto item = [](const Json& others) { return with({{"pk", {{"S", "a"}}}}, others); };
  put_refused(db, item({{"tenant", {{"N", "1"}}}}),
              wrong + "Attribute 'tenant' type mismatch. Expected: S, Actual: N. IndexName: plain");
  put_refused(db, item({{"color", {{"BOOL", true}}}}),
              wrong + "Attribute 'color' type mismatch. Expected: S, Actual: BOOL. IndexName: plain");
  put_refused(
      db, item({{"tenant", {{"S", ""}}}}),
      "One or more parameter values are not valid. A value specified for a secondary index key is not "
      "supported. The AttributeValue for a key attribute cannot contain an empty string value. "
      "IndexName: plain, IndexKey: tenant");
  put_refused(db, item({{"tenant", {{"S", std::string(2049, 't')}}}}),
              invalid("Aggregate size for HASH key attributes exceeds the maximum of 2048 bytes"));
  put_refused(db, item({{"color", {{"S", std::string(10'241, 'c')}}}}),
              invalid("Size limit exceeded for SearchSchema attribute 'color': maximum 10240 bytes"));
  db.put("Music", item({{"color", {{"S", ""}}}}));
  db.put("Music",
         item({{"tenant", {{"S", std::string(2048, 't')}}}, {"color", {{"S", std::string(10'240, 'c')}}}}));
}

TEST_CASE("vector writes: binaries and numbers of a search schema") {
  DynamoDb db;
  create_with_vectors(
      db, {vector_index("plain", {{"SearchSchema", search_schema("tenant:HASH color:INLINE_FILTER")}})},
      "tenant:B color:B");
  const auto item = [](const Json& others) { return with({{"pk", {{"S", "a"}}}}, others); };
  const std::string longest = "AAAA";  // base64 of three bytes
  std::string encoded;
  for (int i = 0; i < 683; ++i) encoded += longest;  // 2049 bytes
  put_refused(
      db, item({{"tenant", {{"B", ""}}}}),
      "One or more parameter values are not valid. A value specified for a secondary index key is not "
      "supported. The AttributeValue for a key attribute cannot contain an empty binary value. "
      "IndexName: plain, IndexKey: tenant");
  put_refused(db, item({{"tenant", {{"B", encoded}}}}),
              invalid("Aggregate size for HASH key attributes exceeds the maximum of 2048 bytes"));
  db.put("Music", item({{"color", {{"B", ""}}}}));
  DynamoDb numbered;
  create_with_vectors(numbered, {vector_index("plain", {{"SearchSchema", search_schema("tenant:HASH")}})},
                      "tenant:N");
  numbered.put("Music", item_with("a", {"1", "2", "3"}, {{"tenant", {{"N", "0"}}}}));
  CHECK(describe(numbered).at("VectorIndexes").at(0).at("ItemCount") == 1);
}

TEST_CASE("vector writes: an item is in those indexes whose schemas it meets") {
  DynamoDb db;
  create_with_vectors(
      db,
      {vector_index("by_tenant", {{"SearchSchema", search_schema("tenant:HASH")}}), vector_index("plain")},
      "tenant");
  db.put("Music", item_with("a", {"1", "2", "3"}));
  const Json indexes = describe(db).at("VectorIndexes");
  CHECK(indexes.at(0).at("ItemCount") == 0);
  CHECK(indexes.at(1).at("ItemCount") == 1);
  CHECK(found_keys(db.ok("SearchVectors", search_request("plain", {"1", "2", "3"}))) == Keys{"a"});
}

TEST_CASE("vector writes: every operation refuses them") {
  DynamoDb db;
  create_with_vectors(db, {vector_index("plain")});
  const std::string size =
      wrong + "Invalid size for parameter embedding, Expected: 3, Actual: 2 IndexName: plain";
  const Json bad = item_with("bad", {"1", "2"});
  const Json good = item_with("good", {"1", "2", "3"});
  const auto put_in_batch = [](const Json& item) { return Json{{"PutRequest", {{"Item", item}}}}; };
  check_refused(db, "BatchWriteItem",
                {{"RequestItems", {{"Music", Json::array({put_in_batch(good), put_in_batch(bad)})}}}}, size);
  CHECK(describe(db).at("ItemCount") == 0);
  const Reply canceled =
      db.call("TransactWriteItems",
              {{"TransactItems", Json::array({{{"Put", put_of(good)}}, {{"Put", put_of(bad)}}})}});
  REQUIRE(canceled.error() == "TransactionCanceledException");
  CHECK(canceled.json().at("CancellationReasons") ==
        Json::array({{{"Code", "None"}}, {{"Code", "ValidationError"}, {"Message", size}}}));
  db.put("Music", good);
  const Json update = {{"TableName", "Music"}, {"Key", {{"pk", {{"S", "good"}}}}}};
  check_refused(db, "UpdateItem",
                with(update, {{"UpdateExpression", "SET embedding = :v"},
                              {"ExpressionAttributeValues", {{":v", vector_of({"1", "2"})}}}}),
                size);
  check_refused(db, "UpdateItem", with(update, {{"UpdateExpression", "REMOVE embedding[0]"}}), size);
  check_refused(db, "UpdateItem",
                with(update, {{"AttributeUpdates",
                               {{"embedding", {{"Action", "PUT"}, {"Value", vector_of({"1", "2"})}}}}}}),
                size);
  db.ok("UpdateItem", with(update, {{"UpdateExpression", "SET embedding[0] = :one"},
                                    {"ExpressionAttributeValues", {{":one", {{"N", "7"}}}}}}));
  check_refused(db, "UpdateItem",
                {{"TableName", "Music"},
                 {"Key", {{"pk", {{"S", "new"}}}}},
                 {"UpdateExpression", "SET embedding = if_not_exists(embedding, :v)"},
                 {"ExpressionAttributeValues", {{":v", vector_of({"1", "2"})}}}},
                size);
  check_refused(db, "ExecuteStatement",
                {{"Statement", R"(INSERT INTO "Music" VALUE {'pk': 'p', 'embedding': [1, 2]})"}}, size);
}

TEST_CASE("vector writes: entries come, move and go with what they are made of") {
  DynamoDb db;
  create_with_vectors(db, {vector_index("plain", {{"SearchSchema", search_schema("tenant:HASH")}})},
                      "tenant");
  const auto item = [](const std::string& tenant) {
    return item_with("a", {"1", "2", "3"}, {{"tenant", {{"S", tenant}}}});
  };
  db.put("Music", item("x"));
  CHECK(tenants(db, "x") == Keys{"a"});
  db.put("Music", item("y"));
  CHECK(tenants(db, "x").empty());
  CHECK(tenants(db, "y") == Keys{"a"});
  const Json update = {{"TableName", "Music"}, {"Key", {{"pk", {{"S", "a"}}}}}};
  db.ok("UpdateItem", with(update, {{"UpdateExpression", "REMOVE tenant"}}));
  CHECK(tenants(db, "y").empty());
  db.put("Music", item("y"));
  db.ok("UpdateItem", with(update, {{"UpdateExpression", "REMOVE embedding"}}));
  CHECK(tenants(db, "y").empty());
  CHECK(describe(db).at("VectorIndexes").at(0).at("IndexSizeBytes") == 0);
}

TEST_CASE("vector writes: what indexes cost is apart") {
  DynamoDb db;
  create_with_vectors(db, {vector_index("all"), vector_index("keys", {{"Projection", keys_only()}})});
  const Json item = item_with("a", {"1", "2", "3"}, {{"title", {{"S", std::string(2000, 't')}}}});
  // pk, a; title, 2000 bytes; embedding, three floats.
  constexpr int all = 2 + 1 + 5 + 2000 + 9 + 12;
  Json spent = capacity(db, "PutItem", put_of(item));
  CHECK(spent.at("VectorIndexes") == Json{{"all", written(all)}, {"keys", written(1024)}});
  CHECK(spent.at("CapacityUnits") == 2.0);
  CHECK(spent.at("Table") == Json{{"CapacityUnits", 2.0}});
  CHECK_FALSE(capacity(db, "PutItem", put_of(item)).contains("VectorIndexes"));
  const Json other = with(item, {{"title", {{"S", "short"}}}});
  CHECK(capacity(db, "PutItem", put_of(other)).at("VectorIndexes") == Json{{"all", written(all)}});
  CHECK_FALSE(db.ok("PutItem", with(put_of(item), {{"ReturnConsumedCapacity", "TOTAL"}}))
                  .at("ConsumedCapacity")
                  .contains("VectorIndexes"));
  CHECK_FALSE(capacity(db, "PutItem", put_of({{"pk", {{"S", "outside"}}}})).contains("VectorIndexes"));
  // The floats of both are the same.
  const Json same = with(item, {{"embedding", vector_of({"1.00000000001", "2", "3"})}});
  CHECK_FALSE(capacity(db, "PutItem", put_of(same)).contains("VectorIndexes"));
  CHECK(capacity(db, "DeleteItem", {{"TableName", "Music"}, {"Key", {{"pk", {{"S", "a"}}}}}})
            .at("VectorIndexes") == Json{{"all", written(all)}, {"keys", written(1024)}});
}

TEST_CASE("vector writes: a vector counts four bytes per dimension in every projection") {
  DynamoDb db;
  const Json keys = {{"Dimensions", 300}, {"Projection", keys_only()}};
  create_with_vectors(db, {vector_index("all", {{"Dimensions", 300}}), vector_index("keys", keys)});
  // pk, a; embedding. The list of numbers has many more, and the table is charged for it once.
  constexpr int entry = 2 + 1 + 9 + 1200;
  const Json item = item_with("a", std::vector<std::string>(300, "0.12345678901234567890123456789"));
  const Json spent = capacity(db, "PutItem", put_of(item));
  CHECK(spent.at("VectorIndexes") == Json{{"all", written(entry)}, {"keys", written(entry)}});
  CHECK(spent.at("CapacityUnits") == 2.0);
  for (std::size_t i = 0; i < 2; ++i)
    CHECK(describe(db).at("VectorIndexes").at(i).at("IndexSizeBytes") == entry);
}

TEST_CASE("vector writes: batches and transactions add up what indexes cost") {
  DynamoDb db;
  create_with_vectors(db, {vector_index("plain")});
  const std::string title(2000, 't');
  const auto item = [&](std::string_view pk) {
    return item_with(pk, {"1", "2", "3"}, {{"title", {{"S", title}}}});
  };
  constexpr int entry = 2 + 1 + 5 + 2000 + 9 + 12;
  const Json puts =
      Json::array({{{"PutRequest", {{"Item", item("a")}}}}, {{"PutRequest", {{"Item", item("b")}}}}});
  const Json batch = capacity(db, "BatchWriteItem", {{"RequestItems", {{"Music", puts}}}}).at(0);
  CHECK(batch.at("VectorIndexes") == Json{{"plain", written(2 * entry)}});
  CHECK(batch.at("CapacityUnits") == 4.0);
  const Json actions = Json::array({{{"Put", put_of(item("c"))}}, {{"Put", put_of(item("d"))}}});
  const Json spent = capacity(db, "TransactWriteItems", {{"TransactItems", actions}}).at(0);
  CHECK(spent.at("VectorIndexes") == Json{{"plain", written(2 * entry)}});
  CHECK(spent.at("WriteCapacityUnits") == 8.0);
}

TEST_CASE("vector writes: another HASH costs twice") {
  DynamoDb db;
  create_with_vectors(db, {vector_index("plain", {{"SearchSchema", search_schema("tenant:HASH")}})},
                      "tenant");
  const auto put = [&](const std::string& tenant) {
    return capacity(db, "PutItem", put_of(item_with("a", {"1", "2", "3"}, {{"tenant", {{"S", tenant}}}})));
  };
  CHECK(put("x").at("VectorIndexes") == Json{{"plain", written(1024)}});
  CHECK(put("y").at("VectorIndexes") == Json{{"plain", written(2048)}});
}

TEST_CASE("vector writes: the table is charged by floats, reads are not") {
  DynamoDb db;
  create_with_vectors(db, {vector_index("plain", {{"Dimensions", 200}})});
  const std::vector<std::string> long_numbers(200, "0.12345678901234567890123456789");
  const Json item = item_with("a", long_numbers);
  CHECK(capacity(db, "PutItem", put_of(item)).at("CapacityUnits") == 1.0);
  // 200 numbers of 17 bytes, each with one more, three of the list, names and key.
  const Json read = {{"TableName", "Music"}, {"Key", {{"pk", {{"S", "a"}}}}}, {"ConsistentRead", true}};
  CHECK(capacity(db, "GetItem", read).at("CapacityUnits") == 1.0);
  const Json wide = item_with("a", std::vector<std::string>(200, "0.1234567890123456789012345678901234567"));
  CHECK(capacity(db, "PutItem", put_of(wide)).at("CapacityUnits") == 1.0);
  CHECK(capacity(db, "GetItem", read).at("CapacityUnits") == 2.0);
  CHECK(capacity(db, "DeleteItem", {{"TableName", "Music"}, {"Key", {{"pk", {{"S", "a"}}}}}})
            .at("CapacityUnits") == 1.0);
}

}  // namespace test::vector_writes_test
