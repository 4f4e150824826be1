#include <array>
#include <memory>
#include <string>

#include <catch2/catch.hpp>
#include <fcntl.h>
#include <unistd.h>

#include "dinette/base/crc32.h"
#include "dinette/base/gzip.h"
#include "dinette/base/log.h"

#include "support/dynamodb.h"
#include "support/failing_new.h"

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

/// A service with a table, `Music`, and one large item.
class Server {
 public:
  Server() {
    create_table("Music");
    net::HttpReply reply;
    const std::string text(10'000, 'x');
    answer("PutItem", R"({"TableName":"Music","Item":{"pk":{"S":"a"},"text":{"S":")" + text + R"("}}})",
           reply);
    REQUIRE(reply.status == 200);
  }

  void create_table(const std::string& name) {
    net::HttpReply reply;
    answer("CreateTable",
           R"({"TableName":")" + name +
               R"(","BillingMode":"PAY_PER_REQUEST","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],)"
               R"("AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}]})",
           reply);
    REQUIRE(reply.status == 200);
  }

  /// A request that takes every way there is: it is packed, may be answered packed, is logged with its items,
  /// and comes from another origin.
  void answer(std::string_view operation, std::string_view body, net::HttpReply& reply) {
    const std::string packed = base::gzip_compress(body);
    const std::string target = "DynamoDB_20120810." + std::string(operation);
    const std::array headers = {
        net::HttpHeader{"X-Amz-Target", target}, net::HttpHeader{"Content-Encoding", "gzip"},
        net::HttpHeader{"Accept-Encoding", "gzip"}, net::HttpHeader{"Origin", "http://elsewhere"}};
    net::HttpRequest request;
    request.method = "POST";
    request.target = "/";
    request.headers = headers;
    request.body = packed;
    dinette::test::failing_allocation = fails_at;
    service_.handle(request, reply);
    was_reached = dinette::test::failing_allocation == 0;
    dinette::test::failing_allocation = 0;
  }

  /// What a server says that has only just been started on the same data.
  void answer_afresh(std::string_view operation, std::string_view body, net::HttpReply& reply) {
    store::Store store(*engine_, clock_, ids_, dynamodb::face());
    dynamodb::Service service({}, store, background_, clock_, ids_);
    const std::string target = "DynamoDB_20120810." + std::string(operation);
    const std::array headers = {net::HttpHeader{"X-Amz-Target", target}};
    net::HttpRequest request;
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
  std::unique_ptr<kv::Engine> engine_ = kv::make_memory_engine();
  store::Store store_{*engine_, clock_, ids_, dynamodb::face()};
  base::ManualBackground background_;
  dynamodb::Service service_{logging(), store_, background_, clock_, ids_};
};

void check_headers(const net::HttpReply& reply) {
  CHECK(reply.headers.find("x-amzn-RequestId: ") != std::string::npos);
  CHECK(reply.headers.find("x-amz-crc32: " + std::to_string(base::crc32(reply.body)) + "\r\n") !=
        std::string::npos);
  CHECK(reply.headers.find("Access-Control-Allow-Origin: *\r\n") != std::string::npos);
}

}  // namespace

TEST_CASE("Whichever allocation of a request fails, the answer is the service's 500, or what it should be") {
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
  net::HttpReply good;
  server.answer(operation, body, good);
  check_headers(good);
  int failed = 0;
  for (server.was_reached = true; server.was_reached;) {
    ++server.fails_at;
    INFO("allocation " << server.fails_at);
    net::HttpReply reply;
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

TEST_CASE(
    "Whichever allocation of a table's change fails, servers that know the table and others see the same") {
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
    net::HttpReply changed;
    server.fails_at = allocation;
    server.answer("TagResource", "{" + arn + R"(,"Tags":[{"Key":"change","Value":)" + value + "}]}", changed);
    server.fails_at = 0;
    was_reached = server.was_reached;
    failed += changed.status == 500 ? 1 : 0;

    net::HttpReply known;
    server.answer("ListTagsOfResource", question, known);
    net::HttpReply afresh;
    server.answer_afresh("ListTagsOfResource", question, afresh);
    REQUIRE(known.status == 200);
    REQUIRE(known.body == afresh.body);
    if (changed.status == 200) REQUIRE(known.body.find(value) != std::string::npos);
  }
  CHECK(failed > 3);
}

}  // namespace test::out_of_memory_test
