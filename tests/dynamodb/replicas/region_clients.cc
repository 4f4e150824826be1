#include "dynamodb/replicas/region_clients.h"

#include <algorithm>
#include <thread>
#include <utility>

namespace test {

using namespace dinette;

namespace {

dynamodb::ServiceOptions isolated(dynamodb::ServiceOptions options) {
  options.isolation.regions = true;
  return options;
}

Headers signed_in(std::string_view region) {
  return {{"Authorization", "AWS4-HMAC-SHA256 Credential=000000000000/20261010/" + std::string(region) +
                                "/dynamodb/aws4_request, SignedHeaders=host;x-amz-date, Signature=0"},
          {"X-Amz-Date", "20261010T120000Z"}};
}

Json key_of(std::string_view pk) {
  return {{"pk", {{"S", pk}}}};
}

}  // namespace

Regions::Regions(dynamodb::ServiceOptions options) : db(isolated(std::move(options))) {}

Reply Regions::call(std::string_view region, std::string_view operation, const Json& body) {
  return db.call(operation, body, signed_in(region));
}

Reply Regions::call_streams(std::string_view region, std::string_view operation, const Json& body) {
  Headers headers = signed_in(region);
  headers.emplace_back("X-Amz-Target", "DynamoDBStreams_20120810." + std::string(operation));
  return db.send("POST", "/", std::move(headers), body.dump());
}

Json Regions::ok(std::string_view region, std::string_view operation, const Json& body) {
  const Reply reply = call(region, operation, body);
  INFO(operation << " in " << region << ": " << reply.body);
  REQUIRE(reply.status == 200);
  return reply.json();
}

void Regions::check_refused(std::string_view region, std::string_view operation, const Json& request,
                            const std::string& message, std::string_view error) {
  const Reply reply = call(region, operation, request);
  INFO(request.dump());
  CHECK(reply.error() == error);
  CHECK(reply.message() == message);
}

void Regions::create(std::string_view region, const std::vector<std::string_view>& replicas,
                     const Json& table) {
  ok(region, "CreateTable", table);
  for (const std::string_view replica : replicas) add_replica(region, replica);
}

void Regions::add_replica(std::string_view region, std::string_view replica) {
  ok(region, "UpdateTable", replica_update("Create", replica));
  until([&] {
    const Json states = replicas(region);
    return states.contains(replica) && states.at(std::string(replica)) == "ACTIVE" &&
           describe(replica).at("TableStatus") == "ACTIVE";
  });
}

Json Regions::describe(std::string_view region, std::string_view table) {
  const Reply reply = call(region, "DescribeTable", {{"TableName", table}});
  return reply.status == 200 ? reply.json().at("Table") : Json();
}

Json Regions::replicas(std::string_view region) {
  const Json described = describe(region);
  Json states = Json::object();
  if (described.is_null() || !described.contains("Replicas")) return states;
  for (const Json& replica : described.at("Replicas"))
    states[replica.at("RegionName").get<std::string>()] = replica.at("ReplicaStatus");
  return states;
}

void Regions::put(std::string_view region, const Json& item) {
  ok(region, "PutItem", {{"TableName", "Music"}, {"Item", item}});
}

void Regions::erase(std::string_view region, std::string_view pk) {
  ok(region, "DeleteItem", {{"TableName", "Music"}, {"Key", key_of(pk)}});
}

Json Regions::get(std::string_view region, std::string_view pk) {
  const Json answer =
      ok(region, "GetItem", {{"TableName", "Music"}, {"Key", key_of(pk)}, {"ConsistentRead", true}});
  return answer.value("Item", Json());
}

Json Regions::items(std::string_view region) {
  Json items = Json::object();
  const Json page = ok(region, "Scan", {{"TableName", "Music"}, {"ConsistentRead", true}});
  for (const Json& item : page.at("Items")) items[item.at("pk").at("S").get<std::string>()] = item;
  return items;
}

std::vector<Json> Regions::records(std::string_view region) {
  std::vector<Json> records;
  const Json arn = describe(region).at("LatestStreamArn");
  const Json stream =
      call_streams(region, "DescribeStream", {{"StreamArn", arn}}).json().at("StreamDescription");
  for (const Json& shard : stream.at("Shards")) {
    Json next =
        call_streams(
            region, "GetShardIterator",
            {{"StreamArn", arn}, {"ShardId", shard.at("ShardId")}, {"ShardIteratorType", "TRIM_HORIZON"}})
            .json()
            .value("ShardIterator", Json());
    while (!next.is_null()) {
      const Json page = call_streams(region, "GetRecords", {{"ShardIterator", next}}).json();
      if (page.at("Records").empty()) break;
      for (const Json& record : page.at("Records")) records.push_back(record);
      next = page.value("NextShardIterator", Json());
    }
  }
  return records;
}

tenancy::World& Regions::world() {
  return *db.worlds().pick("").value();
}

std::vector<dynamodb::ReplicationState> Regions::states() {
  return dynamodb::replication_states(world()).value();
}

void Regions::cut(std::string_view one, std::string_view other) {
  tenancy::RegionSetting setting = world().links().setting();
  setting.cut.insert({std::string(one), std::string(other)});
  setting.cut.insert({std::string(other), std::string(one)});
  world().links().replace(std::move(setting));
}

void Regions::heal() {
  tenancy::RegionSetting setting = world().links().setting();
  setting.cut.clear();
  world().links().replace(std::move(setting));
  world().lanes().appended();
}

void Regions::skew(std::string_view region, std::chrono::microseconds time) {
  tenancy::RegionSetting setting = world().links().setting();
  setting.skews[std::string(region)] = time;
  world().links().replace(std::move(setting));
}

void Regions::pass_time(std::chrono::microseconds time) {
  db.clock().advance(time);
  db.jobs().run_due();
}

void Regions::until(const std::function<bool()>& holds) {
  while (!holds()) {
    db.jobs().run_due();  // which wake what waits for the clock
    std::this_thread::yield();
  }
}

void Regions::settle() {
  until([&] { return std::ranges::all_of(states(), [](const auto& state) { return state.pending == 0; }); });
}

Json replica_update(std::string_view action, std::string_view region, const Json& settings) {
  return replica_updates(Json::array({{{action, with({{"RegionName", region}}, settings)}}}));
}

Json replica_updates(const Json& actions) {
  return {{"TableName", "Music"}, {"ReplicaUpdates", actions}};
}

Json song(std::string_view pk, std::string_view v) {
  return {{"pk", {{"S", pk}}}, {"v", {{"S", v}}}};
}

}  // namespace test
