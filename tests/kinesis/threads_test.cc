#include <atomic>
#include <functional>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>

#include "dinette/base/base64.h"

#include "kinesis/fixture.h"

namespace test::kinesis::threads_test {
namespace {

using Strings = std::vector<std::string>;

constexpr int writers = 4;
constexpr int records_per_writer = 300;

/// Puts numbered records under a partition key of its own, some alone and some together.
void write(Kinesis& k, int writer) {
  const std::string key = "writer" + std::to_string(writer);
  for (int i = 0; i < records_per_writer;) {
    Json records = Json::array();
    for (int n = 0; n < 1 + i % 3 && i < records_per_writer; ++n, ++i) {
      records.push_back(
          {{"PartitionKey", key}, {"Data", dinette::base::base64_encode(key + ":" + std::to_string(i))}});
    }
    const Reply reply = k.call("PutRecords", Json{{"StreamName", "clicks"}, {"Records", records}});
    if (reply.status != 200) throw std::runtime_error(reply.body);
  }
}

/// Splits and merges the open shards in turns.
void reshard(Kinesis& k, std::atomic<bool>& done) {
  const std::string middle = "170141183460469231731687303715884105728";
  for (int next = 0; !done; next += 3) {
    k.call("SplitShard",
           Json{{"StreamName", "clicks"}, {"ShardToSplit", shard(next)}, {"NewStartingHashKey", middle}});
    k.call("MergeShards", Json{{"StreamName", "clicks"},
                               {"ShardToMerge", shard(next + 1)},
                               {"AdjacentShardToMerge", shard(next + 2)}});
    if (next == 300) return;
  }
}

/// Reads a shard and then its children, as clients do: a child only when all its parents were read.
class Reader {
 public:
  explicit Reader(Kinesis& k) : k_(k) {}

  Strings read_all() {
    read(shard(0));
    return all_;
  }

 private:
  void read(const std::string& shard_id) {
    std::string iterator = k_.iterator("clicks", shard_id);
    std::string last;
    for (;;) {
      const Json page = k_.ok("GetRecords", {{"ShardIterator", iterator}, {"Limit", 7}});
      for (const Json& record : page.at("Records")) {
        CHECK(record.at("SequenceNumber").get<std::string>() > last);
        last = record.at("SequenceNumber");
        all_.push_back(dinette::base::base64_decode(record.at("Data").get<std::string>()).value());
      }
      if (page.contains("ChildShards")) return read_children(shard_id, page.at("ChildShards"));
      if (page.at("Records").empty()) return;
      iterator = page.at("NextShardIterator");
    }
  }

  void read_children(const std::string& parent, const Json& children) {
    ended_.insert(parent);
    for (const Json& child : children) {
      bool ready = true;
      for (const Json& one : child.at("ParentShards"))
        ready = ready && ended_.contains(one.get<std::string>());
      if (ready) read(child.at("ShardId"));
    }
  }

  Kinesis& k_;
  std::set<std::string> ended_;
  Strings all_;
};

}  // namespace

TEST_CASE("a reader sees every record once, and those of a key in order, through splits and merges") {
  Kinesis k;
  k.create("clicks");
  std::atomic<bool> done = false;
  std::thread resharding(reshard, std::ref(k), std::ref(done));
  std::vector<std::thread> threads;
  for (int writer = 0; writer < writers; ++writer) threads.emplace_back(write, std::ref(k), writer);
  for (std::thread& thread : threads) thread.join();
  done = true;
  resharding.join();
  CHECK(k.shards("clicks").size() > 3);
  std::map<std::string, int> next;
  int count = 0;
  for (const std::string& data : Reader(k).read_all()) {
    const std::size_t colon = data.find(':');
    CHECK(std::stoi(data.substr(colon + 1)) == next[data.substr(0, colon)]++);
    ++count;
  }
  CHECK(count == writers * records_per_writer);
}

}  // namespace test::kinesis::threads_test
