#include <atomic>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "dynamodb/transactions.h"
#include "support/append_history.h"
#include "support/random_seed.h"

// docs/service/transactions.md sections 1 and 7: all or nothing, serializable, and no request waits for ever.
namespace test::serializability_test {
namespace {

using Random = std::mt19937_64;

constexpr int thread_count = 4;
constexpr int list_count = 5;
const std::vector<std::string> tables = {"Tab", "Other"};

/// Runs `work(thread)` in each thread and waits for all.
template <class Work>
void in_threads(Work work) {
  std::vector<std::jthread> threads;
  for (int thread = 0; thread < thread_count; ++thread)
    threads.emplace_back([&work, thread] { work(thread); });
}

/// Lists are in turn in the one table and in the other one.
Json place_of(int list) {
  return {{"TableName", tables[static_cast<std::size_t>(list) % tables.size()]},
          {"Key", key_of("list" + std::to_string(list))}};
}

Json number(int value) {
  return {{"N", std::to_string(value)}};
}

Json append(int list, int value) {
  Json update = place_of(list);
  update["UpdateExpression"] = "SET l = list_append(if_not_exists(l, :none), :one)";
  update["ExpressionAttributeValues"] = {{":none", {{"L", Json::array()}}},
                                         {":one", {{"L", Json::array({number(value)})}}}};
  return update;
}

std::vector<int> numbers_of(const Json& item) {
  std::vector<int> numbers;
  if (item.contains("l")) {
    for (const Json& one : item["l"]["L"]) numbers.push_back(std::stoi(one["N"].get<std::string>()));
  }
  return numbers;
}

/// Makes a list be as it was read: a ConditionCheck, or the condition of an update.
void require_unchanged(Json& action, const std::vector<int>& read) {
  if (read.empty()) {
    action["ConditionExpression"] = "attribute_not_exists(l)";
    return;
  }
  Json list = Json::array();
  for (const int one : read) list.push_back(number(one));
  action["ConditionExpression"] = "l = :read";
  action["ExpressionAttributeValues"][":read"] = {{"L", list}};
}

/// One of several clients, which notes what it does.
class Client {
 public:
  Client(DynamoDb& db, std::atomic<std::int64_t>& time, std::uint64_t seed, int first_number)
      : db_(db), time_(time), random_(seed), next_(first_number) {}

  void act() {
    switch (random_() % 5) {
      case 0:
        return read_together();
      case 1:
        return append_together();
      case 2:
        return append_one();
      case 3:
        return read_one();
      default:
        return append_if_unchanged();
    }
  }

  std::vector<AppendTransaction> history;
  std::vector<std::string> unexpected;

 private:
  int some_list() { return static_cast<int>(random_() % list_count); }

  std::vector<int> some_lists() {
    std::vector<int> lists = {some_list()};
    while (lists.size() < 3) {
      const int list = some_list();
      if (std::ranges::find(lists, list) == lists.end()) lists.push_back(list);
    }
    return lists;
  }

  /// Sends the request, and notes `noted` with its times.
  Reply run(std::string_view operation, const Json& request, AppendTransaction noted) {
    noted.begin = time_++;
    Reply reply = db_.call(operation, request);
    noted.end = time_++;
    noted.committed = reply.status == 200;
    const bool refused = reply.error() == "TransactionCanceledException" &&
                         reply.body.find("ConditionalCheckFailed") != std::string::npos;
    if (!noted.committed && !refused) unexpected.push_back(reply.body);
    if (!noted.committed) noted.reads.clear();  // its conditions did not hold
    history.push_back(std::move(noted));
    return reply;
  }

  void read_together() {
    const std::vector<int> lists = some_lists();
    Json actions = Json::array();
    for (const int list : lists) actions.push_back({{"Get", place_of(list)}});
    const Json reply = run("TransactGetItems", {{"TransactItems", actions}}, {}).json();
    for (std::size_t i = 0; i < lists.size(); ++i)
      history.back().reads.push_back(
          {lists[i], numbers_of(reply["Responses"][i].value("Item", Json::object()))});
  }

  void append_together() {
    Json actions = Json::array();
    AppendTransaction noted;
    for (const int list : some_lists()) {
      noted.appends.push_back({list, next_++});
      actions.push_back({{"Update", append(list, noted.appends.back().number)}});
    }
    run("TransactWriteItems", {{"TransactItems", actions}}, noted);
  }

  void append_one() {
    AppendTransaction noted;
    noted.appends.push_back({some_list(), next_++});
    Json request = append(noted.appends[0].list, noted.appends[0].number);
    request["ReturnValues"] = "UPDATED_OLD";
    const Json reply = run("UpdateItem", request, noted).json();
    history.back().reads.push_back(
        {noted.appends[0].list, numbers_of(reply.value("Attributes", Json::object()))});
  }

  void read_one() {
    const int list = some_list();
    Json request = place_of(list);
    request["ConsistentRead"] = true;
    const Json reply = run("GetItem", request, {}).json();
    history.back().reads.push_back({list, numbers_of(reply.value("Item", Json::object()))});
  }

  /// What would be write skew if the lists that are only read could change meanwhile.
  void append_if_unchanged() {
    read_together();
    const std::vector<AppendTransaction::Read> reads = history.back().reads;
    AppendTransaction noted{.reads = reads};
    noted.appends.push_back({reads[0].list, next_++});
    Json update = append(reads[0].list, noted.appends[0].number);
    require_unchanged(update, reads[0].numbers);
    Json actions = Json::array({Json{{"Update", update}}});
    for (std::size_t i = 1; i < reads.size(); ++i) {
      Json check = place_of(reads[i].list);
      require_unchanged(check, reads[i].numbers);
      actions.push_back({{"ConditionCheck", check}});
    }
    run("TransactWriteItems", {{"TransactItems", actions}}, noted);
  }

  DynamoDb& db_;
  std::atomic<std::int64_t>& time_;
  Random random_;
  int next_;
};

/// A history that is fine: 1 and then 2 are appended to list 0, and read.
std::vector<AppendTransaction> fine() {
  return {{.begin = 0, .end = 1, .appends = {{0, 1}}},
          {.begin = 2, .end = 3, .appends = {{0, 2}}},
          {.begin = 4, .end = 5, .reads = {{0, {1, 2}}}}};
}

}  // namespace

TEST_CASE("The checker of histories finds planted anomalies") {
  CHECK_FALSE(find_anomaly(fine()));
  CHECK_FALSE(find_anomaly({}));

  auto aborted = fine();
  aborted[0].committed = false;
  CHECK(find_anomaly(aborted));

  auto disordered = fine();
  disordered.push_back({.begin = 4, .end = 5, .reads = {{0, {2}}}});
  CHECK(find_anomaly(disordered));

  auto stale = fine();
  stale.push_back({.begin = 4, .end = 5, .reads = {{0, {1}}}});
  CHECK(find_anomaly(stale));
  stale.back().begin = 1;  // it may have come before the second append
  CHECK_FALSE(find_anomaly(stale));

  const std::vector<AppendTransaction> lost_update = {
      {.begin = 0, .end = 9, .reads = {{0, {}}}, .appends = {{0, 1}}},
      {.begin = 0, .end = 9, .reads = {{0, {}}}, .appends = {{0, 2}}},
      {.begin = 10, .end = 11, .reads = {{0, {1, 2}}}}};
  CHECK(find_anomaly(lost_update));

  const std::vector<AppendTransaction> write_skew = {
      {.begin = 0, .end = 9, .reads = {{0, {}}}, .appends = {{1, 1}}},
      {.begin = 0, .end = 9, .reads = {{1, {}}}, .appends = {{0, 2}}},
      {.begin = 10, .end = 11, .reads = {{0, {2}}, {1, {1}}}}};
  CHECK(find_anomaly(write_skew));

  const std::vector<AppendTransaction> torn_read = {{.begin = 0, .end = 9, .appends = {{0, 1}, {1, 2}}},
                                                    {.begin = 0, .end = 9, .reads = {{0, {1}}, {1, {}}}},
                                                    {.begin = 10, .end = 11, .reads = {{0, {1}}, {1, {2}}}}};
  CHECK(find_anomaly(torn_read));
}

TEST_CASE("Concurrent transactions, single writes and reads of few items are serializable, and all end",
          "[long]") {
  const std::uint64_t seed = dinette::test::random_seed();
  for (int round = 0; round < dinette::test::rounds_of(10); ++round) {
    DynamoDb db;
    for (const std::string& table : tables) db.create_table(table);
    std::atomic<std::int64_t> time{0};
    std::vector<Client> clients;
    for (int i = 0; i < thread_count; ++i)
      clients.emplace_back(db, time, seed + static_cast<std::uint64_t>(round * thread_count + i),
                           1'000'000 * (i + 1));
    in_threads([&](int thread) {
      for (int i = 0; i < 60; ++i) clients[static_cast<std::size_t>(thread)].act();
    });
    std::vector<AppendTransaction> history;
    for (const Client& client : clients) {
      REQUIRE(client.unexpected == std::vector<std::string>());
      history.insert(history.end(), client.history.begin(), client.history.end());
    }
    for (int list = 0; list < list_count; ++list) {
      const std::int64_t now = time++;
      const Json place = place_of(list);
      history.push_back(
          {.begin = now,
           .end = now,
           .reads = {{list, numbers_of(db.get(std::string(place["TableName"]), place["Key"]))}}});
    }
    REQUIRE(find_anomaly(history).value_or("") == "");
  }
}

TEST_CASE("Amounts that move between items of several tables keep their sum in all transactional reads",
          "[long]") {
  constexpr int accounts = 6;
  constexpr int amount = 100;
  DynamoDb db;
  for (const std::string& table : tables) db.create_table(table);
  Json all = Json::array();
  for (int i = 0; i < accounts; ++i) {
    const Json place = place_of(i);
    Json item = place["Key"];
    item["n"] = number(amount);
    db.put(std::string(place["TableName"]), item);
    all.push_back({{"Get", place}});
  }
  std::atomic<int> wrong_sums{0};
  std::atomic<int> unexpected{0};
  std::atomic<int> moved{0};
  const std::uint64_t seed = dinette::test::random_seed();
  in_threads([&](int thread) {
    Random random(seed + static_cast<std::uint64_t>(thread));
    const auto change = [&](int account, int by) {
      Json update = place_of(account);
      update["UpdateExpression"] = "SET n = n + :by";
      update["ConditionExpression"] = "n >= :least";
      update["ExpressionAttributeValues"] = {{":by", number(by)},
                                             {":least", number(by < 0 ? -by : -1'000'000)}};
      return Json{{"Update", update}};
    };
    for (int i = 0; i < dinette::test::rounds_of(1'000); ++i) {
      const int from = static_cast<int>(random() % accounts);
      const int to = (from + 1 + static_cast<int>(random() % (accounts - 1))) % accounts;
      const int by = 1 + static_cast<int>(random() % 80);
      const Reply reply = db.call("TransactWriteItems",
                                  Json{{"TransactItems", Json::array({change(from, -by), change(to, by)})}});
      if (reply.status == 200) ++moved;
      if (reply.status != 200 && reply.error() != "TransactionCanceledException") ++unexpected;
      int sum = 0;
      const Json seen = db.call("TransactGetItems", Json{{"TransactItems", all}}).json();
      for (const Json& got : seen["Responses"]) sum += std::stoi(got["Item"]["n"]["N"].get<std::string>());
      if (sum != accounts * amount) ++wrong_sums;
    }
  });
  CHECK(wrong_sums == 0);
  CHECK(unexpected == 0);
  CHECK(moved > 0);
}

}  // namespace test::serializability_test
