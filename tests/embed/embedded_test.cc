#include "dinette/embedded.h"

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>

#include "dinette/http/client.h"

#include "embed/albums.h"

namespace dinette::embed_tests::embedded_test {
namespace {

using namespace std::chrono_literals;

constexpr EmbeddedTime new_year = std::chrono::sys_days(std::chrono::year(2030) / 1 / 1);

int count_of(Embedded& dynamodb) {
  const auto scanned = dynamodb.call("Scan", R"({"TableName": "Albums", "Select": "COUNT"})");
  const auto at = scanned.json.find("\"Count\":");
  return at == std::string::npos ? -1 : scanned.json[at + 8] - '0';
}

TEST_CASE("operations are answered as over HTTP") {
  Embedded dynamodb;
  CHECK(dynamodb.call("CreateTable", make_albums).status == 200);
  CHECK(dynamodb.call("PutItem", put_album).status == 200);
  CHECK(count_of(dynamodb) == 1);
  const auto streams = dynamodb.call("ListStreams", "{}");
  CHECK(streams.status == 200);
  CHECK(streams.json.find("Albums/stream/") != std::string::npos);
  const auto refused = dynamodb.call("PutItem", R"({"TableName": "Albums", "Item": {}})");
  CHECK(refused.status == 400);
  CHECK(refused.json.find("Missing the key artist in the item") != std::string::npos);
  CHECK(dynamodb.call("PlayAlbum", "{}").json.find("UnknownOperationException") != std::string::npos);
}

TEST_CASE("two services in one process share nothing") {
  Embedded one;
  Embedded other;
  one.call("CreateTable", make_albums);
  one.set_time(new_year);
  CHECK(other.call("ListTables", list_tables).json == R"({"TableNames":[]})");
  CHECK(other.now() < new_year);
}

TEST_CASE("several threads call one service, move its clock and reset it") {
  constexpr int rounds = 200;
  Embedded dynamodb;
  dynamodb.call("CreateTable", make_albums);
  std::atomic<int> moved = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < rounds; ++round) dynamodb.call("PutItem", put_album);
    });
    threads.emplace_back([&] {
      for (int round = 0; round < rounds; ++round) moved += dynamodb.advance(1h) ? 1 : 0;
    });
  }
  threads.emplace_back([&] {
    for (int round = 0; round < rounds; ++round) {
      dynamodb.freeze(round % 2 == 0);
      dynamodb.now();
    }
  });
  threads.emplace_back([&] {
    for (int round = 0; round < rounds / 10; ++round) {
      dynamodb.reset();
      dynamodb.call("CreateTable", make_albums);
    }
  });
  for (std::thread& thread : threads) thread.join();
  CHECK(moved == 2 * rounds);
  CHECK(dynamodb.call("ListTables", list_tables).json == R"({"TableNames":["Albums"]})");
}

TEST_CASE("services are made, called, served and destroyed in several threads at once") {
  std::atomic<int> well = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 10; ++round) {
        Embedded dynamodb;
        well += dynamodb.call("CreateTable", make_albums).status == 200 ? 1 : 0;
        well += dynamodb.call("PutItem", put_album).status == 200 ? 1 : 0;
        well += dynamodb.advance(25h) ? 1 : 0;
        well += dynamodb.serve().ok() ? 1 : 0;
        if (round % 2 == 0) dynamodb.stop();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(well == 4 * 10 * 4);
}

TEST_CASE("what falls due has happened when the clock has moved") {
  Embedded dynamodb;
  dynamodb.freeze();
  REQUIRE(dynamodb.set_time(new_year));
  dynamodb.call("CreateTable", make_albums);
  dynamodb.call("UpdateTimeToLive", expire_albums);
  dynamodb.call("PutItem", put_album);
  CHECK(dynamodb.now() == new_year);
  CHECK(dynamodb.advance(59s));
  CHECK(count_of(dynamodb) == 1);
  CHECK(dynamodb.advance(1h));
  CHECK(count_of(dynamodb) == 0);
  CHECK(dynamodb.now() == new_year + 59s + 1h);
  CHECK(dynamodb.advance(-1h));
  CHECK(dynamodb.now() == new_year + 59s);
  CHECK_FALSE(dynamodb.set_time(EmbeddedTime(-1us)));
  CHECK_FALSE(dynamodb.advance(std::chrono::years(9000)));
  CHECK(dynamodb.now() == new_year + 59s);
  dynamodb.freeze(false);
  CHECK(dynamodb.now() >= new_year + 59s);
}

TEST_CASE("tables are CREATING for as long as is asked") {
  Embedded dynamodb({.state_delay = 5s});
  dynamodb.freeze();
  CHECK(dynamodb.call("CreateTable", make_albums).json.find("\"CREATING\"") != std::string::npos);
  dynamodb.advance(5s);
  const auto described = dynamodb.call("DescribeTable", R"({"TableName": "Albums"})");
  CHECK(described.json.find("\"ACTIVE\"") != std::string::npos);
}

TEST_CASE("region, account and seed are those of the options") {
  const EmbeddedOptions options{.region = "eu-west-1", .account = "123456789012", .seed = 7};
  const auto table = [&] {
    Embedded dynamodb(options);
    dynamodb.freeze();
    dynamodb.set_time(new_year);
    return dynamodb.call("CreateTable", make_albums).json;
  };
  const auto made = table();
  CHECK(made.find("arn:aws:dynamodb:eu-west-1:123456789012:table/Albums") != std::string::npos);
  CHECK(made == table());
}

TEST_CASE("a reset drops the tables and returns to real time") {
  Embedded dynamodb;
  dynamodb.call("CreateTable", make_albums);
  dynamodb.set_time(EmbeddedTime{});
  dynamodb.reset();
  CHECK(dynamodb.call("ListTables", list_tables).json == R"({"TableNames":[]})");
  CHECK(dynamodb.now() > EmbeddedTime(std::chrono::days(10'000)));
}

TEST_CASE("a service is served, stopped and served again with the same tables") {
  Embedded dynamodb;
  dynamodb.call("CreateTable", make_albums);
  for (int round = 0; round < 2; ++round) {
    const auto port = dynamodb.serve();
    REQUIRE(port.ok());
    const auto listed = http::fetch({.host = "127.0.0.1", .port = *port},
                                    {.method = "POST",
                                     .headers = "X-Amz-Target: DynamoDB_20120810.ListTables\r\n"
                                                "Content-Type: application/x-amz-json-1.0\r\n",
                                     .body = list_tables});
    REQUIRE(listed.ok());
    CHECK(listed->body == R"({"TableNames":["Albums"]})");
    const auto again = dynamodb.serve();
    REQUIRE_FALSE(again.ok());
    CHECK(again.error() == "this service is being served already");
    Embedded other;
    const auto taken = other.serve(*port);
    REQUIRE_FALSE(taken.ok());
    CHECK(taken.error().find("another program has this port") != std::string::npos);
    dynamodb.stop();
  }
  dynamodb.stop();
}

TEST_CASE("several threads call one service") {
  Embedded dynamodb;
  dynamodb.call("CreateTable", make_albums);
  std::vector<int> statuses(8);
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < statuses.size(); ++i) {
      threads.emplace_back([&, i] {
        const auto item =
            R"({"TableName": "Albums", "Item": {"artist": {"S": ")" + std::to_string(i) + R"("}}})";
        statuses[i] = dynamodb.call("PutItem", item).status;
      });
    }
  }
  CHECK(statuses == std::vector<int>(8, 200));
  CHECK(count_of(dynamodb) == 8);
}

}  // namespace
}  // namespace dinette::embed_tests::embedded_test
