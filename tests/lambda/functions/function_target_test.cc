#include "dinette/lambda/function_target.h"

#include <array>
#include <mutex>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "dinette/objects/memory_store.h"

#include "http/fixture.h"
#include "lambda/functions/batches.h"
#include "support/captured_log.h"

namespace dinette::lambda::function_target_test {
namespace {

using deliveries::Discard;
using deliveries::Verdict;
using Result = DeliveryRecord::Result;

/// A function whose answers a test chooses; it keeps the last event.
class Function {
 public:
  explicit Function(std::string answer = "null", int status = 200)
      : answer_(std::move(answer)),
        status_(status),
        running_([this](const http::Request& request, http::Response& response) {
          const std::lock_guard lock(mutex_);
          event_ = request.body;
          response.status = status_;
          response.body = answer_;
        }) {}

  FunctionPlace place() const { return read_function_url(url()).value(); }
  std::string url() const { return "http://127.0.0.1:" + std::to_string(running_.port) + "/hook"; }
  std::string event() const {
    const std::lock_guard lock(mutex_);
    return event_;
  }
  void answer(std::string answer, int status = 200) {
    const std::lock_guard lock(mutex_);
    answer_ = std::move(answer);
    status_ = status;
  }

 private:
  mutable std::mutex mutex_;
  std::string answer_;
  int status_;
  std::string event_;
  http::Running running_;
};

struct Fixture {
  base::ManualClock clock{at("2026-09-17T13:08:40.262Z")};
  base::SeededIds ids{1};
  std::unique_ptr<objects::BucketStore> objects = objects::make_memory_store(clock);
  std::shared_ptr<DeliveryLog> log = std::make_shared<DeliveryLog>();
  std::vector<deliveries::Record> records = four_records();

  FunctionTargetSettings settings(std::optional<FunctionPlace> place) {
    return {.names = {.id = "0a1b2c3d-0000-4000-8000-000000000002",
                      .function = "arn:aws:lambda:us-east-1:000000000000:function:bill",
                      .stream = "arn:aws:dynamodb:us-east-1:000000000000:table/T/stream/L",
                      .kind = StreamKind::dynamodb},
            .place = std::move(place),
            .objects = objects.get(),
            .log = log,
            .clock = clock,
            .ids = ids};
  }

  deliveries::Batch batch() const { return batch_of(records); }

  std::shared_ptr<const DeliveryRecord> last() const { return log->read({}).deliveries.back(); }

  std::string object(const std::string& bucket) const {
    const auto listing = objects->list(bucket, {});
    REQUIRE(listing->objects.size() == 1);
    auto reader = objects->open(bucket, listing->objects.front().key);
    REQUIRE(reader.ok());
    std::string text(listing->objects.front().size, '\0');
    REQUIRE((*reader)->read(text).value() == text.size());
    return text;
  }
};

TEST_CASE_METHOD(Fixture, "a function gets a batch, and the delivery is recorded") {
  const Function function;
  FunctionTarget target(settings(function.place()));
  CHECK(target.deliver(batch(), {}).kind == Verdict::Kind::done);
  CHECK(function.event() == R"({"Records":[{"n":1},{"n":2},{"n":3},{"n":4}]})");
  const auto delivery = last();
  CHECK(delivery->result == Result::done);
  CHECK(delivery->time == clock.now());
  CHECK(delivery->mapping == "0a1b2c3d-0000-4000-8000-000000000002");
  CHECK(delivery->shard == batch().shard);
  CHECK(delivery->first == "101");
  CHECK(delivery->last == "104");
  CHECK(delivery->records == 4);
  CHECK(delivery->tries == 1);
  CHECK(*delivery->event == function.event());
  CHECK(delivery->answer == "null");
}

TEST_CASE_METHOD(Fixture, "a function gets only what its filter admits") {
  auto filtered = settings(std::nullopt);
  filtered.admits = [](const deliveries::Record& one) { return one.number != "102"; };
  FunctionTarget target(std::move(filtered));
  CHECK(target.admits(records[0]));
  CHECK_FALSE(target.admits(records[1]));
  CHECK(FunctionTarget(settings(std::nullopt)).admits(records[1]));
}

TEST_CASE_METHOD(Fixture, "failures that the function reports count if the mapping says so") {
  const Function function(R"({"batchItemFailures":[{"itemIdentifier":"103"}]})");
  CHECK(FunctionTarget(settings(function.place())).deliver(batch(), {}).kind == Verdict::Kind::done);
  auto reporting = settings(function.place());
  reporting.reports_failures = true;
  const Verdict verdict = FunctionTarget(std::move(reporting)).deliver(batch(), {});
  CHECK(verdict.kind == Verdict::Kind::partly);
  CHECK(verdict.done == 2);
  CHECK(last()->result == Result::partly);
  CHECK(last()->reason == "the function reported record 103 as failed");
}

TEST_CASE_METHOD(Fixture, "a function may keep a state in a window") {
  const Function function(R"({"state":{"n":4}})");
  auto windows = settings(function.place());
  windows.keeps_state = true;
  FunctionTarget target(std::move(windows));
  auto batch = this->batch();
  batch.window = ten_seconds();
  CHECK(target.deliver(batch, {}).state == R"({"n":4})");
  CHECK(function.event().find(R"("state":{},)") != std::string::npos);
}

TEST_CASE_METHOD(Fixture, "a function that is not there is no failure") {
  FunctionTarget target(settings(std::nullopt));
  const Verdict verdict = target.deliver(batch(), {});
  CHECK(verdict.kind == Verdict::Kind::unavailable);
  CHECK(verdict.reason == "it is not known where the function is; --lambda-endpoint says so");
  CHECK(last()->result == Result::unavailable);
}

// docs/service/triggers.md section 2
TEST_CASE_METHOD(Fixture, "an event above 6 MB never reaches the function, and counts as a try") {
  const Function function("null");
  records = {record("1", std::string(6 << 20, '1'))};
  FunctionTarget target(settings(function.place()));
  auto batch = this->batch();
  CHECK(target.deliver(batch, {}).kind == Verdict::Kind::failed);
  CHECK(function.event().empty());
  batch.tries = 1;
  target.discard(batch, Discard::retries_exhausted);
  CHECK(last()->answer.find("responseContext") == std::string::npos);
  CHECK(last()->answer.find(R"("approximateInvokeCount":1)") != std::string::npos);
}

TEST_CASE_METHOD(Fixture, "a bucket gets a document about discarded records, with the event") {
  REQUIRE(objects->create_bucket("failures").ok());
  const Function function("boom", 500);
  auto to_bucket = settings(function.place());
  to_bucket.on_failure = "arn:aws:s3:::failures";
  FunctionTarget target(std::move(to_bucket));
  auto batch = this->batch();
  CHECK(target.deliver(batch, {}).kind == Verdict::Kind::failed);
  batch.tries = 1;
  test::CapturedLog captured(base::LogLevel::warn);
  target.discard(batch, Discard::retries_exhausted);
  const std::string document = object("failures");
  CHECK(document.find(R"("responseContext":{"statusCode":500,)") != std::string::npos);
  CHECK(document.ends_with(R"("payload":"{\"Records\":[{\"n\":1},{\"n\":2},{\"n\":3},{\"n\":4}]}"})"));
  CHECK(last()->result == Result::discarded);
  CHECK(last()->reason == "RetryAttemptsExhausted");
  CHECK(last()->answer == document);
  CHECK(captured.text().find("records were discarded that a function did not take") != std::string::npos);
}

TEST_CASE_METHOD(Fixture, "a bucket may be of any partition") {
  for (const std::string partition : {"aws-cn", "aws-us-gov"}) {
    INFO(partition);
    REQUIRE(objects->create_bucket(partition + "-failures").ok());
    auto to_bucket = settings(std::nullopt);
    to_bucket.on_failure = "arn:" + partition + ":s3:::" + partition + "-failures";
    FunctionTarget target(std::move(to_bucket));
    target.discard(batch(), Discard::too_old);
    CHECK(object(partition + "-failures") == last()->answer);
    CHECK(last()->reason == "RecordAgeExceeded");
  }
}

TEST_CASE_METHOD(Fixture, "a URL gets the document by POST") {
  const Function receiver;
  auto to_url = settings(std::nullopt);
  to_url.on_failure = receiver.url();
  FunctionTarget target(std::move(to_url));
  target.discard(batch(), Discard::too_old);
  CHECK(receiver.event() == last()->answer);
  CHECK(last()->reason == "RecordAgeExceeded");
}

TEST_CASE_METHOD(Fixture, "a destination that does not take the document is named in the log") {
  const auto reason = [this](std::string destination) {
    auto unserved = settings(std::nullopt);
    unserved.on_failure = std::move(destination);
    FunctionTarget target(std::move(unserved));
    target.discard(batch(), Discard::too_old);
    return last()->reason;
  };
  CHECK(
      reason("arn:aws:sqs:us-east-1:000000000000:failures") ==
      "RecordAgeExceeded; the destination does not have it: 'arn:aws:sqs:us-east-1:000000000000:failures' is "
      "not served");
  CHECK(last()->answer.find("payload") == std::string::npos);
  CHECK(reason("arn:aws:s3:::missing").starts_with("RecordAgeExceeded; the destination does not have it: "));
  const Function refusing("no", 500);
  CHECK(reason(refusing.url()).ends_with("it answered 'HTTP/1.1 500 Internal Server Error'"));
}

TEST_CASE_METHOD(Fixture, "a delivery is sent again as it was") {
  Function function("boom", 500);
  FunctionTarget target(settings(function.place()));
  target.deliver(batch(), {});
  const auto failed = last();
  function.answer("42");
  const auto again = send_again(*failed, function.place(), std::chrono::seconds(20), *log, clock, {});
  CHECK(again->result == Result::done);
  CHECK(again->answer == "42");
  CHECK(again->repeats == failed->number);
  CHECK(again->reason.empty());
  CHECK(function.event() == *failed->event);
  CHECK(last() == again);
}

}  // namespace
}  // namespace dinette::lambda::function_target_test
