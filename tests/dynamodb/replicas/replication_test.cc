#include <algorithm>
#include <chrono>
#include <memory>
#include <string>

#include <catch2/catch.hpp>

#include "dinette/kv/memory.h"

#include "dynamodb/replicas/region_clients.h"

// docs/service/global-tables.md section 1.
namespace test::replication_test {

using namespace std::chrono_literals;

namespace {

dinette::dynamodb::ServiceOptions lagging(std::chrono::milliseconds lag) {
  dinette::dynamodb::ServiceOptions options;
  options.replication_lag.delay = dinette::tenancy::FaultDelay::always(lag);
  return options;
}

dinette::dynamodb::ReplicationState state_of(Regions& regions, std::string_view from, std::string_view to) {
  const auto states = regions.states();
  const auto found =
      std::ranges::find_if(states, [&](const auto& state) { return state.from == from && state.to == to; });
  REQUIRE(found != states.end());
  return *found;
}

Json names(const std::vector<Json>& records) {
  Json names = Json::array();
  for (const Json& record : records) names.push_back(record.at("eventName"));
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

TEST_CASE("writes and deletes of each region come to the others") {
  Regions regions;
  regions.create(east, {west});
  regions.put(east, song("a", "1"));
  regions.put(west, song("b", "2"));
  regions.settle();
  CHECK(regions.get(west, "a") == song("a", "1"));
  CHECK(regions.get(east, "b") == song("b", "2"));
  regions.erase(west, "a");
  regions.settle();
  CHECK(regions.get(east, "a").is_null());
}

TEST_CASE("the later of two writes wins in every region") {
  Regions regions;
  regions.create(east, {west});
  regions.cut(east, west);
  regions.put(east, song("a", "earlier"));
  regions.pass_time(1ms);
  regions.put(west, song("a", "later"));
  regions.heal();
  regions.settle();
  for (const std::string_view region : {east, west}) CHECK(regions.get(region, "a") == song("a", "later"));
  CHECK(state_of(regions, east, west).outdated == 1);
  CHECK(state_of(regions, west, east).applied == 1);
}

TEST_CASE("of two writes of one moment the one of the later name wins") {
  Regions regions;
  regions.create(east, {west});
  regions.cut(east, west);
  regions.put(west, song("a", "west"));
  regions.put(east, song("a", "east"));
  regions.heal();
  regions.settle();
  for (const std::string_view region : {east, west}) CHECK(regions.get(region, "a") == song("a", "west"));
}

TEST_CASE("a delete that is later than a write wins, and the item stays away") {
  Regions regions;
  regions.create(east, {west});
  regions.put(east, song("a", "1"));
  regions.settle();
  regions.cut(east, west);
  regions.put(west, song("a", "2"));
  regions.pass_time(1ms);
  regions.erase(east, "a");
  regions.heal();
  regions.settle();
  for (const std::string_view region : {east, west}) CHECK(regions.get(region, "a").is_null());
}

TEST_CASE("a region whose clock is ahead wins against later writes") {
  Regions regions;
  regions.create(east, {west});
  regions.skew(east, 1h);
  regions.cut(east, west);
  regions.put(east, song("a", "ahead"));
  regions.pass_time(1min);
  regions.put(west, song("a", "right"));
  regions.heal();
  regions.settle();
  for (const std::string_view region : {east, west}) CHECK(regions.get(region, "a") == song("a", "ahead"));
  // But not against a write that follows its own.
  regions.put(west, song("a", "after"));
  regions.settle();
  CHECK(regions.get(east, "a") == song("a", "after"));
}

TEST_CASE("a write that changes nothing neither replicates nor defeats a change from elsewhere") {
  Regions regions;
  regions.create(east, {west});
  regions.put(east, song("a", "1"));
  regions.settle();
  regions.cut(east, west);
  regions.put(west, song("a", "2"));
  regions.pass_time(1ms);
  regions.put(east, song("a", "1"));
  regions.erase(east, "none");
  CHECK(state_of(regions, east, west).pending == 0);
  regions.heal();
  regions.settle();
  CHECK(regions.get(east, "a") == song("a", "2"));
}

TEST_CASE("writes of one region are in the streams of both, once") {
  Regions regions;
  regions.create(east, {west});
  regions.put(east, song("a", "1"));
  regions.put(east, song("a", "2"));
  regions.put(west, song("b", "1"));
  regions.erase(east, "a");
  regions.settle();
  const Json expected = Json::array({"INSERT", "INSERT", "MODIFY", "REMOVE"});
  CHECK(names(regions.records(east)) == expected);
  CHECK(names(regions.records(west)) == expected);
  for (const Json& record : regions.records(west)) CHECK(record.at("awsRegion") == west);
}

TEST_CASE("a deletion by time to live shows the service in the stream of one region only") {
  Regions regions;
  regions.create(east, {west});
  regions.ok(
      east, "UpdateTimeToLive",
      {{"TableName", "Music"}, {"TimeToLiveSpecification", {{"Enabled", true}, {"AttributeName", "t"}}}});
  const auto now =
      std::chrono::duration_cast<std::chrono::seconds>(regions.db.clock().now().time_since_epoch());
  regions.put(west, with(song("a", "1"), {{"t", {{"N", std::to_string(now.count() + 10)}}}}));
  regions.settle();
  regions.pass_time(1min);
  regions.until([&] { return regions.get(east, "a").is_null(); });
  regions.settle();
  const auto deletion = [&](std::string_view region) {
    for (const Json& record : regions.records(region)) {
      if (record.at("eventName") == "REMOVE") return record;
    }
    return Json();
  };
  CHECK(deletion(west).at("userIdentity").at("Type") == "Service");
  CHECK_FALSE(deletion(east).is_null());
  CHECK_FALSE(deletion(east).contains("userIdentity"));
}

TEST_CASE("a transaction and a batch replicate item by item") {
  Regions regions;
  regions.create(east, {west});
  Json actions = Json::array();
  for (const char* const pk : {"a", "b"})
    actions.push_back({{"Put", {{"TableName", "Music"}, {"Item", song(pk, "in a transaction")}}}});
  regions.ok(east, "TransactWriteItems", {{"TransactItems", actions}, {"ClientRequestToken", "once"}});
  Json puts = Json::array();
  for (const char* const pk : {"c", "d", "e"})
    puts.push_back({{"PutRequest", {{"Item", song(pk, "in a batch")}}}});
  regions.ok(west, "BatchWriteItem", {{"RequestItems", {{"Music", puts}}}});
  regions.settle();
  CHECK(regions.items(east).size() == 5);
  CHECK(regions.items(east) == regions.items(west));
}

TEST_CASE("changes come after the lag, by the world's clock") {
  Regions regions(lagging(2s));
  regions.create(east, {west});
  regions.put(east, song("a", "1"));
  CHECK(state_of(regions, east, west).pending == 1);
  regions.pass_time(1s);
  CHECK(state_of(regions, east, west).behind == std::optional<std::chrono::microseconds>(1s));
  CHECK(regions.get(west, "a").is_null());
  regions.pass_time(1s);
  regions.settle();
  CHECK(regions.get(west, "a") == song("a", "1"));
}

TEST_CASE("a link that is cut carries nothing until it is healed") {
  Regions regions;
  regions.create(east, {west, ireland});
  regions.cut(east, west);
  regions.put(east, song("a", "1"));
  regions.until([&] { return state_of(regions, east, ireland).pending == 0; });
  CHECK(regions.get(ireland, "a") == song("a", "1"));
  CHECK(regions.get(west, "a").is_null());
  CHECK(state_of(regions, east, west).cut);
  CHECK(state_of(regions, east, west).pending == 1);
  regions.heal();
  regions.settle();
  CHECK(regions.get(west, "a") == song("a", "1"));
}

TEST_CASE("a fork goes on with what was on its way") {
  Regions regions;
  regions.create(east, {west});
  regions.cut(east, west);
  regions.put(east, song("a", "1"));
  auto& worlds = regions.db.worlds();
  REQUIRE(worlds.fork("", "fork"));
  const auto fork = worlds.find("fork");
  REQUIRE(fork);
  const auto pending = [&] {
    std::uint64_t count = 0;
    const auto states = dinette::dynamodb::replication_states(*fork).value();
    for (const auto& state : states) count += state.pending;
    return count;
  };
  regions.until([&] {
    fork->jobs().run_due();
    return pending() == 0;
  });
  CHECK(state_of(regions, east, west).pending == 1);
  regions.heal();
  regions.settle();
}

TEST_CASE("a table that is restored from a replica has none") {
  Regions regions;
  regions.create(east, {west});
  regions.put(east, song("a", "1"));
  const Json backup = regions.ok(east, "CreateBackup", {{"TableName", "Music"}, {"BackupName", "mine"}});
  regions.until([&] {
    return regions.ok(east, "DescribeBackup", {{"BackupArn", backup.at("BackupDetails").at("BackupArn")}})
               .at("BackupDescription")
               .at("BackupDetails")
               .at("BackupStatus") == "AVAILABLE";
  });
  regions.ok(east, "RestoreTableFromBackup",
             {{"TargetTableName", "Restored"}, {"BackupArn", backup.at("BackupDetails").at("BackupArn")}});
  regions.until([&] { return regions.describe(east, "Restored").at("TableStatus") == "ACTIVE"; });
  CHECK_FALSE(regions.describe(east, "Restored").contains("Replicas"));
  CHECK(regions.describe(west, "Restored").is_null());
}

// docs/service/vector-search.md, "Elsewhere".
TEST_CASE("every region has the vector indexes of the table, fills them and answers by itself") {
  const auto index = [](const std::string& name) {
    return Json{{"IndexName", name},
                {"VectorAttribute", {{"AttributeName", "e"}}},
                {"Dimensions", 1},
                {"DistanceFunction", "EUCLIDEAN"},
                {"Projection", keys_only()}};
  };
  const auto item = [](std::string_view pk, std::string_view x) {
    return Json{{"pk", {{"S", pk}}}, {"e", {{"L", Json::array({{{"N", x}}})}}}};
  };
  Regions regions;
  regions.create(east, {}, with(on_demand(), {{"VectorIndexes", Json::array({index("first")})}}));
  regions.put(east, item("a", "1"));
  regions.add_replica(east, west);
  regions.put(west, item("b", "2"));
  regions.settle();
  const auto found = [&](std::string_view region, std::string_view name) {
    const Json answer = regions.ok(region, "SearchVectors",
                                   {{"TableName", "Music"},
                                    {"IndexName", name},
                                    {"SearchVector", Json::array({{{"N", "0"}}})},
                                    {"TopK", 9}});
    std::string keys;
    for (const Json& result : answer.at("SearchResults"))
      keys += result.at("Item").at("pk").at("S").get<std::string>();
    return keys;
  };
  for (const std::string_view region : {east, west}) CHECK(found(region, "first") == "ab");
  regions.ok(west, "UpdateTable",
             {{"TableName", "Music"}, {"VectorIndexUpdates", Json::array({{{"Create", index("second")}}})}});
  for (const std::string_view region : {east, west}) {
    regions.until([&] {
      const Json indexes = regions.describe(region).at("VectorIndexes");
      return indexes.size() == 2 && indexes.at(1).at("IndexStatus") == "ACTIVE";
    });
    CHECK(found(region, "second") == "ab");
  }
  regions.ok(east, "UpdateTable",
             {{"TableName", "Music"},
              {"VectorIndexUpdates", Json::array({{{"Delete", {{"IndexName", "first"}}}}})}});
  regions.until([&] { return regions.describe(west).at("VectorIndexes").size() == 1; });
}

TEST_CASE("a replica is restored as it was in its region at a moment, as a table without replicas") {
  Regions regions;
  regions.create(east, {west});
  regions.ok(
      west, "UpdateContinuousBackups",
      {{"TableName", "Music"}, {"PointInTimeRecoverySpecification", {{"PointInTimeRecoveryEnabled", true}}}});
  regions.put(east, song("a", "1"));
  regions.settle();
  regions.pass_time(10min);
  const std::chrono::duration<double> moment = regions.db.clock().now().time_since_epoch();
  regions.pass_time(10min);
  regions.put(east, song("a", "2"));
  regions.put(west, song("b", "3"));
  regions.settle();
  regions.pass_time(10min);
  regions.ok(
      west, "RestoreTableToPointInTime",
      {{"SourceTableName", "Music"}, {"TargetTableName", "Past"}, {"RestoreDateTime", moment.count()}});
  regions.until([&] { return regions.describe(west, "Past").at("TableStatus") == "ACTIVE"; });
  CHECK(regions.ok(west, "Scan", {{"TableName", "Past"}}).at("Items") == Json::array({song("a", "1")}));
  CHECK_FALSE(regions.describe(west, "Past").contains("Replicas"));
  CHECK(regions.describe(east, "Past").is_null());
  CHECK(regions.get(west, "a") == song("a", "2"));
}

}  // namespace test::replication_test
