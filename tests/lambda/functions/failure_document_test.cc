#include "lambda/functions/failure_document.h"

#include <string>

#include <catch2/catch.hpp>

#include "lambda/functions/batches.h"

// docs/service/triggers.md section 3.5, and section 5 for tumbling windows
namespace dinette::lambda::failure_document_test {
namespace {

using deliveries::Discard;

const MappingNames names{.id = "0a1b2c3d-0000-4000-8000-000000000002",
                         .function = "arn:aws:lambda:us-east-1:000000000000:function:bill",
                         .stream = "arn:aws:dynamodb:us-east-1:000000000000:table/T/stream/L",
                         .kind = StreamKind::dynamodb};

DiscardedBatch discarded(const deliveries::Batch& batch, Discard why = Discard::retries_exhausted) {
  return {batch, why, names, LastTry{200, "1", true}, at("2026-09-17T13:08:40.262Z")};
}

const std::string request =
    R"({"requestContext":{"requestId":"6b3b4a8c-0000-4000-8000-000000000001","functionArn":"arn:aws:lambda:us-east-1:000000000000:function:bill","condition":)";
const std::string shard = R"({"shardId":"shardId-00000001789649399079-0d666f96",)";
const std::string stream_end = R"("streamArn":"arn:aws:dynamodb:us-east-1:000000000000:table/T/stream/L"})";

TEST_CASE("a document says what was discarded, and why") {
  const std::vector records{record("588")};
  auto batch = batch_of(records);
  batch.tries = 2;
  CHECK(failure_document(discarded(batch), std::nullopt) ==
        request +
            R"("RetryAttemptsExhausted","approximateInvokeCount":2},)"
            R"("responseContext":{"statusCode":200,"executedVersion":"1","functionError":"Unhandled"},)"
            R"("version":"1.0","timestamp":"2026-09-17T13:08:40.262Z","DDBStreamBatchInfo":)" +
            shard +
            R"("startSequenceNumber":"588","endSequenceNumber":"588",)"
            R"("approximateArrivalOfFirstRecord":"2026-09-17T13:07:30Z",)"
            R"("approximateArrivalOfLastRecord":"2026-09-17T13:07:30Z","batchSize":1,)" +
            stream_end + "}");
}

TEST_CASE("a document of several records has the first, the last and their number") {
  const auto records = four_records();
  const auto document = failure_document(discarded(batch_of(records)), std::nullopt);
  CHECK(document.find(R"("startSequenceNumber":"101","endSequenceNumber":"104")") != std::string::npos);
  CHECK(document.find(R"("batchSize":4)") != std::string::npos);
}

TEST_CASE("a function that only reported failures had no error") {
  const auto records = four_records();
  const auto batch = batch_of(records);
  auto reported = discarded(batch);
  reported.last = LastTry{200, "$LATEST", false};
  CHECK(
      failure_document(reported, std::nullopt)
          .find(R"("responseContext":{"statusCode":200,"executedVersion":"$LATEST","functionError":null})") !=
      std::string::npos);
}

TEST_CASE("a document of records that the function never got has no response") {
  const auto records = four_records();
  const auto batch = batch_of(records);
  auto never = discarded(batch);
  never.last.reset();
  CHECK(failure_document(never, std::nullopt).find("responseContext") == std::string::npos);
}

TEST_CASE("a document of records that are too old has no response, and counts one try at least") {
  const auto records = four_records();
  auto batch = batch_of(records);
  CHECK(failure_document(discarded(batch, Discard::too_old), std::nullopt)
            .starts_with(request + R"("RecordAgeExceeded","approximateInvokeCount":1},"version":"1.0",)"));
  batch.tries = 8;
  CHECK(failure_document(discarded(batch, Discard::too_old), std::nullopt)
            .starts_with(request + R"("RecordAgeExceeded","approximateInvokeCount":8},"version":"1.0",)"));
}

TEST_CASE("a document of a Kinesis stream has milliseconds") {
  const std::vector records{record("4959")};
  const auto batch = batch_of(records);
  auto of_kinesis = names;
  of_kinesis.kind = StreamKind::kinesis;
  const DiscardedBatch kinesis{batch, Discard::too_old, of_kinesis, std::nullopt, at("2026-09-17T13:08:40Z")};
  const auto document = failure_document(kinesis, std::nullopt);
  CHECK(document.find(R"("timestamp":"2026-09-17T13:08:40.000Z","KinesisBatchInfo":{"shardId")") !=
        std::string::npos);
  CHECK(document.find(R"("approximateArrivalOfFirstRecord":"2026-09-17T13:07:30.250Z")") !=
        std::string::npos);
}

TEST_CASE("a document of the final call of a window has the window") {
  auto batch = batch_of({});
  batch.tries = 1;
  batch.window = ten_seconds();
  batch.window->is_final = true;
  CHECK(failure_document(discarded(batch), std::nullopt)
            .ends_with(R"("DDBStreamBatchInfo":)" + shard + stream_end +
                       R"(,"timeWindowInfo":{"window":{"start":"2026-09-17T12:50:50Z","end":)"
                       R"("2026-09-17T12:51:00Z"},"isFinalInvokeForWindow":true,)"
                       R"("isWindowTerminatedEarly":false}})"));
}

TEST_CASE("a bucket gets the event as a string, at a key of mapping, shard and time") {
  const auto records = four_records();
  const auto batch = batch_of(records);
  CHECK(
      failure_document(discarded(batch), R"({"Records":[]})").ends_with(R"(,"payload":"{\"Records\":[]}"})"));
  CHECK(failure_key(discarded(batch), "11111111-2222-4333-8444-555555555555") ==
        "aws/lambda/0a1b2c3d-0000-4000-8000-000000000002/shardId-00000001789649399079-0d666f96/2026/09/17/"
        "2026-09-17T13.08.40-11111111-2222-4333-8444-555555555555");
}

}  // namespace
}  // namespace dinette::lambda::failure_document_test
