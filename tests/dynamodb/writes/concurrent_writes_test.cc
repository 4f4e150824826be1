#include <algorithm>
#include <atomic>
#include <map>
#include <set>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>

#include "dynamodb/batch.h"

// Writes of several clients at once: each takes place whole, on what the one before it left
// (docs/service/items.md section 2). Catch2 is not for several threads, so they collect and the test judges.
namespace test::concurrent_writes_test {
namespace {

constexpr int thread_count = 4;

/// Runs `work(thread)` in each thread and waits for all.
template <class Work>
void in_threads(Work work) {
  std::vector<std::thread> threads;
  for (int thread = 0; thread < thread_count; ++thread)
    threads.emplace_back([&work, thread] { work(thread); });
  for (std::thread& thread : threads) thread.join();
}

using Replies = std::vector<Reply>;

Replies all_of(const std::vector<Replies>& by_thread) {
  Replies all;
  for (const Replies& replies : by_thread) all.insert(all.end(), replies.begin(), replies.end());
  return all;
}

std::string item_with(const std::string& pk) {
  return R"("Item": {"pk": {"S": ")" + pk + R"("}})";
}

const std::string add_one = update("ADD n :one", R"(":one": {"N": "1"})");

}  // namespace

TEST_CASE("concurrent ADDs lose no count and see each value once") {
  DynamoDb db;
  db.create_table(the_table);
  constexpr int adds = 300;
  std::vector<Replies> by_thread(thread_count);
  in_threads([&](int thread) {
    for (int i = 0; i < adds; ++i) {
      by_thread[static_cast<std::size_t>(thread)].push_back(
          call_item(db, "UpdateItem", add_one + R"(, "ReturnValues": "UPDATED_NEW")"));
    }
  });
  std::set<int> seen;
  for (const Reply& reply : all_of(by_thread)) {
    REQUIRE(reply.status == 200);
    seen.insert(std::stoi(reply.json()["Attributes"]["n"]["N"].get<std::string>()));
  }
  CHECK(seen.size() == adds * thread_count);
  CHECK(*seen.rbegin() == adds * thread_count);
  CHECK(stored_attributes(db)["n"]["N"] == std::to_string(adds * thread_count));
}

TEST_CASE("of concurrent conditional puts of one item exactly one succeeds") {
  DynamoDb db;
  db.create_table(the_table);
  constexpr int items = 200;
  std::vector<std::atomic<int>> winners(items);
  std::atomic<int> other_answers{0};
  in_threads([&](int) {
    for (int i = 0; i < items; ++i) {
      const Reply reply = call_item(
          db, "PutItem", item_with(std::to_string(i)) + ", " + condition("attribute_not_exists(pk)"));
      if (reply.status == 200) {
        ++winners[static_cast<std::size_t>(i)];
      } else if (reply.error() != "ConditionalCheckFailedException") {
        ++other_answers;
      }
    }
  });
  CHECK(other_answers == 0);
  CHECK(std::all_of(winners.begin(), winners.end(), [](const auto& count) { return count == 1; }));
}

TEST_CASE("a version check lets one writer through a version") {
  DynamoDb db;
  db.create_table(the_table);
  store_item(db, R"("version": {"N": "0"})");
  constexpr int rounds = 100;
  std::atomic<int> other_answers{0};
  in_threads([&](int) {
    for (int done = 0; done < rounds;) {
      const std::string seen = call_item(db, "GetItem").json()["Item"]["version"]["N"];
      const Reply reply = call_item(
          db, "UpdateItem",
          R"("UpdateExpression": "SET version = version + :one", )" +
              condition("version = :seen", R"(":one": {"N": "1"}, ":seen": {"N": ")" + seen + "\"}"));
      if (reply.status == 200) {
        ++done;
      } else if (reply.error() != "ConditionalCheckFailedException") {
        ++other_answers;
        return;
      }
    }
  });
  CHECK(other_answers == 0);
  CHECK(stored_attributes(db)["version"]["N"] == std::to_string(rounds * thread_count));
}

TEST_CASE("every replaced or deleted item is returned to exactly one writer") {
  DynamoDb db;
  db.create_table(the_table);
  constexpr int puts = 200;
  std::vector<Replies> by_thread(thread_count);
  in_threads([&](int thread) {
    for (int i = 0; i < puts; ++i) {
      const bool remove = i % 5 == 4;
      const std::string tag = std::to_string(thread) + '/' + std::to_string(i);
      const std::string members = remove ? R"("Key": {"pk": {"S": "a"}})"
                                         : R"("Item": {"pk": {"S": "a"}, "tag": {"S": ")" + tag + R"("}})";
      by_thread[static_cast<std::size_t>(thread)].push_back(
          call_item(db, remove ? "DeleteItem" : "PutItem", members + R"(, "ReturnValues": "ALL_OLD")"));
    }
  });
  std::map<std::string, int> returned;
  for (const Reply& reply : all_of(by_thread)) {
    REQUIRE(reply.status == 200);
    const Json answer = reply.json();
    if (answer.contains("Attributes")) ++returned[answer["Attributes"]["tag"]["S"]];
  }
  const Json last = stored_attributes(db);
  if (!last.is_null()) ++returned[last["tag"]["S"]];
  CHECK(returned.size() == thread_count * puts / 5 * 4);
  CHECK(std::all_of(returned.begin(), returned.end(), [](const auto& tag) { return tag.second == 1; }));
}

TEST_CASE("a table altered while batches continue loses none of their writes") {
  DynamoDb db;
  db.create_table(the_table);
  constexpr int alterations = 100;
  std::atomic<bool> altering{true};
  std::atomic<int> acknowledged{0};
  std::atomic<int> other_answers{0};
  in_threads([&](int thread) {
    if (thread == 0) {
      for (int i = 0; i < alterations; ++i) {
        const Json tags = Json::array({{{"Key", "round"}, {"Value", std::to_string(i)}}});
        const Json request = {{"ResourceArn", arn_of(the_table)}, {"Tags", tags}};
        if (db.call("TagResource", request).status != 200) ++other_answers;
      }
      altering = false;
      return;
    }
    for (int i = 0; i < alterations || altering; ++i) {
      Json puts = Json::array();
      for (int n = 0; n < 5; ++n) {
        puts.push_back(
            put_request(with_pk(std::to_string(thread) + '/' + std::to_string(i) + '/' + std::to_string(n))));
      }
      const Reply reply = db.call("BatchWriteItem", batch({{the_table, puts}}));
      if (reply.status == 200 && reply.json()["UnprocessedItems"].empty())
        acknowledged += 5;
      else
        ++other_answers;
    }
  });
  CHECK(other_answers == 0);
  CHECK(db.ok("DescribeTable", {{"TableName", the_table}})["Table"]["ItemCount"] == acknowledged.load());
}

TEST_CASE("a table altered while writes continue loses none") {
  DynamoDb db;
  db.create_table(the_table);
  constexpr int alterations = 100;
  std::atomic<bool> altering{true};
  std::atomic<int> acknowledged{0};
  std::atomic<int> other_answers{0};
  in_threads([&](int thread) {
    if (thread == 0) {
      for (int i = 0; i < alterations; ++i) {
        const Json request = {{"TableName", the_table}, {"DeletionProtectionEnabled", i % 2 == 0}};
        if (db.call("UpdateTable", request).status != 200) ++other_answers;
      }
      altering = false;
      return;
    }
    for (int i = 0; i < alterations || altering; ++i) {
      ++(call_item(db, "UpdateItem", add_one).status == 200 ? acknowledged : other_answers);
    }
  });
  CHECK(other_answers == 0);
  CHECK(stored_attributes(db)["n"]["N"] == std::to_string(acknowledged));
  CHECK(db.ok("DescribeTable", {{"TableName", the_table}})["Table"]["DeletionProtectionEnabled"] == false);
}

}  // namespace test::concurrent_writes_test
