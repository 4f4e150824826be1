#include <atomic>
#include <future>
#include <latch>

#include <catch2/catch.hpp>

#include "dinette/http/server.h"

#include "dynamodb/batch.h"
#include "http/client.h"
#include "support/faulty_engine.h"

// What becomes of requests whose locks others hold: on an event loop they do not wait, but are run again
// where they may (http::Response::must_wait).
namespace test::waiting_test {

using dinette::test::FaultyEngine;
namespace http = dinette::http;

namespace {

/// The service on an engine whose transactions can be held while they have their locks.
struct Gated {
  FaultyEngine* engine = new FaultyEngine(dinette::kv::make_memory_engine());
  DynamoDb db{{}, std::unique_ptr<dinette::kv::Engine>(engine)};

  Gated() {
    db.create_table(the_table);
    db.create_table("Zoo");
  }
};

/// A request that holds its locks from construction until it is released.
class Holder {
 public:
  Holder(Gated& gated, std::string operation, Json body) : engine_(*gated.engine) {
    engine_.inside_transactions([this] {
      if (held_.exchange(true)) return;
      holds_.count_down();
      released_.wait();
    });
    reply_ = std::async(std::launch::async,
                        [&db = gated.db, operation, body] { return db.call(operation, body); });
    holds_.wait();
  }
  ~Holder() {
    if (reply_.valid()) release();
  }
  Holder(const Holder&) = delete;
  Holder& operator=(const Holder&) = delete;

  Reply release() {
    released_.count_down();
    return reply_.get();
  }

 private:
  FaultyEngine& engine_;
  std::atomic<bool> held_{false};
  std::latch holds_{1};
  std::latch released_{1};
  std::future<Reply> reply_;
};

Json put_of(std::string_view table, const Json& item) {
  return {{"TableName", table}, {"Item", item}};
}

/// A request as the event loop runs it, and as a worker runs it afterwards.
struct LoopCall {
  DynamoDb& db;
  std::string operation;
  std::string body;
  http::Response reply = {};

  void run(bool may_wait) {
    const std::string target = "DynamoDB_20120810." + operation;
    const std::vector<http::Header> headers = {{"X-Amz-Target", target}};
    http::Request request{
        .method = "POST", .target = "/", .headers = headers, .body = body, .remote = "test"};
    request.may_wait = may_wait;
    auto progress = std::move(reply.progress);
    reply.clear();
    reply.progress = std::move(progress);
    db.handle(request, reply);
  }
  Json json() const { return Json::parse(reply.body); }
};

}  // namespace

TEST_CASE("on an event loop a write whose item is locked is abandoned, and others are not") {
  Gated gated;
  Holder holder(gated, "PutItem", put_of(the_table, {{"pk", {{"S", "a"}}}, {"by", {{"S", "holder"}}}}));
  const auto [operation, members] = GENERATE(table<std::string, std::string>({
      {"PutItem", R"("Item": {"pk": {"S": "a"}, "x": {"N": "1"}})"},
      {"UpdateItem", update("SET x = :v", R"(":v": {"N": "1"})")},
      {"DeleteItem", ""},
  }));
  LoopCall locked{gated.db, operation, about_one_item(operation, members)};
  locked.run(false);
  CHECK(locked.reply.must_wait);
  CHECK(locked.reply.body.empty());
  LoopCall beside{gated.db, "PutItem", put_of(the_table, with_pk("b")).dump()};
  beside.run(false);
  CHECK(beside.reply.status == 200);
  CHECK_FALSE(beside.reply.must_wait);

  CHECK(holder.release().status == 200);
  CHECK(stored_attributes(gated.db)["by"]["S"] == "holder");
  locked.run(true);
  CHECK(locked.reply.status == 200);
  const Json after = stored_attributes(gated.db);
  CHECK((operation == "DeleteItem" ? after.is_null() : after["x"]["N"] == "1"));
}

TEST_CASE("on an event loop a change of tables that has to wait for others is abandoned") {
  Gated gated;
  Holder holder(gated, "UpdateTable", {{"TableName", the_table}, {"DeletionProtectionEnabled", true}});
  const Json tag = Json::array({{{"Key", "k"}, {"Value", "v"}}});
  const auto [operation, body] = GENERATE_COPY(table<std::string, Json>({
      {"DeleteTable", {{"TableName", "Zoo"}}},
      {"UpdateTable", {{"TableName", "Zoo"}, {"DeletionProtectionEnabled", false}}},
      {"TagResource", {{"ResourceArn", arn_of("Zoo")}, {"Tags", tag}}},
      // A write of a table that is being changed.
      {"PutItem", put_of(the_table, with_pk("a"))},
  }));
  LoopCall call{gated.db, operation, body.dump()};
  call.run(false);
  CHECK(call.reply.must_wait);
  CHECK(holder.release().status == 200);
  call.run(true);
  CHECK(call.reply.status == 200);
}

TEST_CASE("a batch continues after its wait where it was, and what it did before is done and counted once") {
  Gated gated;
  const Json wishes = {{"ReturnConsumedCapacity", "TOTAL"}};
  const Json large = {{"pk", {{"S", "first"}}}, {"text", {{"S", std::string(3000, 'x')}}}};
  const Json request = batch({{the_table, {delete_request(with_pk("first")), put_request(with_pk("a"))}},
                              {"Zoo", {put_request(with_pk("last"))}}},
                             wishes);
  gated.db.put(the_table, large);
  const Json alone = gated.db.ok("BatchWriteItem", request);
  gated.db.put(the_table, large);

  Holder holder(gated, "PutItem", put_of(the_table, with_pk("a")));
  LoopCall call{gated.db, "BatchWriteItem", request.dump()};
  call.run(false);
  CHECK(call.reply.must_wait);
  CHECK(gated.db.get(the_table, with_pk("first")).is_null());
  CHECK(holder.release().status == 200);
  std::atomic<int> transactions{0};
  gated.engine->inside_transactions([&] { ++transactions; });
  call.run(true);
  CHECK(transactions == 2);
  CHECK(call.json() == alone);
  CHECK(alone["ConsumedCapacity"][0]["CapacityUnits"] == 4.0);
}

TEST_CASE("clients of an event loop are served while another's write waits for an item") {
  Gated gated;
  http::ServerOptions options;
  options.tcp.threads = 1;
  http::Server server(std::move(options),
                      [&](const auto& request, auto& reply) { gated.db.handle(request, reply); });
  const std::uint16_t port = server.start().value();
  const auto post = [](std::string_view operation, const Json& body) {
    const std::string text = body.dump();
    return "POST / HTTP/1.1\r\nHost: localhost\r\nX-Amz-Target: DynamoDB_20120810." + std::string(operation) +
           "\r\nContent-Length: " + std::to_string(text.size()) + "\r\n\r\n" + text;
  };
  gated.db.put("Zoo", with_pk("a"));
  Holder holder(gated, "PutItem", put_of(the_table, with_pk("a")));
  http::Client waiting(port);
  http::Client other(port);
  REQUIRE(waiting.send(post("PutItem", put_of(the_table, {{"pk", {{"S", "a"}}}, {"x", {{"N", "1"}}}}))));
  for (int i = 0; i < 10; ++i)
    CHECK(other.ask(post("GetItem", {{"TableName", "Zoo"}, {"Key", with_pk("a")}})).status == 200);
  CHECK(holder.release().status == 200);
  CHECK(waiting.receive().status == 200);
  CHECK(stored_attributes(gated.db)["x"]["N"] == "1");
}

}  // namespace test::waiting_test
