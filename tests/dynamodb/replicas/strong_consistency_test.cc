#include <algorithm>
#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <future>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "dynamodb/replicas/region_clients.h"
#include "dynamodb/request/gate.h"
#include "support/append_history.h"
#include "support/random_seed.h"

// docs/service/global-tables.md section 1, MultiRegionConsistency.
namespace test::strong_consistency_test {
namespace {

const Json strong = {{"MultiRegionConsistency", "STRONG"}};

Json create_in(std::initializer_list<std::string_view> regions) {
  Json actions = Json::array();
  for (const std::string_view region : regions) actions.push_back({{"Create", {{"RegionName", region}}}});
  return with(replica_updates(actions), strong);
}

Json witness_in(std::string_view region) {
  return {{"GlobalTableWitnessUpdates", Json::array({{{"Create", {{"RegionName", region}}}}})}};
}

/// Does something else while a request is still under way.
class Interrupting final : public dinette::dynamodb::Gate {
 public:
  dinette::dynamodb::Answer<void> admit(const dinette::dynamodb::Context&, std::string_view) override {
    return {};
  }
  void charge(const dinette::dynamodb::Context&, std::string_view,
              const dinette::dynamodb::Charge&) override {
    if (const auto now = std::exchange(next, nullptr)) std::async(std::launch::async, now).get();
  }

  std::function<void()> next;
};

dinette::dynamodb::ServiceOptions refusing(Interrupting& gate) {
  dinette::dynamodb::ServiceOptions options;
  options.refuse_conflicts = true;
  options.gate = &gate;
  return options;
}

/// A table in three regions.
struct Strong : Regions {
  explicit Strong(dinette::dynamodb::ServiceOptions options = {}) : Regions(std::move(options)) {
    Regions::create(east);
    ok(east, "UpdateTable", create_in({ohio, west}));
    until([&] { return replicas(east) == Json{{ohio, "ACTIVE"}, {west, "ACTIVE"}}; });
  }
};

}  // namespace

TEST_CASE("a strongly consistent group is made whole, and says so") {
  Strong regions;
  for (const std::string_view region : {east, ohio, west}) {
    CHECK(regions.describe(region).at("MultiRegionConsistency") == "STRONG");
    CHECK(regions.replicas(region).size() == 2);
  }
}

TEST_CASE("a read sees each write in every region at once") {
  Strong regions;
  regions.put(west, song("a", "1"));
  for (const std::string_view region : {east, ohio, west}) CHECK(regions.get(region, "a") == song("a", "1"));
  regions.ok(ohio, "UpdateItem",
             {{"TableName", "Music"},
              {"Key", {{"pk", {{"S", "a"}}}}},
              {"UpdateExpression", "SET v = :v"},
              {"ConditionExpression", "v = :old"},
              {"ExpressionAttributeValues", {{":v", {{"S", "2"}}}, {":old", {{"S", "1"}}}}}});
  CHECK(regions.get(east, "a") == song("a", "2"));
  regions.erase(east, "a");
  for (const std::string_view region : {ohio, west}) CHECK(regions.get(region, "a").is_null());
  Json puts = Json::array();
  for (const char* const pk : {"c", "d"}) puts.push_back({{"PutRequest", {{"Item", song(pk, "batch")}}}});
  regions.ok(west, "BatchWriteItem", {{"RequestItems", {{"Music", puts}}}});
  CHECK(regions.items(east).size() == 2);
  CHECK(regions.records(east).size() == 5);
  CHECK(regions.records(ohio).size() == 5);
}

TEST_CASE("a write needs two of the three regions") {
  Strong regions;
  regions.cut(east, west);
  regions.put(east, song("a", "1"));
  CHECK(regions.get(west, "a") == song("a", "1"));
  regions.cut(east, ohio);
  const Reply reply = regions.call(east, "PutItem", {{"TableName", "Music"}, {"Item", song("a", "2")}});
  CHECK(reply.status == 500);
  CHECK(regions.get(ohio, "a") == song("a", "1"));
}

TEST_CASE("counters that all regions raise at once are linearizable") {
  constexpr int raises = 100;
  Strong regions;
  const std::string_view all[] = {east, ohio, west};
  const Json counter = {{"TableName", "Music"}, {"Key", {{"pk", {{"S", "counter"}}}}}};
  const auto number_in = [](const Reply& reply, const char* member) {
    return std::stoi(reply.json().at(member).at("n").at("N").get<std::string>());
  };
  std::vector<std::vector<int>> raised(3);
  std::vector<int> stale(3);
  const auto raise = [&](std::size_t own) {
    for (int i = 0; i < raises; ++i) {
      const Reply reply = regions.call(all[own], "UpdateItem",
                                       with(counter, {{"UpdateExpression", "ADD n :one"},
                                                      {"ExpressionAttributeValues", {{":one", {{"N", "1"}}}}},
                                                      {"ReturnValues", "UPDATED_NEW"}}));
      raised[own].push_back(number_in(reply, "Attributes"));
      const Reply elsewhere =
          regions.call(all[(own + 1) % 3], "GetItem", with(counter, {{"ConsistentRead", true}}));
      if (number_in(elsewhere, "Item") < raised[own].back()) ++stale[own];
    }
  };
  std::vector<std::thread> threads;
  for (std::size_t own = 0; own < 3; ++own) threads.emplace_back(raise, own);
  for (std::thread& thread : threads) thread.join();
  std::vector<int> together;
  for (const auto& of_region : raised) {
    CHECK(std::is_sorted(of_region.begin(), of_region.end()));
    together.insert(together.end(), of_region.begin(), of_region.end());
  }
  std::sort(together.begin(), together.end());
  std::vector<int> expected;
  for (int i = 1; i <= 3 * raises; ++i) expected.push_back(i);
  CHECK(together == expected);
  CHECK(stale == std::vector<int>(3));
}

TEST_CASE("a write conflicts with one of the same item in another region, if conflicts are refused") {
  Interrupting gate;
  Strong regions(refusing(gate));
  const auto put = [&](std::string_view region, std::string_view pk) {
    return regions.call(region, "PutItem", {{"TableName", "Music"}, {"Item", song(pk, region)}});
  };
  std::string same_item;
  std::string other_item;
  std::string same_region;
  gate.next = [&] {
    same_item = put(west, "a").error();
    other_item = put(west, "b").error();
    same_region = put(east, "a").error();
  };
  CHECK(put(east, "a").status == 200);
  CHECK(same_item == "ReplicatedWriteConflictException");
  CHECK(other_item.empty());
  CHECK(same_region.empty());
  CHECK(put(west, "a").status == 200);
}

TEST_CASE("transactions and time to live are refused") {
  Strong regions;
  const Json put = {{"Put", {{"TableName", "Music"}, {"Item", song("a", "1")}}}};
  CHECK(regions.call(east, "TransactWriteItems", {{"TransactItems", Json::array({put})}}).error() ==
        "ValidationException");
  const Json get = {{"Get", {{"TableName", "Music"}, {"Key", {{"pk", {{"S", "a"}}}}}}}};
  const std::string refused =
      "Transactions are not supported on global tables with MultiRegionConsistency set to STRONG.";
  regions.check_refused(east, "TransactGetItems", {{"TransactItems", Json::array({get})}}, refused);
  for (const char* const statement :
       {"SELECT * FROM \"Music\" WHERE \"pk\" = 'a'", "DELETE FROM \"Music\" WHERE \"pk\" = 'a'"}) {
    regions.check_refused(east, "ExecuteTransaction",
                          {{"TransactStatements", Json::array({{{"Statement", statement}}})}}, refused);
  }
  CHECK(regions
            .call(east, "UpdateTimeToLive",
                  {{"TableName", "Music"},
                   {"TimeToLiveSpecification", {{"Enabled", true}, {"AttributeName", "t"}}}})
            .error() == "ValidationException");
}

TEST_CASE("the regions of a strongly consistent group are checked") {
  Regions regions;
  regions.create(east);
  const std::string count =
      "Unsupported replica count for global tables with MultiRegionConsistency set to STRONG.";
  regions.check_refused(east, "UpdateTable", create_in({west}), count);
  regions.check_refused(
      east, "UpdateTable", create_in({ohio, "us-west-1"}),
      "Unsupported Region(s) specified for global tables with MultiRegionConsistency set to STRONG: "
      "[us-west-1].");
  regions.check_refused(
      east, "UpdateTable", with(replica_update("Create", west), witness_in(ohio)),
      "MultiRegionConsistency must be set as STRONG when GlobalTableWitnessUpdates parameter is present.");
  regions.check_refused(
      east, "UpdateTable", with(create_in({west}), witness_in(east)),
      "Cannot add a witness in the same region as an existing replica when creating a global table with "
      "MultiRegionConsistency set to STRONG.");
  regions.put(east, song("a", "1"));
  CHECK(regions.call(east, "UpdateTable", create_in({ohio, west})).error() == "ValidationException");
}

TEST_CASE("a table with time to live or local indexes does not become strongly consistent") {
  Regions regions;
  SECTION("time to live") {
    regions.create(east);
    regions.ok(
        east, "UpdateTimeToLive",
        {{"TableName", "Music"}, {"TimeToLiveSpecification", {{"Enabled", true}, {"AttributeName", "t"}}}});
    regions.check_refused(east, "UpdateTable", create_in({ohio, west}),
                          "Time to live is not supported with MultiRegionConsistency set to STRONG.");
  }
  SECTION("local indexes") {
    regions.create(east, {}, table_request("Music", "pk sk", "a", {local_index("ByA", "a")}));
    regions.check_refused(
        east, "UpdateTable", create_in({ohio, west}),
        "Local secondary indexes are not supported with MultiRegionConsistency set to STRONG.");
  }
}

TEST_CASE("a witness has no table") {
  Regions regions;
  regions.create(east);
  regions.ok(east, "UpdateTable", with(create_in({west}), witness_in(ohio)));
  regions.until([&] {
    const Json table = regions.describe(east);
    return table.contains("GlobalTableWitnesses") &&
           table.at("GlobalTableWitnesses").at(0).at("WitnessStatus") == "ACTIVE";
  });
  CHECK(regions.describe(east).at("GlobalTableWitnesses") ==
        Json::array({{{"RegionName", ohio}, {"WitnessStatus", "ACTIVE"}}}));
  CHECK(regions.describe(ohio).is_null());
  CHECK(regions.replicas(east) == Json{{west, "ACTIVE"}});
  regions.put(west, song("a", "1"));
  CHECK(regions.get(east, "a") == song("a", "1"));
}

TEST_CASE("a strongly consistent group neither grows nor loses one replica, but is dissolved whole") {
  Strong regions;
  regions.check_refused(east, "UpdateTable", replica_update("Create", ireland),
                        "Cannot add replicas to a global table with strong MultiRegionConsistency");
  regions.check_refused(east, "UpdateTable", replica_update("Delete", west),
                        "Deletion of only one table replica is not supported for global tables with "
                        "MultiRegionConsistency set to STRONG.");
  regions.check_refused(east, "UpdateTable", with(replica_update("Delete", west), strong),
                        "MultiRegionConsistency parameter is unsupported on existing global table");
  regions.put(west, song("a", "1"));
  regions.ok(east, "UpdateTable",
             replica_updates(
                 Json::array({{{"Delete", {{"RegionName", west}}}}, {{"Delete", {{"RegionName", ohio}}}}})));
  regions.until([&] { return regions.replicas(east).empty(); });
  CHECK(regions.describe(west).is_null());
  CHECK(regions.get(east, "a") == song("a", "1"));
}

namespace {

/// One of several clients, each in a region of its own, which notes what it does with lists that all share.
class ListClient {
 public:
  ListClient(Regions& regions, std::string_view region, std::atomic<std::int64_t>& time, int first_number)
      : regions_(regions), region_(region), time_(time), next_(first_number) {}

  void append(int list) {
    AppendTransaction transaction{.appends = {{list, next_}}};
    transaction.begin = time_++;
    const Reply reply =
        regions_.call(region_, "UpdateItem",
                      {{"TableName", "Music"},
                       {"Key", key_of(list)},
                       {"UpdateExpression", "SET l = list_append(if_not_exists(l, :none), :one)"},
                       {"ExpressionAttributeValues",
                        {{":none", {{"L", Json::array()}}},
                         {":one", {{"L", Json::array({{{"N", std::to_string(next_)}}})}}}}}});
    transaction.end = time_++;
    ++next_;
    transaction.committed = reply.status == 200;
    history.push_back(std::move(transaction));
  }

  void read(int list) {
    AppendTransaction transaction;
    transaction.begin = time_++;
    const Json item = regions_
                          .call(region_, "GetItem",
                                {{"TableName", "Music"}, {"Key", key_of(list)}, {"ConsistentRead", true}})
                          .json()
                          .value("Item", Json::object());
    transaction.end = time_++;
    std::vector<int> numbers;
    if (item.contains("l")) {
      for (const Json& one : item.at("l").at("L"))
        numbers.push_back(std::stoi(one.at("N").get<std::string>()));
    }
    transaction.reads.push_back({list, std::move(numbers)});
    history.push_back(std::move(transaction));
  }

  std::vector<AppendTransaction> history;

 private:
  static Json key_of(int list) { return {{"pk", {{"S", "list" + std::to_string(list)}}}}; }

  Regions& regions_;
  const std::string_view region_;
  std::atomic<std::int64_t>& time_;
  int next_;
};

}  // namespace

TEST_CASE("what clients in three regions read and write at once is linearizable") {
  constexpr int lists = 3;
  const std::uint64_t seed = dinette::test::random_seed();
  const int acts = dinette::test::rounds_of(200);
  Strong regions;
  std::atomic<std::int64_t> time = 0;
  std::deque<ListClient> clients;
  for (const std::string_view region : {east, ohio, west})
    clients.emplace_back(regions, region, time, static_cast<int>(clients.size()) * acts);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < clients.size(); ++i) {
    threads.emplace_back([&client = clients[i], random = std::mt19937_64(seed + i), acts]() mutable {
      for (int act = 0; act < acts; ++act) {
        const int list = static_cast<int>(random() % lists);
        if (random() % 2 == 0)
          client.append(list);
        else
          client.read(list);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int list = 0; list < lists; ++list) clients.front().read(list);
  std::vector<AppendTransaction> history;
  for (const ListClient& client : clients)
    history.insert(history.end(), client.history.begin(), client.history.end());
  CHECK(std::ranges::all_of(history, &AppendTransaction::committed));
  CHECK(find_anomaly(history) == std::nullopt);
}

}  // namespace test::strong_consistency_test
