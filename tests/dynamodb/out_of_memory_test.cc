#include <array>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include <catch2/catch.hpp>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "dinette/base/compression.h"
#include "dinette/base/crc32.h"
#include "dinette/base/log.h"

#include "support/dynamodb.h"
#include "support/failing_new.h"
#include "support/worlds.h"

// A program of its own, for support/failing_new.cc replaces operator new.
namespace test::out_of_memory_test {
namespace {

using namespace dinette;  // NOLINT: the subject of this program

/// Log lines are written, to nowhere.
class UnseenLog {
 public:
  UnseenLog() { base::configure_log(base::LogLevel::info, base::LogFormat::json, nowhere_); }
  ~UnseenLog() {
    base::configure_log(base::LogLevel::warn, base::LogFormat::text);
    close(nowhere_);
  }
  UnseenLog(const UnseenLog&) = delete;
  UnseenLog& operator=(const UnseenLog&) = delete;

 private:
  int nowhere_ = open("/dev/null", O_WRONLY | O_CLOEXEC);
};

dynamodb::ServiceOptions logging() {
  dynamodb::ServiceOptions options;
  options.log_items = true;
  return options;
}

/// A service with a table, `Music`, an index of it, `ByTag`, and one large item.
class Server {
 public:
  Server() {
    create_table("Music");
    http::Response reply;
    const std::string text(10'000, 'x');
    answer("PutItem", R"({"TableName":"Music","Item":{"pk":{"S":"a"},"text":{"S":")" + text + R"("}}})",
           reply);
    REQUIRE(reply.status == 200);
  }

  void create_table(const std::string& name) {
    http::Response reply;
    answer("CreateTable",
           R"({"TableName":")" + name +
               R"(","BillingMode":"PAY_PER_REQUEST","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],)"
               R"("GlobalSecondaryIndexes":[{"IndexName":"ByTag","Projection":{"ProjectionType":"ALL"},)"
               R"("KeySchema":[{"AttributeName":"tag","KeyType":"HASH"}]}],)"
               R"("AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},)"
               R"({"AttributeName":"tag","AttributeType":"S"}]})",
           reply);
    REQUIRE(reply.status == 200);
  }

  /// A request that takes every way there is: it is packed, may be answered packed, is logged with its items,
  /// and comes from another origin.
  void answer(std::string_view operation, std::string_view body, http::Response& reply) {
    const std::string packed = base::compress(base::Compression::gzip, body);
    const std::string target = "DynamoDB_20120810." + std::string(operation);
    const std::array headers = {
        http::Header{"X-Amz-Target", target}, http::Header{"Content-Encoding", "gzip"},
        http::Header{"Accept-Encoding", "gzip"}, http::Header{"Origin", "http://localhost:3000"}};
    http::Request request;
    request.method = "POST";
    request.target = "/";
    request.headers = headers;
    request.body = packed;
    dinette::test::failing_allocation = fails_at;
    service_.handle(request, reply);
    was_reached = dinette::test::failing_allocation == 0;
    dinette::test::failing_allocation = 0;
  }

  /// The same where no allocation fails.
  void answer_unfailing(std::string_view operation, std::string_view body, http::Response& reply) {
    const bool reached = was_reached;
    const int failing = std::exchange(fails_at, 0);
    answer(operation, body, reply);
    fails_at = failing;
    was_reached = reached;
  }

  /// What a server says that has only just been started on the same data.
  void answer_afresh(std::string_view operation, std::string_view body, http::Response& reply) {
    tenancy::Worlds worlds(::test::test_worlds(engine_), clock_, ids_);
    dynamodb::Service service({}, worlds, clock_, ids_);
    const std::string target = "DynamoDB_20120810." + std::string(operation);
    const std::array headers = {http::Header{"X-Amz-Target", target}};
    http::Request request;
    request.method = "POST";
    request.target = "/";
    request.headers = headers;
    request.body = body;
    service.handle(request, reply);
  }

  int fails_at = 0;
  bool was_reached = false;

 private:
  base::ManualClock clock_;
  base::SeededIds ids_{1};
  std::shared_ptr<kv::Engine> engine_ = kv::make_memory_engine();
  tenancy::Worlds worlds_{::test::test_worlds(engine_), clock_, ids_};
  dynamodb::Service service_{logging(), worlds_, clock_, ids_};
};

void check_headers(const http::Response& reply) {
  CHECK(reply.headers.find("x-amzn-RequestId: ") != std::string::npos);
  CHECK(reply.headers.find("x-amz-crc32: " + std::to_string(base::crc32(reply.body)) + "\r\n") !=
        std::string::npos);
  CHECK(reply.headers.find("Access-Control-Allow-Origin: http://localhost:3000\r\n") != std::string::npos);
}

}  // namespace

// First of all, in processes of their own: OpenSSL gets itself ready once.
TEST_CASE("whichever allocation of a server's first digest fails, the server continues") {
  const std::string question =
      R"({"TableName":"Music","IndexName":"ByTag","KeyConditionExpression":"tag = :t",)"
      R"("ExpressionAttributeValues":{":t":{"S":")" +
      std::string(1'000, 't') + R"("}}})";
  const UnseenLog log;
  enum Child { reached, not_reached, wrong };
  const auto fail_at = [&](int allocation) {
    Server server;
    server.fails_at = allocation;
    http::Response reply;
    server.answer("Query", question, reply);
    http::Response next;
    server.answer_unfailing("Query", question, next);
    if ((reply.status != 200 && reply.status != 500) || next.status != 200) return wrong;
    return server.was_reached ? reached : not_reached;
  };
  int allocation = 0;
  for (int status = 0; WEXITSTATUS(status) != not_reached;) {
    ++allocation;
    const pid_t child = fork();
    if (child == 0) _exit(fail_at(allocation));
    REQUIRE(waitpid(child, &status, 0) == child);
    INFO("allocation " << allocation);
    REQUIRE(WIFEXITED(status));
    REQUIRE(WEXITSTATUS(status) != wrong);
  }
  CHECK(allocation > 3);
}

TEST_CASE("whichever allocation of a request fails, the answer is the service's 500, or what it should be") {
  const auto [operation, body] = GENERATE(table<const char*, const char*>({
      {"GetItem", R"({"TableName":"Music","Key":{"pk":{"S":"a"}}})"},
      {"GetItem", R"({"TableName":"Nowhere","Key":{"pk":{"S":"a"}}})"},
      {"GetItem", R"({"TableName":"Music","Key":{"pk":{"S":"a"}},"ProjectionExpression":"a b"})"},
      {"BatchGetItem", R"({"RequestItems":{"Music":{"Keys":[{"pk":{"S":"a"}},{"pk":{"S":"b"}}]}}})"},
      {"BatchWriteItem", R"({"RequestItems":{"Music":[{"PutRequest":{"Item":{"pk":{"S":"b"}}}},)"
                         R"({"DeleteRequest":{"Key":{"pk":{"S":"c"}}}}]}})"},
      {"BatchWriteItem", R"({"RequestItems":{"bad name":[{"PutRequest":{"Item":{"pk":{"S":"b"}}}}]}})"},
      {"TagResource", R"({"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/Music",)"
                      R"("Tags":[{"Key":"team","Value":"archive"}]})"},
      {"DescribeTable", R"({"TableName":"Music"})"},
      {"ListTables", "no JSON"},
  }));
  INFO(operation << " " << body);
  const UnseenLog log;
  Server server;
  http::Response good;
  server.answer(operation, body, good);
  check_headers(good);
  int failed = 0;
  for (server.was_reached = true; server.was_reached;) {
    ++server.fails_at;
    INFO("allocation " << server.fails_at);
    http::Response reply;
    server.answer(operation, body, reply);
    check_headers(reply);
    if (reply.body == good.body && reply.status == good.status) continue;
    ++failed;
    REQUIRE(reply.status == 500);
    CHECK(reply.content_type == "application/x-amz-json-1.0");
    CHECK(
        reply.body ==
        R"({"__type":"com.amazonaws.dynamodb.v20120810#InternalServerError","message":"Internal server error"})");
  }
  CHECK(failed > 3);
}

TEST_CASE("whichever allocation of a thread's first request fails, the thread continues") {
  const auto request = GENERATE(table<std::string, std::string>({
      {"GetItem", R"({"TableName":"Music","Key":{"pk":{"S":"b"}},"ProjectionExpression":"#n[0]",)"
                  R"("ExpressionAttributeNames":{"#n":"\"list\""}})"},
      {"Query", R"({"TableName":"Music","IndexName":"ByTag","KeyConditionExpression":"#t = :t",)"
                R"("ExpressionAttributeNames":{"#t":"tag"},"ExpressionAttributeValues":{":t":{"S":")" +
                    std::string(1'000, 't') + "\"}}}"},
      {"DescribeTable",
       R"({"TableName":"Music","Unknown":)" + std::string(500, '[') + std::string(500, ']') + "}"},
  }));
  const std::string& operation = std::get<0>(request);
  const std::string& body = std::get<1>(request);
  INFO(operation << " " << body);
  const UnseenLog log;
  Server server;
  http::Response put;
  server.answer("PutItem", R"({"TableName":"Music","Item":{"pk":{"S":"b"},"\"list\"":{"L":[{"S":"x\""}]}}})",
                put);
  REQUIRE(put.status == 200);
  http::Response good;
  std::thread([&] { server.answer(operation, body, good); }).join();
  REQUIRE(good.status == 200);
  int failed = 0;
  for (server.was_reached = true; server.was_reached;) {
    ++server.fails_at;
    INFO("allocation " << server.fails_at);
    http::Response reply;
    http::Response next;
    std::thread([&] {
      server.answer(operation, body, reply);
      server.answer_unfailing(operation, body, next);
    }).join();
    CHECK(next.status == 200);
    CHECK(next.body == good.body);
    if (reply.status == 200 && reply.body == good.body) continue;
    ++failed;
    REQUIRE(reply.status == 500);
  }
  CHECK(failed > 3);
}

TEST_CASE("whichever allocation of a write fails, it takes place with its index entries, or not at all") {
  const std::string operation = GENERATE("PutItem", "BatchWriteItem");
  const UnseenLog log;
  Server server;
  int failed = 0;
  int allocation = 0;
  for (server.was_reached = true; server.was_reached;) {
    const std::string name = "\"" + std::to_string(++allocation) + "\"";
    INFO("allocation " << name);
    const std::string item = R"({"pk":{"S":)" + name + R"(},"tag":{"S":)" + name + "}}";
    server.fails_at = allocation;
    http::Response reply;
    server.answer(operation,
                  operation == "PutItem"
                      ? R"({"TableName":"Music","Item":)" + item + "}"
                      : R"({"RequestItems":{"Music":[{"PutRequest":{"Item":)" + item + "}}]}}",
                  reply);
    failed += reply.status == 200 ? 0 : 1;
    const auto ask = [&](std::string_view question, const std::string& body) {
      http::Response answer;
      server.answer_unfailing(question, body, answer);
      REQUIRE(answer.status == 200);
      return answer.body;
    };
    const std::string found = ask("GetItem", R"({"TableName":"Music","Key":{"pk":{"S":)" + name + "}}}");
    const std::string indexed =
        ask("Query", R"({"TableName":"Music","IndexName":"ByTag","KeyConditionExpression":"tag = :t",)"
                     R"("ExpressionAttributeValues":{":t":{"S":)" +
                         name + "}}}");
    const bool written = found == R"({"Item":)" + item + "}";
    REQUIRE((written || found == "{}"));
    REQUIRE((written || reply.status == 500));
    REQUIRE(indexed == (written ? R"({"Items":[)" + item + R"(],"Count":1,"ScannedCount":1})"
                                : R"({"Items":[],"Count":0,"ScannedCount":0})"));
  }
  CHECK(failed > 3);
}

TEST_CASE(
    "whichever allocation of a table's change fails, servers that know the table and others see the same") {
  const UnseenLog log;
  Server server;
  const std::string table(100, 't');  // a copy of this name needs an allocation
  server.create_table(table);
  const std::string arn = R"("ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/)" + table + "\"";
  const std::string question = "{" + arn + "}";
  int failed = 0;
  bool was_reached = true;
  for (int allocation = 1; was_reached; ++allocation) {
    INFO("allocation " << allocation);
    const std::string value = "\"" + std::to_string(allocation) + "\"";
    http::Response changed;
    server.fails_at = allocation;
    server.answer("TagResource", "{" + arn + R"(,"Tags":[{"Key":"change","Value":)" + value + "}]}", changed);
    server.fails_at = 0;
    was_reached = server.was_reached;
    failed += changed.status == 500 ? 1 : 0;

    http::Response known;
    server.answer("ListTagsOfResource", question, known);
    http::Response afresh;
    server.answer_afresh("ListTagsOfResource", question, afresh);
    REQUIRE(known.status == 200);
    REQUIRE(known.body == afresh.body);
    if (changed.status == 200) REQUIRE(known.body.find(value) != std::string::npos);
  }
  CHECK(failed > 3);
}

}  // namespace test::out_of_memory_test
