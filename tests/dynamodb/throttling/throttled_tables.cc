#include "dynamodb/throttling/throttled_tables.h"

namespace test {

const std::string sentence_pt =
    "The level of configured provisioned throughput for the table was exceeded. Consider increasing your "
    "provisioning level with the UpdateTable API.";
const std::string sentence_pi =
    "The level of configured provisioned throughput for one or more global secondary indexes of the table "
    "was "
    "exceeded. Consider increasing your provisioning level for the under-provisioned global secondary "
    "indexes "
    "with the UpdateTable API";
const std::string sentence_ok =
    "Throughput exceeds the current capacity of your table or index. DynamoDB is automatically scaling your "
    "table or index so please try again shortly. If exceptions persist, check if you have a hot key: "
    "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html";
const std::string sentence_om =
    "Throughput exceeds the maximum OnDemandThroughput configured on table or index";
const std::string sentence_oi =
    "Throughput exceeds the current capacity for one or more global secondary indexes. DynamoDB is "
    "automatically scaling your index so please try again shortly.";

dinette::dynamodb::ServiceOptions Throttled::options() {
  dinette::dynamodb::ServiceOptions options;
  options.throttle = true;
  return options;
}

Json with_units(int read, int write, std::string_view name) {
  return with(provisioned(name), {{"ProvisionedThroughput", units(read, write)}});
}

Json with_index(int table, int index, std::string_view projection) {
  Json by_a = index_on("byA", Json::array({key("a", "HASH")}));
  by_a["ProvisionedThroughput"] = units(index, index);
  by_a["Projection"] = {{"ProjectionType", projection}};
  Json request = with_units(table, table);
  request["AttributeDefinitions"].push_back(attribute("a", "S"));
  request["GlobalSecondaryIndexes"] = Json::array({by_a});
  return request;
}

Json with_maxima(int table, int index) {
  const auto maxima = [](int units) {
    return Json{{"MaxReadRequestUnits", units}, {"MaxWriteRequestUnits", units}};
  };
  Json by_a = index_on("byA", Json::array({key("a", "HASH")}));
  if (index > 0) by_a["OnDemandThroughput"] = maxima(index);
  Json request = on_demand();
  if (table > 0) request["OnDemandThroughput"] = maxima(table);
  request["AttributeDefinitions"].push_back(attribute("a", "S"));
  request["GlobalSecondaryIndexes"] = Json::array({by_a});
  return request;
}

Json item_of(std::string_view pk, int units, const Json& more) {
  Json item = {{"pk", {{"S", pk}}}};
  std::size_t size = 2 + pk.size();
  for (const auto& [name, value] : more.items()) {
    item[name] = value;
    size += name.size() + value["S"].get<std::string>().size();
  }
  const std::size_t whole = 1024 * static_cast<std::size_t>(units);
  if (units > 1) item["x"] = {{"S", std::string(whole - size - 1, 'x')}};
  return item;
}

Reply put(DynamoDb& db, const Json& item, std::string_view table) {
  return db.call("PutItem", Json{{"TableName", table}, {"Item", item}});
}

Reply get(DynamoDb& db, std::string_view pk, bool consistent, std::string_view table) {
  return db.call("GetItem", Json{{"TableName", table}, {"Key", with_pk(pk)}, {"ConsistentRead", consistent}});
}

void drain(DynamoDb& db, std::string_view table) {
  REQUIRE(put(db, item_of("drain", 300), table).status == 200);
}

void check_throttled(const Reply& reply, const Refused& refused) {
  CHECK(reply.status == 400);
  const bool small = refused.error == throttling;
  const std::string prefix = small ? "com.amazon.coral.availability#" : "com.amazonaws.dynamodb.v20120810#";
  const std::string resource = "arn:aws:dynamodb:us-east-1:000000000000:" + refused.resource;
  CHECK(reply.json() == Json{{"__type", prefix + refused.error},
                             {"message", refused.text},
                             {small ? "throttlingReasons" : "ThrottlingReasons",
                              Json::array({{{"reason", refused.reason}, {"resource", resource}}})}});
}

void check_reason(const Reply& reply, std::string_view reason) {
  INFO(reply.body.substr(0, 400));
  const Json body = reply.json();
  const auto reasons = body.contains("throttlingReasons") ? body["throttlingReasons"]
                                                          : body.value("ThrottlingReasons", Json::array());
  REQUIRE(reasons.size() == 1);
  CHECK(reasons[0]["reason"] == reason);
}

}  // namespace test
