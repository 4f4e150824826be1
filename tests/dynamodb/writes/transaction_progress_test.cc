#include <algorithm>
#include <atomic>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "dynamodb/concurrent_clients.h"
#include "support/random_seed.h"

// Requests for several items, each in an order of its own, by more clients than there are items: none waits
// for ever, nor beyond the store's deadline for locks (StoreOptions::lock_deadline), after which it would be
// answered with ThrottlingException, or leave items unprocessed.
namespace test::transaction_progress_test {
namespace {

constexpr int thread_count = 16;
constexpr int item_count = 8;

using Random = std::mt19937_64;

std::vector<int> some_items(Random& random) {
  std::vector<int> items(item_count);
  std::iota(items.begin(), items.end(), 0);
  std::shuffle(items.begin(), items.end(), random);
  items.resize(2 + random() % (item_count - 1));
  return items;
}

Json add_one(int item) {
  Json update = place_of(item);
  update["UpdateExpression"] = "ADD n :one";
  update["ExpressionAttributeValues"] = {{":one", number(1)}};
  return {{"Update", update}};
}

Json item_of(int item) {
  return {{"pk", {{"S", name_of(item)}}}, {"n", number(0)}};
}

Reply some_request(DynamoDb& db, Random& random) {
  const std::vector<int> items = some_items(random);
  Json list = Json::array();
  switch (random() % 4) {
    case 0: {
      for (const int item : items) list.push_back(add_one(item));
      Json request = {{"TransactItems", list}};
      if (random() % 2 == 0) request["ClientRequestToken"] = std::to_string(random());
      return db.call("TransactWriteItems", request);
    }
    case 1:
      for (const int item : items)
        list.push_back({{"Statement", statement_about(item, "UPDATE", "SET n = n + 1")}});
      return db.call("ExecuteTransaction", Json{{"TransactStatements", list}});
    case 2:
      return read_together(db, items, random() % 2 == 0);
    default: {
      Json requests = Json::object();
      for (const int item : items)
        requests[table_of(item)].push_back({{"PutRequest", {{"Item", item_of(item)}}}});
      return db.call("BatchWriteItem", Json{{"RequestItems", requests}});
    }
  }
}

bool is_whole(const Reply& reply) {
  return reply.status == 200 &&
         (reply.body.find("Unprocessed") == std::string::npos || reply.json()["UnprocessedItems"].empty());
}

}  // namespace

TEST_CASE("random transactions of few items by many clients all end within their deadline", "[long]") {
  const bool refuses = GENERATE(false, true);
  DynamoDb db(with_conflicts(refuses));
  for (const std::string& table : shared_tables) db.create_table(table);
  for (int item = 0; item < item_count; ++item) db.put(table_of(item), item_of(item));
  const std::uint64_t seed = dinette::test::random_seed();
  std::atomic<int> whole{0};
  std::atomic<int> refused{0};
  std::atomic<int> others{0};
  in_threads(thread_count, [&](int thread) {
    Random random(seed + static_cast<std::uint64_t>(thread));
    for (int i = 0; i < dinette::test::rounds_of(100); ++i) {
      const Reply reply = some_request(db, random);
      const bool conflict = is_conflict(reply) || (reply.status == 200 && !is_whole(reply));
      if (is_whole(reply))
        ++whole;
      else if (refuses && conflict)
        ++refused;
      else
        ++others;
    }
  });
  CHECK(others == 0);
  CHECK(whole > 0);
  CHECK(whole + refused == thread_count * dinette::test::rounds_of(100));
}

}  // namespace test::transaction_progress_test
