#include <map>
#include <random>
#include <set>

#include <catch2/catch.hpp>

#include "dynamodb/streams/stream_upkeep.h"
#include "dynamodb/streams/streams.h"
#include "support/random_seed.h"

// A table, rebuilt from its stream: every change is there once, in order for each item, whatever writes it.
namespace test::replay_test {

using namespace std::chrono_literals;

namespace {

using Random = std::mt19937_64;
using Items = std::map<std::string, Json>;

/// Reads a stream as clients do: parents before their children, shards by their iterators, a page at a time,
/// and from where it was when it starts again.
class Reader {
 public:
  Reader(DynamoDb& db, std::string arn) : db_(db), arn_(std::move(arn)) {}

  /// Reads all there is now, and applies it: of each shard, and at once of those that follow it.
  void read() {
    const Json listed = shards(db_, arn_);
    std::set<std::string> ids;
    for (const Json& shard : listed) ids.insert(shard.at("ShardId"));
    for (const Json& shard : listed)
      if (!ids.contains(shard.value("ParentShardId", ""))) read_lineage(listed, shard.at("ShardId"));
  }

  /// Forgets its iterators, as a program does that ends, but not how far it was.
  void restart() {
    for (auto& [shard, iterator] : iterators_) iterator.clear();
  }

  const Items& items() const { return items_; }

 private:
  void read_lineage(const Json& listed, const std::string& shard) {
    if (!finished_[shard]) read_shard(shard);
    if (!finished_[shard]) return;
    for (const Json& other : listed)
      if (other.value("ParentShardId", "") == shard) read_lineage(listed, other.at("ShardId"));
  }

  void read_shard(const std::string& shard) {
    std::string& next = iterators_[shard];
    if (next.empty()) {
      const std::string& last = last_number_[shard];
      next = last.empty() ? iterator(db_, arn_, shard)
                          : iterator(db_, arn_, shard, "AFTER_SEQUENCE_NUMBER", last);
    }
    for (;;) {
      const Json answer = page(db_, next, 7);
      for (const Json& record : answer.at("Records")) {
        apply(record);
        last_number_[shard] = record.at("dynamodb").at("SequenceNumber");
      }
      finished_[shard] = !answer.contains("NextShardIterator");
      if (finished_[shard]) return;
      next = answer.at("NextShardIterator");
      if (answer.at("Records").empty()) return;
    }
  }

  void apply(const Json& record) {
    const Json& content = record.at("dynamodb");
    const std::string key = content.at("Keys").dump();
    const bool known = items_.contains(key);
    CHECK((record.at("eventName") == "INSERT") == !known);
    if (known) CHECK(content.at("OldImage") == items_.at(key));
    if (content.contains("NewImage"))
      items_[key] = content.at("NewImage");
    else
      items_.erase(key);
  }

  DynamoDb& db_;
  const std::string arn_;
  std::map<std::string, std::string> iterators_;
  std::map<std::string, std::string> last_number_;
  std::map<std::string, bool> finished_;
  Items items_;
};

Items scanned(DynamoDb& db) {
  Items items;
  const Json page = db.ok("Scan", {{"TableName", "Music"}});
  for (const Json& item : page.at("Items")) items[Json{{"pk", item.at("pk")}}.dump()] = item;
  return items;
}

std::string number(Random& random, unsigned below) {
  return std::to_string(random() % below);
}

/// One write, of any kind; most of them change something.
void write_something(DynamoDb& db, Random& random) {
  const Json item_key = {{"pk", {{"S", number(random, 24)}}}};
  // Some items expire, at the hours that the clock goes through.
  Json item = with(item_key, {{"n", {{"N", number(random, 3)}}}});
  if (random() % 3 == 0) item["ends"] = {{"N", std::to_string(1791633600 + (random() % 24) * 3600)}};
  const std::string pk = item_key.at("pk").at("S");
  switch (random() % 7) {
    case 0:
      return db.put("Music", item);
    case 1:
      db.ok("DeleteItem", {{"TableName", "Music"}, {"Key", item_key}});
      return;
    case 2:
      db.ok("UpdateItem", {{"TableName", "Music"},
                           {"Key", item_key},
                           {"UpdateExpression", "ADD n :n"},
                           {"ExpressionAttributeValues", {{":n", {{"N", number(random, 2)}}}}}});
      return;
    case 3:
      db.ok("BatchWriteItem",
            {{"RequestItems", {{"Music", Json::array({{{"PutRequest", {{"Item", item}}}}})}}}});
      return;
    case 4: {
      const Json other = {{"pk", {{"S", "x" + number(random, 4)}}}};
      db.ok("TransactWriteItems",
            {{"TransactItems", Json::array({{{"Put", {{"TableName", "Music"}, {"Item", item}}}},
                                            {{"Delete", {{"TableName", "Music"}, {"Key", other}}}}})}});
      return;
    }
    case 5:
      db.ok("ExecuteStatement", {{"Statement", "DELETE FROM Music WHERE pk = '" + pk + "'"}});
      return;
    default:
      db.call("ExecuteStatement", Json{{"Statement", "INSERT INTO Music VALUE {'pk': '" + pk +
                                                         "', 'n': " + number(random, 3) + "}"}});
      return;
  }
}

void split(DynamoDb& db) {
  auto& store = db.worlds().pick("").value()->store(dinette::dynamodb::face().id);
  const auto table = store.catalog().open("Music").value();
  REQUIRE(dinette::dynamodb::split_shards(store, *table).value());
}

}  // namespace

TEST_CASE("a table is rebuilt from its stream, through roll-overs, splits, restarts and trimming") {
  Random random(dinette::test::random_seed());
  for (int table = 0; table < dinette::test::rounds_of(10); ++table) {
    DynamoDb db;
    db.ok("CreateTable", with(on_demand(), stream_setting(true, "NEW_AND_OLD_IMAGES")));
    db.ok("UpdateTimeToLive", {{"TableName", "Music"},
                               {"TimeToLiveSpecification", {{"Enabled", true}, {"AttributeName", "ends"}}}});
    Reader reader(db, stream_arn(db));
    Reader other(db, stream_arn(db));
    for (int step = 0; step < 400; ++step) {
      write_something(db, random);
      switch (random() % 40) {
        case 0:
          db.clock().advance(2h);
          reader.restart();
          other.restart();
          db.jobs().run_due();
          break;
        case 1:
          if (random() % 4 == 0) split(db);
          break;
        case 2:
          reader.restart();
          break;
        default:
          break;
      }
      if (random() % 5 == 0) reader.read();
      if (random() % 20 == 0) other.read();
    }
    reader.read();
    other.read();
    CHECK(reader.items() == scanned(db));
    CHECK(other.items() == reader.items());
  }
}

}  // namespace test::replay_test
