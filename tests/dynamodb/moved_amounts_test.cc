#include <atomic>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "dynamodb/batch.h"
#include "dynamodb/concurrent_clients.h"
#include "support/random_seed.h"

// docs/service/transactions.md sections 1 and 7. Accounts hold amounts in two pockets, `n` and `m`; clients
// move them in every way there is, and the sum of all stays what it was in whatever a transaction reads.
namespace test::moved_amounts_test {
namespace {

constexpr int thread_count = 4;
constexpr int shared_accounts = 6;
constexpr int accounts = shared_accounts + thread_count;  // each client has one that no other one writes
constexpr int amount = 100;

struct Counts {
  std::atomic<int> moved{0};
  std::atomic<int> unexpected{0};
  std::atomic<int> wrong_sums{0};
};

Json account(int number_of_it, int n, int m) {
  return {{"pk", {{"S", name_of(number_of_it)}}}, {"n", number(n)}, {"m", number(m)}};
}

int value_of(const Json& item, const char* pocket) {
  return std::stoi(item[pocket]["N"].get<std::string>());
}

std::string changed_by(std::string_view pocket, int by) {
  std::string name(pocket);
  return name + " = " + name + (by < 0 ? " - " : " + ") + std::to_string(by < 0 ? -by : by);
}

/// Statements have no other way to say that what is taken must be there.
std::string if_it_is_there(std::string_view pocket, int by) {
  return by < 0 ? " AND " + std::string(pocket) + " >= " + std::to_string(-by) : "";
}

class Client {
 public:
  Client(DynamoDb& db, int thread, std::uint64_t seed, Counts& counts)
      : db_(db),
        own_(shared_accounts + thread),
        random_(seed + static_cast<std::uint64_t>(thread)),
        counts_(counts) {}

  void act() {
    const int by = 1 + static_cast<int>(random_() % 80);
    switch (random_() % 4) {
      case 0: {
        const int from = some_account();
        move(from, (from + 1 + some_account() % (shared_accounts - 1)) % shared_accounts, by);
        break;
      }
      case 1:
        move_between_pockets(some_account(), by);
        break;
      case 2:
        move_own(by);
        break;
      default:
        put_own();
    }
    check_sum();
  }

  int own_amount() const { return own_amount_; }
  int own() const { return own_; }

 private:
  int some_account() { return static_cast<int>(random_() % shared_accounts); }
  bool perhaps() { return random_() % 2 == 0; }

  /// Returns true if the request succeeded; a condition or a conflict may be in its way.
  bool note(const Reply& reply) {
    if (reply.status == 200) ++counts_.moved;
    if (reply.status != 200 && !is_condition_failure(reply) && !is_conflict(reply)) ++counts_.unexpected;
    return reply.status == 200;
  }

  /// From account to account, by a transaction.
  bool move(int from, int to, int by) {
    Json actions = Json::array();
    Json statements = Json::array();
    for (const auto& [place, change] : {std::pair(from, -by), std::pair(to, by)}) {
      Json update = place_of(place);
      update["UpdateExpression"] = "SET n = n + :by";
      update["ConditionExpression"] = "n >= :least";
      update["ExpressionAttributeValues"] = {{":by", number(change)},
                                             {":least", number(change < 0 ? -change : -1'000'000)}};
      actions.push_back({{"Update", update}});
      statements.push_back({{"Statement", statement_about(place, "UPDATE", "SET " + changed_by("n", change),
                                                          if_it_is_there("n", change))}});
    }
    return note(perhaps() ? db_.call("TransactWriteItems", Json{{"TransactItems", actions}})
                          : db_.call("ExecuteTransaction", Json{{"TransactStatements", statements}}));
  }

  /// Within an account, by a single write under a condition.
  void move_between_pockets(int place, int by) {
    const bool there = perhaps();
    const std::string from = there ? "n" : "m";
    const std::string to = there ? "m" : "n";
    if (perhaps()) {
      const std::string sets = "SET " + changed_by(from, -by) + " SET " + changed_by(to, by);
      note(db_.call("ExecuteStatement",
                    Json{{"Statement", statement_about(place, "UPDATE", sets, if_it_is_there(from, -by))}}));
      return;
    }
    Json update = place_of(place);
    update["UpdateExpression"] = "SET " + from + " = " + from + " - :by, " + to + " = " + to + " + :by";
    update["ConditionExpression"] = from + " >= :by";
    update["ExpressionAttributeValues"] = {{":by", number(by)}};
    note(db_.call("UpdateItem", update));
  }

  /// To the client's own account or from it.
  void move_own(int by) {
    if (perhaps() && move(own_, some_account(), by)) own_amount_ -= by;
    if (perhaps() && move(some_account(), own_, by)) own_amount_ += by;
  }

  /// Puts the own account as it is, with others that hold nothing.
  void put_own() {
    const Json requests = {
        {table_of(own_), {put_request(account(own_, own_amount_, 0)), put_request(with_pk("bystander"))}},
        {table_of(own_ + 1), Json::array({delete_request(with_pk("bystander"))})}};
    note(db_.call("BatchWriteItem", batch(requests)));
  }

  void check_sum() {
    std::vector<int> all;
    for (int i = 0; i < accounts; ++i) all.push_back(i);
    const Reply reply = read_together(db_, all, perhaps());
    if (!note(reply)) return;
    int sum = 0;
    const Json answer = reply.json();
    for (const Json& got : answer["Responses"])
      sum += value_of(got["Item"], "n") + value_of(got["Item"], "m");
    if (sum != accounts * amount) ++counts_.wrong_sums;
  }

  DynamoDb& db_;
  const int own_;
  std::mt19937_64 random_;
  Counts& counts_;
  int own_amount_ = amount;
};

}  // namespace

TEST_CASE("amounts that move between items of several tables keep their sum in all transactional reads",
          "[long]") {
  const bool refuses = GENERATE(false, true);
  DynamoDb db(with_conflicts(refuses));
  for (const std::string& table : shared_tables) db.create_table(table);
  for (int i = 0; i < accounts; ++i) db.put(table_of(i), account(i, amount, 0));
  Counts counts;
  const std::uint64_t seed = dinette::test::random_seed();
  std::vector<Client> clients;
  for (int thread = 0; thread < thread_count; ++thread) clients.emplace_back(db, thread, seed, counts);
  in_threads(thread_count, [&](int thread) {
    for (int i = 0; i < dinette::test::rounds_of(1'000); ++i) clients[static_cast<std::size_t>(thread)].act();
  });
  CHECK(counts.wrong_sums == 0);
  CHECK(counts.unexpected == 0);
  CHECK(counts.moved > 0);
  for (const Client& client : clients) {
    const Json stored = db.get(table_of(client.own()), place_of(client.own())["Key"]);
    CHECK(value_of(stored, "n") == client.own_amount());
  }
}

}  // namespace test::moved_amounts_test
