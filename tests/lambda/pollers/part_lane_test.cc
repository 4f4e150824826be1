#include "lambda/pollers/part_lane.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "lambda/fixture.h"
#include "lambda/mappings/kept_mappings.h"
#include "lambda/mappings/mapping_status.h"

// docs/service/triggers.md section 1.2, LastProcessingResult.
namespace test::lambda::part_lane_test {
namespace {

using dinette::lambda::FunctionCommand;
using dinette::lambda::FunctionTarget;
using dinette::lambda::FunctionTargetSettings;
using dinette::lambda::KeptMappings;
using dinette::lambda::MappingRun;
using dinette::lambda::MappingStatuses;
using dinette::lambda::PartLane;
using dinette::lambda::PartLaneSettings;
using dinette::lambda::ShardProgress;
namespace api = dinette::lambda::api;
namespace deliveries = dinette::deliveries;
namespace kv = dinette::kv;

/// A shard of records 1, 2, 3, ..., as many as the test says.
class CountedRecords final : public deliveries::StreamSource {
 public:
  explicit CountedRecords(std::shared_ptr<const int> count) : count_(std::move(count)) {}

  kv::Result<std::optional<std::vector<deliveries::Shard>>> shards() override {
    return std::optional(std::vector<deliveries::Shard>());
  }
  kv::Result<std::string> place_of(const std::string&, deliveries::StartingPosition,
                                   dinette::base::TimePoint) override {
    return std::string();
  }
  kv::Result<deliveries::RecordPage> read(const std::string&, const std::string& after, std::size_t,
                                          std::size_t) override {
    deliveries::RecordPage page;
    for (int number = after.empty() ? 1 : std::stoi(after) + 1; number <= *count_; ++number)
      page.records.push_back({std::to_string(number), {}, "key", "{}"});
    page.at_end = true;
    return page;
  }

 private:
  const std::shared_ptr<const int> count_;
};

/// Lanes of one mapping, each with a shard and a function of its own.
class Lanes {
 public:
  /// Adds a lane whose function is this command of a shell, after which its input is read.
  void add(const std::string& command, bool passes_over = false) {
    const auto count = counts_.emplace_back(std::make_shared<int>(0));
    const std::string shard = "shard" + std::to_string(lanes_.size());
    api::MappingProgress progress;
    progress.uuid = uuid_;
    progress.shard = shard;
    FunctionTargetSettings target{.names = {.id = uuid_, .function = "work", .stream = table_stream},
                                  .place = FunctionCommand{{"sh", "-c", "cat >/dev/null; " + command}},
                                  .reports_failures = true,
                                  .log = MappingStatuses::of(lambda_.world()).log(),
                                  .clock = lambda_.clock(),
                                  .ids = lambda_.ids()};
    if (passes_over) target.admits = [](const deliveries::Record&) { return false; };
    lanes_.push_back(std::make_unique<PartLane>(
        PartLaneSettings{.world = lambda_.world(),
                         .store = lambda_.store(),
                         .ids = lambda_.ids(),
                         .uuid = uuid_,
                         .run = run_,
                         .progress = std::make_shared<ShardProgress>(lambda_.store(), progress, 1),
                         .part = {shard, 0, 1},
                         .batches = {},
                         .retries = {},
                         .source = std::make_unique<CountedRecords>(count),
                         .target = std::make_unique<FunctionTarget>(std::move(target))}));
  }

  /// Has a lane deliver one more record.
  void deliver(std::size_t lane) {
    ++*counts_[lane];
    REQUIRE(lanes_[lane]->step({}).ok());
  }

  std::string result() { return KeptMappings(lambda_.store()).find(uuid_).value()->last_processing_result; }
  dinette::lambda::TriggerCounts counts() { return MappingStatuses::of(lambda_.world()).read(uuid_).counts; }

 private:
  Lambda lambda_;
  const std::string uuid_ = lambda_.map("work");
  const std::shared_ptr<MappingRun> run_ = std::make_shared<MappingRun>();
  std::vector<std::shared_ptr<int>> counts_;
  std::vector<std::unique_ptr<PartLane>> lanes_;
};

const std::string failed = "PROBLEM: Function call failed";

}  // namespace

TEST_CASE("the last result of a mapping is that of the last batch of any of its lanes") {
  Lanes lanes;
  lanes.add("true");
  lanes.add("exit 1");
  lanes.deliver(0);
  CHECK(lanes.result() == "OK");
  lanes.deliver(1);
  CHECK(lanes.result() == failed);
  lanes.deliver(0);
  CHECK(lanes.result() == "OK");
  lanes.deliver(1);
  CHECK(lanes.result() == failed);
}

TEST_CASE("a report of failures is a good result, also if its first record has failed") {
  Lanes lanes;
  lanes.add("exit 1");
  lanes.add(R"(echo '{"batchItemFailures":[{"itemIdentifier":"1"}]}')");
  lanes.deliver(0);
  CHECK(lanes.result() == failed);
  lanes.deliver(1);
  CHECK(lanes.result() == "OK");
  CHECK(lanes.counts().failures == 2);
  CHECK(lanes.counts().records == 0);
}

TEST_CASE("a report that cannot be read is a problem") {
  Lanes lanes;
  lanes.add(R"(echo '{"batchItemFailures":[{"itemIdentifier":"9"}]}')");
  lanes.deliver(0);
  CHECK(lanes.result() == failed);
}

TEST_CASE("records that are passed over are a good result") {
  Lanes lanes;
  lanes.add("exit 1");
  lanes.add("exit 1", true);
  lanes.deliver(0);
  CHECK(lanes.result() == failed);
  lanes.deliver(1);
  CHECK(lanes.result() == "OK");
  CHECK(lanes.counts().calls == 1);
}

}  // namespace test::lambda::part_lane_test
