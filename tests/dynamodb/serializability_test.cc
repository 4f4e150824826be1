#include <algorithm>
#include <atomic>
#include <random>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "dynamodb/concurrent_clients.h"
#include "support/append_history.h"
#include "support/random_seed.h"

// docs/service/transactions.md sections 1 and 7: all or nothing, serializable, and no request waits for ever.
namespace test::serializability_test {
namespace {

using Random = std::mt19937_64;

constexpr int thread_count = 4;
constexpr int list_count = 5;

std::vector<int> numbers_of(const Json& item) {
  std::vector<int> numbers;
  for (const Json& one : item["l"]["L"]) numbers.push_back(std::stoi(one["N"].get<std::string>()));
  return numbers;
}

Json append(int list, int value) {
  Json update = place_of(list);
  update["UpdateExpression"] = "SET l = list_append(l, :one)";
  update["ExpressionAttributeValues"] = {{":one", {{"L", Json::array({number(value)})}}}};
  return update;
}

/// The same as a statement; `rest` goes behind its WHERE.
std::string append_statement(int list, int value, std::string_view rest = "") {
  return statement_about(list, "UPDATE", "SET l = list_append(l, [" + std::to_string(value) + "])", rest);
}

/// Makes an action or update depend on a list's being as it was read.
void require_unchanged(Json& action, const std::vector<int>& read) {
  Json list = Json::array();
  for (const int one : read) list.push_back(number(one));
  action["ConditionExpression"] = "l = :read";
  action["ExpressionAttributeValues"][":read"] = {{"L", list}};
}

/// The same for a statement, to follow its WHERE.
std::string and_unchanged(const std::vector<int>& read) {
  std::string list;
  for (const int one : read) list += (list.empty() ? "" : ", ") + std::to_string(one);
  return " AND l = [" + list + "]";
}

/// One of several clients, which notes what it does. It says half of it in statements.
class Client {
 public:
  Client(DynamoDb& db, std::atomic<std::int64_t>& time, std::uint64_t seed, int first_number)
      : db_(db), time_(time), random_(seed), next_(first_number) {}

  void act() {
    in_statements_ = random_() % 2 == 0;
    switch (random_() % 6) {
      case 0:
        return read_some();
      case 1:
        return append_to_some();
      case 2:
        return append_to_one();
      case 3:
        return read_one(some_list());
      case 4:
        return append_to_one_if_unchanged();
      default:
        return append_if_all_unchanged();
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

  /// Sends a request, and notes `noted` with its times.
  template <class Send>
  Reply noted(AppendTransaction transaction, Send send) {
    transaction.begin = time_++;
    Reply reply = send();
    transaction.end = time_++;
    transaction.committed = reply.status == 200;
    const bool refused = is_condition_failure(reply) || is_conflict(reply);
    if (!transaction.committed && !refused) unexpected.push_back(reply.body);
    if (!transaction.committed) transaction.reads.clear();  // its conditions did not hold
    history.push_back(std::move(transaction));
    return reply;
  }

  Reply run(std::string_view operation, const Json& request, AppendTransaction transaction) {
    return noted(std::move(transaction), [&] { return db_.call(operation, request); });
  }

  Reply run_statement(const std::string& text, AppendTransaction transaction) {
    return run("ExecuteStatement", Json{{"Statement", text}, {"ConsistentRead", true}},
               std::move(transaction));
  }

  Reply run_statements(const std::vector<std::string>& texts, AppendTransaction transaction) {
    Json statements = Json::array();
    for (const std::string& text : texts) statements.push_back({{"Statement", text}});
    return run("ExecuteTransaction", Json{{"TransactStatements", statements}}, std::move(transaction));
  }

  void read_some() {
    const std::vector<int> lists = some_lists();
    const Reply reply = noted({}, [&] { return read_together(db_, lists, in_statements_); });
    if (reply.status != 200) return;
    const Json answer = reply.json();
    for (std::size_t i = 0; i < lists.size(); ++i)
      history.back().reads.push_back({lists[i], numbers_of(answer["Responses"][i]["Item"])});
  }

  void append_to_some() {
    Json actions = Json::array();
    std::vector<std::string> statements;
    AppendTransaction transaction;
    for (const int list : some_lists()) {
      const int value = next_++;
      transaction.appends.push_back({list, value});
      actions.push_back({{"Update", append(list, value)}});
      statements.push_back(append_statement(list, value));
    }
    if (in_statements_)
      run_statements(statements, transaction);
    else
      run("TransactWriteItems", Json{{"TransactItems", actions}}, transaction);
  }

  /// Returns what was read along with an append.
  void append_to_one() {
    const AppendTransaction::Append one = {some_list(), next_++};
    AppendTransaction transaction;
    transaction.appends.push_back(one);
    Json request = append(one.list, one.number);
    request["ReturnValues"] = "UPDATED_OLD";
    const Reply reply =
        in_statements_
            ? run_statement(append_statement(one.list, one.number, " RETURNING ALL OLD *"), transaction)
            : run("UpdateItem", request, transaction);
    if (reply.status != 200) return;
    const Json answer = reply.json();
    history.back().reads.push_back(
        {one.list, numbers_of(in_statements_ ? answer["Items"][0] : answer["Attributes"])});
  }

  void read_one(int list) {
    Json request = place_of(list);
    request["ConsistentRead"] = true;
    const Json answer =
        (in_statements_ ? run_statement(select_of(list), {}) : run("GetItem", request, {})).json();
    history.back().reads.push_back({list, numbers_of(in_statements_ ? answer["Items"][0] : answer["Item"])});
  }

  void append_to_one_if_unchanged() {
    read_one(some_list());
    const AppendTransaction::Read read = history.back().reads[0];
    AppendTransaction transaction{.reads = {read}};
    transaction.appends.push_back({read.list, next_++});
    const int value = transaction.appends[0].number;
    if (in_statements_) {
      run_statement(append_statement(read.list, value, and_unchanged(read.numbers)), transaction);
      return;
    }
    Json update = append(read.list, value);
    require_unchanged(update, read.numbers);
    run("UpdateItem", update, transaction);
  }

  /// What would be write skew if the lists that are only read could change meanwhile.
  void append_if_all_unchanged() {
    read_some();
    if (!history.back().committed) return;
    const std::vector<AppendTransaction::Read> reads = history.back().reads;
    AppendTransaction transaction{.reads = reads};
    transaction.appends.push_back({reads[0].list, next_++});
    const int value = transaction.appends[0].number;
    if (in_statements_)
      append_with_exists(reads, value, transaction);
    else
      append_with_checks(reads, value, transaction);
  }

  void append_with_checks(const std::vector<AppendTransaction::Read>& reads, int value,
                          const AppendTransaction& transaction) {
    Json update = append(reads[0].list, value);
    require_unchanged(update, reads[0].numbers);
    Json actions = Json::array({Json{{"Update", update}}});
    for (std::size_t i = 1; i < reads.size(); ++i) {
      Json check = place_of(reads[i].list);
      require_unchanged(check, reads[i].numbers);
      actions.push_back({{"ConditionCheck", check}});
    }
    run("TransactWriteItems", Json{{"TransactItems", actions}}, transaction);
  }

  void append_with_exists(const std::vector<AppendTransaction::Read>& reads, int value,
                          const AppendTransaction& transaction) {
    std::vector<std::string> statements = {
        append_statement(reads[0].list, value, and_unchanged(reads[0].numbers))};
    for (std::size_t i = 1; i < reads.size(); ++i)
      statements.push_back("EXISTS(" + select_of(reads[i].list) + and_unchanged(reads[i].numbers) + ")");
    run_statements(statements, transaction);
  }

  DynamoDb& db_;
  std::atomic<std::int64_t>& time_;
  Random random_;
  int next_;
  bool in_statements_ = false;
};

/// A history that is fine: 1 and then 2 are appended to list 0, and read.
std::vector<AppendTransaction> fine() {
  return {{.begin = 0, .end = 1, .appends = {{0, 1}}},
          {.begin = 2, .end = 3, .appends = {{0, 2}}},
          {.begin = 4, .end = 5, .reads = {{0, {1, 2}}}}};
}

}  // namespace

TEST_CASE("the checker of histories finds planted anomalies") {
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

TEST_CASE("concurrent transactions, single writes and reads of few items are serializable, and all end",
          "[long]") {
  const bool refuses = GENERATE(false, true);
  const std::uint64_t seed = dinette::test::random_seed();
  int committed = 0;
  for (int round = 0; round < dinette::test::rounds_of(10); ++round) {
    DynamoDb db(with_conflicts(refuses));
    for (const std::string& table : shared_tables) db.create_table(table);
    for (int list = 0; list < list_count; ++list)
      db.put(table_of(list), {{"pk", {{"S", name_of(list)}}}, {"l", {{"L", Json::array()}}}});
    std::atomic<std::int64_t> time{0};
    std::vector<Client> clients;
    for (int i = 0; i < thread_count; ++i)
      clients.emplace_back(db, time, seed + static_cast<std::uint64_t>(round * thread_count + i),
                           1'000'000 * (i + 1));
    in_threads(thread_count, [&](int thread) {
      for (int i = 0; i < 60; ++i) clients[static_cast<std::size_t>(thread)].act();
    });
    std::vector<AppendTransaction> history;
    for (const Client& client : clients) {
      REQUIRE(client.unexpected == std::vector<std::string>());
      history.insert(history.end(), client.history.begin(), client.history.end());
    }
    committed += static_cast<int>(std::ranges::count(history, true, &AppendTransaction::committed));
    for (int list = 0; list < list_count; ++list) {
      const std::int64_t now = time++;
      history.push_back({.begin = now,
                         .end = now,
                         .reads = {{list, numbers_of(db.get(table_of(list), place_of(list)["Key"]))}}});
    }
    REQUIRE(find_anomaly(history).value_or("") == "");
  }
  CHECK(committed > 0);
}

}  // namespace test::serializability_test
