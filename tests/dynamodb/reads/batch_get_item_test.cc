#include "dynamodb/batch.h"
#include "support/faulty_engine.h"

// docs/service/batch.md section 1, capacity.md section 4; values.md for the current wording, bare.
namespace test::batch_get_item_test {
namespace {

Json keys(std::initializer_list<std::string_view> pks) {
  Json list = Json::array();
  for (const std::string_view pk : pks) list.push_back(with_pk(pk));
  return list;
}

Json block(Json of_keys, const Json& more = Json::object()) {
  Json asked = {{"Keys", std::move(of_keys)}};
  asked.update(more);
  return asked;
}

Json one_block(const Json& more) {
  return batch({{"Tab", block(keys({"a"}), more)}});
}

/// Tables Tab with the items a and b, and Other with c.
void fill(DynamoDb& db) {
  db.create_table("Tab");
  db.create_table("Other");
  db.put("Tab", Json::parse(R"({"pk": {"S": "a"}, "x": {"N": "1"}, "y": {"S": "why"}})"));
  db.put("Tab", Json::parse(R"({"pk": {"S": "b"}, "x": {"N": "2"}})"));
  db.put("Other", Json::parse(R"({"pk": {"S": "c"}, "z": {"BOOL": true}})"));
}

}  // namespace

TEST_CASE(
    "BatchGetItem answers a list of items a table, in the order of the keys, without those that are not") {
  DynamoDb db;
  fill(db);
  const Json reply =
      db.ok("BatchGetItem", batch({{"Tab", block(keys({"b", "none", "a"}))}, {"Other", block(keys({"c"}))}}));
  CHECK(reply == Json::parse(R"({"Responses": {
      "Tab": [{"pk": {"S": "b"}, "x": {"N": "2"}}, {"pk": {"S": "a"}, "x": {"N": "1"}, "y": {"S": "why"}}],
      "Other": [{"pk": {"S": "c"}, "z": {"BOOL": true}}]}, "UnprocessedKeys": {}})"));
}

TEST_CASE("a table of which nothing was found has an empty list") {
  DynamoDb db;
  fill(db);
  const Json reply =
      db.ok("BatchGetItem", batch({{"Tab", block(keys({"x", "y"}))}, {"Other", block(keys({"c"}))}}));
  CHECK(reply["Responses"]["Tab"] == Json::array());
  CHECK(reply["Responses"]["Other"].size() == 1);
}

TEST_CASE("BatchGetItem projects table by table") {
  DynamoDb db;
  fill(db);
  const Json reply = db.ok(
      "BatchGetItem", batch({{"Tab", block(keys({"a", "b"}), {{"ProjectionExpression", "#y"},
                                                              {"ExpressionAttributeNames", {{"#y", "y"}}}})},
                             {"Other", block(keys({"c"}))}}));
  CHECK(reply["Responses"]["Tab"] == Json::parse(R"([{"y": {"S": "why"}}, {}])"));
  CHECK(reply["Responses"]["Other"] == Json::parse(R"([{"pk": {"S": "c"}, "z": {"BOOL": true}}])"));
}

TEST_CASE("BatchGetItem knows the legacy AttributesToGet") {
  DynamoDb db;
  fill(db);
  const Json reply =
      db.ok("BatchGetItem", batch({{"Tab", block(keys({"a", "b"}), {{"AttributesToGet", {"y", "pk"}}})}}));
  CHECK(reply["Responses"]["Tab"] ==
        Json::parse(R"([{"pk": {"S": "a"}, "y": {"S": "why"}}, {"pk": {"S": "b"}}])"));
}

TEST_CASE("BatchGetItem takes a table's ARN for its name, and answers with what it was given") {
  DynamoDb db;
  fill(db);
  const Json reply = db.ok(
      "BatchGetItem", batch({{arn_of("Tab"), block(keys({"b"}))}}, {{"ReturnConsumedCapacity", "TOTAL"}}));
  CHECK(reply["Responses"] == Json{{arn_of("Tab"), Json::parse(R"([{"pk": {"S": "b"}, "x": {"N": "2"}}])")}});
  CHECK(reply["ConsumedCapacity"][0]["TableName"] == arn_of("Tab"));
  const Json longest = batch({{arn_of(std::string(255, 'x')), block(keys({"b"}))}});
  check_refused(db, "BatchGetItem", longest, "Requested resource not found", "ResourceNotFoundException");
}

TEST_CASE("BatchGetItem reads a hundred keys over all tables and no more") {
  DynamoDb db;
  fill(db);
  db.ok("BatchGetItem", batch({{"Tab", block(numbered_keys(100))}}));
  db.ok("BatchGetItem", batch({{"Tab", block(numbered_keys(60))}, {"Other", block(numbered_keys(40))}}));
  check_refused(db, "BatchGetItem",
                batch({{"Tab", block(numbered_keys(60))}, {"Other", block(numbered_keys(41))}}),
                "Too many items requested for the BatchGetItem call");
}

TEST_CASE("BatchGetItem answers 16 MB and leaves the rest unprocessed, in request form", "[volume]") {
  // The API's reference: of a hundred items of 300 KB the service returns 52.
  DynamoDb db;
  db.create_table("Big");
  db.create_table("Rest");
  constexpr int items = 54;
  const std::string filler(300 * 1024 - 4, 'x');  // next to the names and a key of one digit
  for (int i = 1; i <= items; ++i) {
    const std::string pk = std::to_string(i);
    db.put("Big", {{"pk", {{"S", pk}}}, {"b", {{"S", filler.substr(pk.size() - 1)}}}});
  }
  const Json wishes = {{"ConsistentRead", true},
                       {"ProjectionExpression", "#b, pk"},
                       {"ExpressionAttributeNames", {{"#b", "b"}}}};
  const Json legacy = {{"ConsistentRead", false}};
  Json request =
      batch({{"Big", block(numbered_keys(items), wishes)}, {"Rest", block(numbered_keys(2), legacy)}},
            {{"ReturnConsumedCapacity", "TOTAL"}});
  Json reply = db.ok("BatchGetItem", request);
  CHECK(reply["Responses"]["Big"].size() == 52);
  CHECK(reply["Responses"]["Big"][51]["pk"]["S"] == "52");
  CHECK(reply["Responses"]["Rest"] == Json::array());
  CHECK(reply["ConsumedCapacity"] == Json::array({{{"TableName", "Big"}, {"CapacityUnits", 52.0 * 75}}}));
  CHECK(reply["UnprocessedKeys"] ==
        Json{{"Big", block(keys({"53", "54"}), wishes)}, {"Rest", block(numbered_keys(2), legacy)}});

  request["RequestItems"] = reply["UnprocessedKeys"];
  reply = db.ok("BatchGetItem", request);
  CHECK(reply["Responses"]["Big"].size() == 2);
  CHECK(reply["UnprocessedKeys"] == Json::object());

  const Json older = {{"ConsistentRead", true}, {"AttributesToGet", {"pk", "b"}}};
  reply = db.ok("BatchGetItem", batch({{"Big", block(numbered_keys(items), older)}}));
  CHECK(reply["Responses"]["Big"].size() == 52);
  CHECK(reply["UnprocessedKeys"] == Json{{"Big", block(keys({"53", "54"}), older)}});

  // What is not returned does not count.
  const Json small = {{"AttributesToGet", {"pk"}}};
  reply = db.ok("BatchGetItem", batch({{"Big", block(numbered_keys(items), small)}}));
  CHECK(reply["Responses"]["Big"].size() == items);
  CHECK(reply["UnprocessedKeys"] == Json::object());
}

// differences.md: a limit of our own.
TEST_CASE("BatchGetItem leaves the rest unprocessed when its text is longer than 30 MB", "[volume]") {
  DynamoDb db;
  db.create_table("Tab");
  std::string numbers = R"({"N":"1e125"})";
  for (int i = 1; i < 130'000; ++i) numbers += R"(,{"N":"1e125"})";
  for (const std::string pk : {"1", "2", "3", "4"}) {
    const Reply stored = db.call("PutItem", R"({"TableName":"Tab","Item":{"l":{"L":[)" + numbers +
                                                R"(]},"pk":{"S":")" + pk + R"("}}})");
    REQUIRE(stored.status == 200);
  }
  const std::string answer = db.call("BatchGetItem", batch({{"Tab", block(numbered_keys(4))}})).body;
  CHECK(answer.size() > 30 * 1000 * 1000);
  CHECK(answer.size() < 60 * 1000 * 1000);
  CHECK(answer.ends_with(
      R"("pk":{"S":"2"}}]},"UnprocessedKeys":{"Tab":{"Keys":[{"pk":{"S":"3"}},{"pk":{"S":"4"}}]}}})"));
}

TEST_CASE("BatchGetItem is charged key by key, missing ones too, summed per table") {
  DynamoDb db;
  fill(db);
  db.put("Tab", {{"pk", {{"S", "big"}}}, {"b", {{"S", std::string(4096, 'x')}}}});
  const auto capacity = [&](const Json& wish, bool consistent) {
    return db
        .ok("BatchGetItem",
            batch({{"Tab", block(keys({"a", "big", "none"}),
                                 {{"ConsistentRead", consistent}, {"ProjectionExpression", "pk"}})},
                   {"Other", block(keys({"c"}))}},
                  wish.is_null() ? Json::object() : Json{{"ReturnConsumedCapacity", wish}}))
        .value("ConsumedCapacity", Json());
  };
  const auto of = [](const char* table, double units) {
    return Json{{"TableName", table}, {"CapacityUnits", units}};
  };
  const auto with_arm = [&](const char* table, double units) {
    Json one = of(table, units);
    one["Table"] = {{"CapacityUnits", units}};
    return one;
  };
  CHECK(capacity("TOTAL", false) == Json::array({of("Tab", 2.0), of("Other", 0.5)}));
  CHECK(capacity("TOTAL", true) == Json::array({of("Tab", 4.0), of("Other", 0.5)}));
  CHECK(capacity("INDEXES", true) == Json::array({with_arm("Tab", 4.0), with_arm("Other", 0.5)}));
  CHECK(capacity("NONE", true).is_null());
  CHECK(capacity(nullptr, true).is_null());
}

TEST_CASE("BatchGetItem refuses a key that is given twice, by value") {
  DynamoDb db;
  db.create_table("Num", "N");
  fill(db);
  const std::string duplicates = "Provided list of item keys contains duplicates";
  check_refused(db, "BatchGetItem", batch({{"Tab", block(keys({"a", "b", "a"}))}}), duplicates);
  check_refused(db, "BatchGetItem",
                batch({{"Num", block(Json::parse(R"([{"pk": {"N": "1"}}, {"pk": {"N": "1.0"}}])"))}}),
                duplicates);
  check_refused(db, "BatchGetItem", batch({{"Missing", block(keys({"a", "a"}))}}), duplicates);
  check_refused(db, "BatchGetItem",
                batch({{"Tab", block(keys({"a", "b"}))}, {arn_of("Tab"), block(keys({"b"}))}}), duplicates);
  db.ok("BatchGetItem", batch({{"Tab", block(keys({"a"}))}, {"Other", block(keys({"a"}))}}));
}

TEST_CASE("one table that is not there refuses the whole BatchGetItem") {
  DynamoDb db;
  fill(db);
  check_refused(db, "BatchGetItem", batch({{"Tab", block(keys({"a"}))}, {"Nowhere", block(keys({"a"}))}}),
                "Requested resource not found", "ResourceNotFoundException");
}

TEST_CASE("one wrong key refuses the whole BatchGetItem") {
  DynamoDb db;
  fill(db);
  for (const char* key : {R"({"pk": {"N": "1"}})", R"({"pk": {"L": []}})", R"({"other": {"S": "a"}})",
                          R"({"pk": {"S": "a"}, "x": {"S": "a"}})", "{}"}) {
    check_refused(db, "BatchGetItem", batch({{"Tab", block(Json::array({with_pk("a"), Json::parse(key)}))}}),
                  "The provided key element does not match the schema");
  }
  check_refused(db, "BatchGetItem", batch({{"Tab", block(keys({"a", ""}))}}),
                "One or more parameter values are not valid. The AttributeValue for a key attribute cannot "
                "contain an empty string value. Key: pk");
  check_refused(db, "BatchGetItem", batch({{"Tab", block(keys({"a", std::string(2049, 'x')}))}}));
}

TEST_CASE(
    "wrong values in keys of BatchGetItem are reported bare, in the current wording, before the table "
    "lookup") {
  DynamoDb db;
  const std::string number = "The parameter cannot be converted to a numeric value: ";
  std::string deep = R"({"S": "x"})";
  for (int i = 0; i < 32; ++i) deep = R"({"L": [)" + deep + "]}";
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {R"({"N": "bad"})", number + "bad"},
      {R"({"N": ""})", number},
      {R"({"N": "1e2147483648"})",
       "Number overflow. Attempting to store a number with magnitude larger than supported range"},
      {R"({"SS": []})", invalid("An string set  may not be empty")},
      {R"({"SS": ["b", "a", "b"]})", invalid(R"(Input collection ["a", "b", "b"] contains duplicates.)")},
      {R"({"NS": ["1", "1.0"]})", invalid("Input collection contains duplicates.")},
      {R"({"BS": ["AA==", "AA=="]})",
       invalid(R"(Input collection ["AA==","AA=="]of type BS contains duplicates.)")},
      {R"({"NULL": false})", invalid("Null attribute value types must have the value of true")},
      {"{}", "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"},
      {deep,
       "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond "
       "supported limit"},
  };
  for (const auto& [value, message] : wrong) {
    const Json request = batch({{"Nowhere", block(Json::array({Json{{"pk", Json::parse(value)}}}))}});
    check_refused(db, "BatchGetItem", request, message);
  }
}

TEST_CASE("what is wrong with a block of BatchGetItem is reported bare, before the table lookup") {
  DynamoDb db;
  const auto refused = [&](const char* more, const std::string& message) {
    check_refused(db, "BatchGetItem", one_block(Json::parse(more)), message);
  };
  refused(R"({"AttributesToGet": ["x"], "ProjectionExpression": "x"})",
          "Can not use both expression and non-expression parameters in the same request: Non-expression "
          "parameters: {AttributesToGet} Expression parameters: {ProjectionExpression}");
  refused(R"({"ExpressionAttributeNames": {"#x": "x"}})",
          "ExpressionAttributeNames can only be specified when using expressions");
  refused(R"({"AttributesToGet": ["x"], "ExpressionAttributeNames": {"#x": "x"}})",
          "ExpressionAttributeNames can only be specified when using expressions");
  refused(R"({"ProjectionExpression": "x", "ExpressionAttributeNames": {}})",
          "ExpressionAttributeNames must not be empty");
  refused(R"({"ProjectionExpression": "x", "ExpressionAttributeNames": {"#u": "u"}})",
          "Value provided in ExpressionAttributeNames unused in expressions: keys: {#u}");
  refused(R"({"ProjectionExpression": ""})",
          "Invalid ProjectionExpression: The expression can not be empty;");
  refused(R"({"ProjectionExpression": "x, status"})",
          "Invalid ProjectionExpression: Attribute name is a reserved keyword; reserved keyword: status");
  refused(R"({"ProjectionExpression": "x, x.y"})",
          "Invalid ProjectionExpression: Two document paths overlap with each other; must remove or rewrite "
          "one of these paths; path one: [x], path two: [x, y]");
  refused(R"({"ProjectionExpression": "#x"})",
          "Invalid ProjectionExpression: An expression attribute name used in the document path is not "
          "defined; attribute name: #x");
}

TEST_CASE("one bad block refuses the whole BatchGetItem") {
  DynamoDb db;
  fill(db);
  check_refused(
      db, "BatchGetItem",
      batch({{"Tab", block(keys({"a"}))}, {"Other", block(keys({"c"}), {{"ProjectionExpression", ""}})}}),
      "Invalid ProjectionExpression: The expression can not be empty;");
}

TEST_CASE("names serve one block of BatchGetItem, not another") {
  DynamoDb db;
  fill(db);
  check_refused(db, "BatchGetItem",
                batch({{"Tab", block(keys({"a"}), {{"ProjectionExpression", "#x"},
                                                   {"ExpressionAttributeNames", {{"#x", "x"}}}})},
                       {"Other", block(keys({"c"}), {{"ProjectionExpression", "#x"}})}}),
                "Invalid ProjectionExpression: An expression attribute name used in the document path is not "
                "defined; attribute name: #x");
}

TEST_CASE("malformed AttributesToGet of BatchGetItem are refused before the table lookup") {
  DynamoDb db;
  check_refused(db, "BatchGetItem", one_block({{"AttributesToGet", {"A", "b", "A"}}}),
                invalid("Duplicate value in attribute name: A"));
  const Reply empty = db.call("BatchGetItem", one_block({{"AttributesToGet", Json::array()}}));
  CHECK(empty.error() == "ValidationException");
  CHECK_THAT(empty.message(), Catch::StartsWith("1 validation error detected: ") &&
                                  Catch::Contains("ttributesToGet") &&
                                  Catch::EndsWith("Member must have length greater than or equal to 1"));
}

TEST_CASE("AttributesToGet in one block excludes ProjectionExpression in another") {
  DynamoDb db;
  fill(db);
  check_refused(db, "BatchGetItem",
                batch({{"Tab", block(keys({"a"}), {{"AttributesToGet", {"x"}}})},
                       {"Other", block(keys({"c"}), {{"ProjectionExpression", "z"}})}}));
}

TEST_CASE("a storage that cannot be read makes BatchGetItem an internal error") {
  using dinette::test::EngineCall;
  auto* engine = new dinette::test::FaultyEngine(dinette::kv::make_memory_engine());
  DynamoDb db({}, std::unique_ptr<dinette::kv::Engine>(engine));
  fill(db);
  const Json request = batch({{"Tab", block(keys({"a", "b"}))}});
  db.ok("BatchGetItem", request);
  engine->plan().fail(EngineCall::get, 2, dinette::kv::ErrorKind::io);
  CHECK(db.call("BatchGetItem", request).error() == "InternalServerError");
  REQUIRE(engine->plan().spent());
  CHECK(db.ok("BatchGetItem", request)["Responses"]["Tab"].size() == 2);
}

}  // namespace test::batch_get_item_test
