#include "lambda/functions/function_event.h"

#include <catch2/catch.hpp>

#include "lambda/functions/batch_verdict.h"
#include "lambda/functions/batches.h"

// docs/service/triggers.md sections 2, 5 and 6
namespace dinette::lambda::function_event_test {
namespace {

constexpr std::string_view stream =
    "arn:aws:dynamodb:us-east-1:000000000000:table/T/stream/2026-09-17T12:49:54.528";

TEST_CASE("an event has the records, and nothing else") {
  const auto records = four_records();
  CHECK(event_of(batch_of(records), stream) == R"({"Records":[{"n":1},{"n":2},{"n":3},{"n":4}]})");
}

TEST_CASE("in a tumbling window, an event has the window and its state") {
  const std::vector records{record("1", R"({"n":1})")};
  auto batch = batch_of(records);
  batch.window = ten_seconds();
  const std::string rest =
      R"(],"shardId":"shardId-00000001789649399079-0d666f96","eventSourceARN":")" + std::string(stream) +
      R"(","window":{"start":"2026-09-17T12:50:50Z","end":"2026-09-17T12:51:00Z"},"state":)";
  CHECK(event_of(batch, stream) ==
        R"({"Records":[{"n":1})" + rest +
            R"({},"isFinalInvokeForWindow":false,"isWindowTerminatedEarly":false})");
  batch.records = {};
  batch.window = ten_seconds(R"({"sum":7})");
  batch.window->is_final = true;
  CHECK(event_of(batch, stream) ==
        R"({"Records":[)" + rest +
            R"({"sum":7},"isFinalInvokeForWindow":true,"isWindowTerminatedEarly":false})");
  batch.window->is_early = true;
  CHECK(
      event_of(batch, stream).ends_with(R"("isFinalInvokeForWindow":true,"isWindowTerminatedEarly":true})"));
}

TEST_CASE("the events of full batches are not too large") {
  const std::size_t most = most_batch_bytes(true);
  std::vector<deliveries::Record> records(10'000, record("1", std::string(most / 10'000, '1')));
  auto batch = batch_of(records);
  batch.window = ten_seconds(std::string(most_state_bytes, '1'));
  CHECK(event_of(batch, stream).size() <= most_event_bytes);
  CHECK(most_batch_bytes(false) > most);
}

}  // namespace
}  // namespace dinette::lambda::function_event_test
