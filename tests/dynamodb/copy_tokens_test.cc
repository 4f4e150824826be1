#include <cstddef>
#include <latch>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "dynamodb/concurrent_clients.h"
#include "support/random_seed.h"
#include "support/tables.h"

// Requests with one token and different tables, at the same instant: one begins, the others are in conflict
// with it (docs/service/export-import.md).
namespace test::copy_tokens_test {
namespace {

constexpr int tables = 4;

std::string name_of_table(int number) {
  return "Table" + std::to_string(number);
}

/// Sends `request(number)` from as many threads. Returns how many were accepted.
template <class MakeRequest>
int accepted(DynamoDb& db, const std::string& operation, const std::string& error, MakeRequest request) {
  std::vector<Reply> replies(tables);
  std::latch ready(tables);
  in_threads(tables, [&](int number) {
    const Json body = request(number);
    ready.arrive_and_wait();
    replies[static_cast<std::size_t>(number)] = db.call(operation, body);
  });
  int count = 0;
  for (const Reply& reply : replies) {
    if (reply.status == 200)
      ++count;
    else
      CHECK(reply.error() == error);
  }
  return count;
}

}  // namespace

TEST_CASE("of exports of different tables with one token one begins") {
  DynamoDb db;
  for (int number = 0; number < tables; ++number) {
    const std::string name = name_of_table(number);
    db.create_table(name);
    db.clock().advance(std::chrono::seconds(2));
    db.ok(
        "UpdateContinuousBackups",
        {{"TableName", name}, {"PointInTimeRecoverySpecification", {{"PointInTimeRecoveryEnabled", true}}}});
  }
  for (int round = 0; round < dinette::test::rounds_of(100); ++round) {
    const auto request = [&](int number) -> Json {
      return {{"TableArn", "arn:aws:dynamodb:us-east-1:000000000000:table/" + name_of_table(number)},
              {"S3Bucket", "exports"},
              {"ClientToken", "token" + std::to_string(round)}};
    };
    REQUIRE(accepted(db, "ExportTableToPointInTime", "ExportConflictException", request) == 1);
  }
}

TEST_CASE("of imports into different tables with one token one begins") {
  DynamoDb db;
  for (int round = 0; round < dinette::test::rounds_of(40); ++round) {
    const auto request = [&](int number) -> Json {
      return {{"ClientToken", "token" + std::to_string(round)},
              {"S3BucketSource", {{"S3Bucket", "source"}}},
              {"InputFormat", "CSV"},
              {"TableCreationParameters", with(on_demand(), {{"TableName", name_of_table(number)}})}};
    };
    REQUIRE(accepted(db, "ImportTable", "ImportConflictException", request) == 1);
  }
}

TEST_CASE("of bulk operations on different tables with one token one begins") {
  DynamoDb db;
  for (int number = 0; number < tables; ++number) db.create_table(name_of_table(number));
  db.clock().advance(std::chrono::seconds(2));
  for (int round = 0; round < dinette::test::rounds_of(40); ++round) {
    const auto request = [&](int number) -> Json {
      return {{"TableName", name_of_table(number)},
              {"ClientToken", "token" + std::to_string(round)},
              {"InputS3Configuration", {{"S3Bucket", "source"}, {"InputFormat", "DYNAMODB_JSON"}}},
              {"OutputS3Configuration", {{"S3Bucket", "reports"}, {"OutputType", {"ERROR"}}}}};
    };
    REQUIRE(accepted(db, "StartBulkPutItems", "IdempotentParameterMismatchException", request) == 1);
    db.jobs().run_due();
  }
}

}  // namespace test::copy_tokens_test
