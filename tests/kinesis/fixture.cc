#include "kinesis/fixture.h"

#include <cstdio>

#include <catch2/catch.hpp>

#include "dinette/base/base64.h"
#include "dinette/http/message.h"
#include "dinette/kinesis/verify.h"

#include "support/engines.h"

namespace test::kinesis {

using namespace dinette;

namespace {

// 2026-10-10T12:00:00Z
constexpr base::TimePoint start{std::chrono::microseconds(1'791'633'600'000'000)};

tenancy::WorldsOptions worlds_of(std::shared_ptr<kv::Engine> engine) {
  tenancy::WorldsOptions options;
  options.engines = make_test_engines();
  options.default_engine = std::move(engine);
  options.faces = {dinette::kinesis::world_face()};
  options.run_jobs = false;
  return options;
}

}  // namespace

std::string Reply::refusal() const {
  if (status == 200) return "200 " + body;
  const Json error = json();
  return error.at("__type").get<std::string>() + ": " + error.value("message", "");
}

Kinesis::Kinesis(dinette::kinesis::ServiceOptions options, std::shared_ptr<kv::Engine> engine)
    : clock_(start),
      worlds_(worlds_of(std::move(engine)), clock_, ids_),
      service_(std::move(options), worlds_, clock_, ids_) {}

Kinesis::~Kinesis() {
  for (const tenancy::ListedWorld& world : worlds_.list()) {
    const auto fail = [](const std::string& fault) { FAIL_CHECK(fault); };
    const auto checked = dinette::kinesis::verify_streams(*world.world, fail);
    if (!checked) fail(checked.error().message);
  }
}

Reply Kinesis::call(std::string_view operation, std::string_view body, const Headers& headers,
                    bool may_wait) {
  const std::string target = "Kinesis_20131202." + std::string(operation);
  std::vector<http::Header> views{{"Host", "localhost:8000"}, {"X-Amz-Target", target}};
  for (const auto& [name, value] : headers) views.push_back({name, value});
  const http::Request request{.method = "POST",
                              .target = "/",
                              .headers = views,
                              .body = body,
                              .remote = "test",
                              .may_wait = may_wait};
  http::Response response;
  service_.handle(request, response);
  return {response.status, std::string(response.content_type), response.body, response.must_wait};
}

Json Kinesis::ok(std::string_view operation, const Json& body) {
  const Reply reply = call(operation, body);
  INFO(operation << " " << body.dump().substr(0, 500) << " -> " << reply.body.substr(0, 500));
  REQUIRE(reply.status == 200);
  return reply.body.empty() ? Json::object() : reply.json();
}

void Kinesis::create(std::string_view name, int shards) {
  ok("CreateStream", {{"StreamName", name}, {"ShardCount", shards}});
}

std::string Kinesis::put(std::string_view stream, std::string_view partition_key, std::string_view data) {
  return ok("PutRecord",
            {{"StreamName", stream}, {"PartitionKey", partition_key}, {"Data", base::base64_encode(data)}})
      .at("SequenceNumber");
}

std::string Kinesis::iterator(std::string_view stream, std::string_view shard, const Json& more) {
  Json request = {{"StreamName", stream}, {"ShardId", shard}, {"ShardIteratorType", "TRIM_HORIZON"}};
  if (!more.is_null()) request.update(more);
  return ok("GetShardIterator", request).at("ShardIterator");
}

std::vector<std::string> Kinesis::read(std::string iterator) {
  std::vector<std::string> all;
  for (;;) {
    const Json page = ok("GetRecords", {{"ShardIterator", iterator}});
    for (const Json& record : page.at("Records"))
      all.push_back(base::base64_decode(record.at("Data").get<std::string>()).value());
    if (!page.contains("NextShardIterator")) return all;
    if (page.at("Records").empty() && page.at("MillisBehindLatest") == 0) return all;
    iterator = page.at("NextShardIterator");
  }
}

Json Kinesis::shards(std::string_view stream) {
  return ok("ListShards", {{"StreamName", stream}}).at("Shards");
}

void Kinesis::advance(std::chrono::microseconds time) {
  clock_.advance(time);
  for (const tenancy::ListedWorld& one : worlds_.list()) one.world->jobs().run_due();
}

std::string shard(int number) {
  char text[32];
  std::snprintf(text, sizeof text, "shardId-%012d", number);
  return text;
}

}  // namespace test::kinesis
