#include "lambda/pollers/mapping_poller.h"

#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>

#include "lambda/api/window_progress.h"
#include "lambda/fixture.h"
#include "lambda/mappings/mapping_status.h"

// docs/service/triggers.md section 2.
namespace test::lambda::mapping_poller_test {
namespace {

using dinette::deliveries::Pause;
using dinette::lambda::FunctionPlace;
using dinette::lambda::KeptMappings;
using dinette::lambda::MappingPoller;
using dinette::lambda::MappingStatuses;
using dinette::lambda::PollerSettings;
using Strings = std::vector<std::string>;
namespace api = dinette::lambda::api;

/// A mapping, and its poller, which takes a step when a test says so. The lanes of its shards run.
class Poller {
 public:
  explicit Poller(const Json& more = Json()) : uuid_(lambda_.map("work", table_stream, more)) { open(); }

  ~Poller() { lambda_.world().lanes().stop(); }
  Poller(const Poller&) = delete;
  Poller& operator=(const Poller&) = delete;

  /// Makes a new poller, as a restart does.
  void open() {
    poller_ = std::make_unique<MappingPoller>(std::make_shared<const PollerSettings>(PollerSettings{
                                                  .sources = lambda_.streams,
                                                  .place = [this](auto&, const auto&) { return place; },
                                                  .timeout = std::chrono::seconds(1),
                                                  .objects = nullptr,
                                                  .ids = lambda_.ids()}),
                                              lambda_.world(), "", uuid_);
  }

  Pause step() { return poller_->step({}).value(); }
  /// Steps until the poller waits, after the lanes that are to end have ended.
  Pause settle(const Strings& ending) {
    for (const std::string& lane : ending) {
      step();
      while (lambda_.world().lanes().has(lane)) std::this_thread::yield();
    }
    return step();
  }

  std::string lane(int number) const {
    return MappingPoller::name_of("", uuid_) + " lane " + std::to_string(number);
  }
  bool runs(int number) { return lambda_.world().lanes().has(lane(number)); }

  /// Notes that a shard has been delivered, whole.
  void close(const std::string& shard) {
    api::MappingProgress progress;
    progress.uuid = uuid_;
    progress.shard = shard;
    progress.closed = true;
    REQUIRE(mappings().keep_progress(progress).value());
  }
  Strings shards_with_progress() {
    Strings shards;
    const auto kept = mappings().progress_of(uuid_).value();
    for (const api::MappingProgress& one : kept) shards.push_back(one.shard);
    return shards;
  }

  KeptMappings mappings() { return KeptMappings(lambda_.store()); }
  bool is_kept() { return mappings().find(uuid_).value().has_value(); }
  std::string reason() { return MappingStatuses::of(lambda_.world()).read(uuid_).reason; }
  Lambda& lambda() { return lambda_; }
  const std::string& uuid() const { return uuid_; }

  std::optional<FunctionPlace> place;  ///< of the function; not known at first

 private:
  Lambda lambda_;
  const std::string uuid_;
  std::unique_ptr<MappingPoller> poller_;
};

}  // namespace

TEST_CASE("each shard has a lane for each part") {
  Poller poller(Json{{"ParallelizationFactor", 2}});
  CHECK(poller.step().until == Pause::Until::woken);
  CHECK((poller.runs(1) && poller.runs(2) && poller.runs(3) && poller.runs(4)));
  CHECK_FALSE(poller.runs(5));
  poller.step();
  CHECK_FALSE(poller.runs(5));
}

TEST_CASE("a shard begins when its parents have been delivered") {
  Poller poller;
  poller.lambda().streams.set(table_stream, {{.id = "parent"},
                                             {.id = "child", .parents = {"parent", "one that is gone"}},
                                             {.id = "grandchild", .parents = {"child"}}});
  poller.step();
  CHECK(poller.runs(1));
  CHECK_FALSE(poller.runs(2));
  poller.close("parent");
  poller.step();
  CHECK(poller.runs(2));
  CHECK_FALSE(poller.runs(3));
  poller.close("child");
  poller.step();
  CHECK(poller.runs(3));
}

TEST_CASE("a shard that was delivered does not begin again after a restart") {
  Poller poller;
  poller.close("shardId-1");
  poller.close("shardId-2");
  poller.open();
  poller.step();
  CHECK_FALSE(poller.runs(1));
}

TEST_CASE("the end of a shard is kept when its lane has come to it") {
  Poller poller;
  poller.lambda().streams.set(table_stream, {{.id = "short", .closed = true}});
  poller.step();
  while (poller.runs(1)) std::this_thread::yield();
  REQUIRE(poller.shards_with_progress() == Strings{"short"});
  CHECK(poller.mappings().progress_of(poller.uuid()).value().front().closed == true);
}

TEST_CASE("what is kept of a shard that is gone is forgotten") {
  Poller poller;
  poller.close("shardId-1");
  poller.close("shardId-2");
  poller.lambda().streams.set(table_stream, {{.id = "shardId-2"}});
  poller.step();
  CHECK(poller.shards_with_progress() == Strings{"shardId-2"});
}

TEST_CASE("a mapping without its stream says so, and looks for it again") {
  Poller poller;
  const auto shards = *poller.lambda().streams.shards_of(table_stream);
  poller.lambda().streams.remove(table_stream);
  CHECK(poller.step().until == Pause::Until::elapsed);
  CHECK(poller.reason() == "The stream is gone.");
  poller.lambda().streams.set(table_stream, shards);
  CHECK(poller.step().until == Pause::Until::woken);
  CHECK(poller.runs(1));
}

TEST_CASE("other settings end the lanes, and begin new ones when all have left") {
  Poller poller;
  poller.step();
  SECTION("of the mapping") {
    REQUIRE(poller.lambda().update(poller.uuid(), {{"BatchSize", 7}}).status == 202);
  }
  SECTION("of the place of a function, which its mapping does not have") {
    poller.place = dinette::lambda::FunctionCommand{{"true"}};
  }
  poller.settle({poller.lane(1), poller.lane(2)});
  CHECK_FALSE((poller.runs(1) || poller.runs(2)));
  CHECK((poller.runs(3) && poller.runs(4)));
}

TEST_CASE("the last result of a mapping is no setting") {
  Poller poller;
  poller.step();
  REQUIRE(poller.mappings().keep_result(poller.uuid(), "OK"));
  poller.step();
  CHECK((poller.runs(1) && poller.runs(2)));
  CHECK_FALSE(poller.runs(3));
}

TEST_CASE("a mapping that is not enabled has no lane until it is") {
  Poller poller(Json{{"Enabled", false}});
  CHECK(poller.step().until == Pause::Until::woken);
  CHECK_FALSE(poller.runs(1));
  REQUIRE(poller.lambda().update(poller.uuid(), {{"Enabled", true}}).status == 202);
  poller.step();
  REQUIRE((poller.runs(1) && poller.runs(2)));
  REQUIRE(poller.lambda().update(poller.uuid(), {{"Enabled", false}}).status == 202);
  CHECK(poller.settle({poller.lane(1), poller.lane(2)}).until == Pause::Until::woken);
  CHECK_FALSE(poller.runs(3));
}

TEST_CASE("a mapping that is deleted goes with its progress") {
  Poller poller;
  poller.close("shardId-1");
  poller.step();
  MappingStatuses::of(poller.lambda().world()).set_reason(poller.uuid(), "it was slow");
  REQUIRE(poller.lambda().remove(poller.uuid()).status == 202);
  CHECK(poller.settle({poller.lane(1)}).until == Pause::Until::done);
  CHECK_FALSE(poller.is_kept());
  CHECK(poller.shards_with_progress().empty());
  CHECK(poller.reason().empty());
}

TEST_CASE("a shard that comes later begins with its first record, or at the moment of the mapping") {
  const bool at_timestamp = GENERATE(true, false);
  const Json position =
      at_timestamp ? Json{{"StartingPosition", "AT_TIMESTAMP"}, {"StartingPositionTimestamp", 1'700'000'000}}
                   : Json{{"StartingPosition", "LATEST"}};
  Lambda lambda;
  lambda.streams.set(kinesis_stream, {});
  const std::string uuid = lambda.map("work", kinesis_stream, position);
  lambda.streams.set(kinesis_stream, {{.id = "later", .last_place = "49", .closed = true}});
  MappingPoller poller(std::make_shared<const PollerSettings>(
                           PollerSettings{.sources = lambda.streams,
                                          .place = [](auto&, const auto&) { return std::nullopt; },
                                          .timeout = std::chrono::seconds(1),
                                          .objects = nullptr,
                                          .ids = lambda.ids()}),
                       lambda.world(), "", uuid);
  REQUIRE(poller.step({}).ok());
  const std::string lane = MappingPoller::name_of("", uuid) + " lane 1";
  while (lambda.world().lanes().has(lane)) std::this_thread::yield();
  const auto kept = KeptMappings(lambda.store()).progress_of(uuid).value();
  REQUIRE(kept.size() == 1);
  CHECK(kept.front().parts == (at_timestamp ? Strings{"1700000000"} : Strings{""}));
  lambda.world().lanes().stop();
}

}  // namespace test::lambda::mapping_poller_test
