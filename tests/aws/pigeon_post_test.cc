#include "aws/pigeon_post.h"

#include <set>

#include <catch2/catch.hpp>

#include "dinette/base/compression.h"
#include "dinette/base/crc32.h"

// The layer, seen from a service that is not DynamoDB.
namespace test::pigeon_post_test {
namespace {

namespace aws = dinette::aws;
using namespace std::chrono_literals;

constexpr auto moment = std::chrono::sys_days(std::chrono::year(2026) / 1 / 31) + 8h + 15min;

struct Fixture {
  explicit Fixture(aws::JsonServiceOptions options = {}) : service(std::move(options), clock) {}

  dinette::base::ManualClock clock{moment};
  PigeonPost service;
};

aws::JsonServiceOptions verifying() {
  return {.auth = {.mode = aws::AuthMode::verify,
                   .credentials = {{"AKIAEXAMPLE", {"wJalrXUtnFEMI/K7MDENG", "", "123456789012"}}}}};
}

// The signature was computed by botocore 1.29 for this service, key, moment and body.
const std::string signature = "00206fb7ae016a68ed4d954e62ae05aff0307f72840911f935b1a1d3be36b76b";

PigeonPost::Headers signed_count(const std::string& scope = "20260131/eu-west-2/pigeons/aws4_request") {
  return {{"Host", "localhost:8000"},
          {"X-Amz-Target", "PigeonPost_20300101.CountPigeons"},
          {"X-Amz-Date", "20260131T081500Z"},
          {"Authorization", "AWS4-HMAC-SHA256 Credential=AKIAEXAMPLE/" + scope +
                                ", SignedHeaders=host;x-amz-date;x-amz-target, Signature=" + signature}};
}

TEST_CASE("a target finds its operation, whose answer is in the service's content type") {
  Fixture f;
  const auto released = f.service.call("ReleasePigeon", R"({"Name":"walter","Speed":"FAST","Grams":5})");
  CHECK(released.status == 200);
  CHECK(released.content_type == "application/x-amz-json-1.1");
  CHECK(released.body == R"({"Minutes":15})");
  CHECK(f.service.call("CountPigeons", "").body ==
        R"({"Account":"000000000000","Region":"us-east-1","Released":1})");
}

TEST_CASE("other targets are unknown, planned ones with a sentence") {
  Fixture f;
  for (const char* target : {"DynamoDB_20120810.CountPigeons", "PigeonPost_20300101.", "CountPigeons", ""}) {
    const auto reply = f.service.send("POST", "/", {{"X-Amz-Target", target}}, "{}");
    CHECK(reply.status == 404);
    CHECK(reply.body == R"({"__type":"pigeons#UnknownOperation"})");
  }
  CHECK(f.service.call("RecallPigeon", "{}").body ==
        R"({"__type":"pigeons#UnknownOperation","message":"Dinette does not serve RecallPigeon yet"})");
}

TEST_CASE("errors of the operation have their own form, status and members") {
  Fixture f;
  const auto reply = f.service.call("ReleasePigeon", R"({"Name":"dodo"})");
  CHECK(reply.status == 409);
  CHECK(reply.body ==
        R"({"__type":"pigeons#NoFlyException","message":"A dodo does not fly","ExtinctSince":1662})");
}

TEST_CASE("an exception is the service's internal error") {
  Fixture f;
  const auto reply = f.service.call("ReleasePigeon", R"({"Name":"phoenix"})");
  CHECK(reply.status == 503);
  CHECK(reply.body == R"({"__type":"pigeons#PigeonFault","Message":"Internal server error"})");
  CHECK(reply.header("x-amzn-RequestId").size() == 52);
}

TEST_CASE("bodies that are not JSON objects, or have wrong types, are illegible") {
  Fixture f;
  for (const char* body : {"{", "[]", "1", "\"x\""})
    CHECK(f.service.call("CountPigeons", body).body == R"({"__type":"pigeons#Illegible"})");
  CHECK(f.service.call("ReleasePigeon", R"({"Name":5})").body ==
        R"({"__type":"pigeons#Illegible","message":"NUMBER_VALUE cannot be converted to String"})");
  CHECK(f.service.call("ReleasePigeon", R"({"Grams":3000000000})").body ==
        R"({"__type":"pigeons#Illegible","message":"NUMBER_VALUE cannot be converted to Integer"})");
}

TEST_CASE("violated constraints are collected in the order of the table") {
  Fixture f;
  const auto sentence = [&](std::string_view body) {
    const auto reply = f.service.call("ReleasePigeon", body);
    CHECK(reply.status == 400);
    const std::string front = R"({"__type":"pigeons#BadFeathers","message":")";
    CHECK(reply.body.starts_with(front));
    return reply.body.substr(front.size(), reply.body.size() - front.size() - 2);
  };
  CHECK(sentence("{}") ==
        "1 validation error detected: Value null at 'name' failed to satisfy constraint: Member must not be "
        "null");
  CHECK(sentence(R"({"Grams":76,"Speed":"IDLE","Name":"walter"})") ==
        "2 validation errors detected: Value 'IDLE' at 'speed' failed to satisfy constraint: Member must "
        "satisfy enum value set: [SLOW, FAST]; Value at 'Grams' failed to satisfy constraint: Member must "
        "have value less than or equal to 75");
  CHECK(sentence(R"({"Name":"W"})") ==
        "2 validation errors detected: Value 'W' at 'name' failed to satisfy constraint: Member must satisfy "
        "regular expression pattern: [a-z]+; Value 'W' at 'name' failed to satisfy constraint: Member must "
        "have length greater than or equal to 3");
}

TEST_CASE("a right signature for this service passes and says who calls") {
  Fixture f(verifying());
  const auto reply = f.service.send("POST", "/", signed_count(), "{}");
  CHECK(reply.body == R"({"Account":"123456789012","Region":"eu-west-2","Released":0})");
}

TEST_CASE("signatures are checked after the target and the JSON, and answered with the service's errors") {
  Fixture f(verifying());
  CHECK(f.service.call("FeedPigeons", "{").status == 404);
  CHECK(f.service.call("CountPigeons", "{").body == R"({"__type":"pigeons#Illegible"})");
  const auto unsigned_call = f.service.call("CountPigeons", "{}");
  CHECK(unsigned_call.status == 403);
  CHECK(unsigned_call.body ==
        R"({"__type":"pigeons#MissingToken","message":"Request is missing Authentication Token"})");
  const auto changed = f.service.send("POST", "/", signed_count(), R"({"a":1})");
  CHECK(changed.body.starts_with(
      R"({"__type":"pigeons#InvalidSignature","message":"The request signature we calculated)"));
  const auto elsewhere =
      f.service.send("POST", "/", signed_count("20260131/eu-west-2/dynamodb/aws4_request"), "{}");
  CHECK(elsewhere.body == R"({"__type":"pigeons#InvalidSignature","message":)"
                          R"("Credential should be scoped to correct service: 'pigeons'. "})");
  CHECK(f.service.send("POST", "/", signed_count("of/four/parts"), "{}")
            .body.starts_with(R"({"__type":"pigeons#IncompleteSignature")"));
  PigeonPost::Headers other = signed_count();
  std::string& authorization = other.back().second;
  authorization.replace(authorization.find("AKIAEXAMPLE"), 11, "AKIASTRANGER");
  CHECK(f.service.send("POST", "/", other, "{}").body.starts_with(R"({"__type":"pigeons#UnknownSender")"));
}

TEST_CASE("every response has an id of its own and the check sum of its body") {
  Fixture f;
  std::set<std::string> ids;
  const std::vector<PigeonPost::Reply> replies = {f.service.call("CountPigeons", "{}"),
                                                  f.service.call("CountPigeons", "{"),
                                                  f.service.call("Nothing", "{}"),
                                                  f.service.send("GET", "/", {}, ""),
                                                  f.service.send("PUT", "/", {}, ""),
                                                  f.service.send("OPTIONS", "/", {}, ""),
                                                  f.service.refused(413),
                                                  f.service.refused(400)};
  for (const auto& reply : replies) {
    CHECK(ids.insert(reply.header("x-amzn-RequestId")).second);
    CHECK(reply.header("x-amzn-RequestId").size() == 52);
    CHECK(reply.header("x-amz-crc32") == std::to_string(dinette::base::crc32(reply.body)));
  }
}

TEST_CASE("application/json is answered in kind") {
  Fixture f;
  const auto reply = f.service.send(
      "POST", "/",
      {{"X-Amz-Target", "PigeonPost_20300101.CountPigeons"}, {"Content-Type", "application/json"}}, "{}");
  CHECK(reply.content_type == "application/json");
}

TEST_CASE("health, other methods and paths, and pages that may not call") {
  Fixture f;
  CHECK(f.service.send("GET", "/", {}, "").body == "coo");
  CHECK(f.service.send("POST", "/loft", {}, "").status == 404);
  const auto page = f.service.send("POST", "/", {{"Origin", "https://cat.example"}}, "{}");
  CHECK(page.status == 403);
  CHECK(page.body.starts_with(R"({"__type":"pigeons#AccessDeniedException")"));
}

TEST_CASE("limits are the service's own") {
  Fixture f;
  CHECK(f.service.send("GET", "/?" + std::string(998, 'a'), {}, "").status == 200);
  CHECK(f.service.send("GET", "/?" + std::string(999, 'a'), {}, "").status == 400);

  const PigeonPost::Headers count = {{"X-Amz-Target", "PigeonPost_20300101.CountPigeons"}};
  const auto body = [](std::size_t size) { return "{}" + std::string(size - 2, ' '); };
  CHECK_FALSE(f.service.send("POST", "/", count, body(500), false).must_wait);
  CHECK(f.service.send("POST", "/", count, body(501), false).must_wait);
  CHECK(f.service.send("POST", "/", count, body(501)).status == 200);

  PigeonPost::Headers packed = count;
  packed.emplace_back("Content-Encoding", "gzip");
  const auto send_packed = [&](std::size_t size) {
    const auto text = dinette::base::compress(dinette::base::Compression::gzip, body(size));
    return f.service.send("POST", "/", packed, text).status;
  };
  CHECK(send_packed(2000) == 200);
  CHECK(send_packed(2001) == 503);

  const auto coding = [&](std::size_t length) {
    const std::string text = R"({"Name":")" + std::string(length, 'X') + R"("})";
    return f.service
        .send("POST", "/",
              {{"X-Amz-Target", "PigeonPost_20300101.ReleasePigeon"}, {"Accept-Encoding", "gzip"}}, text)
        .header("Content-Encoding");
  };
  CHECK(coding(5) == "gzip");
  CHECK(f.service
            .send("POST", "/",
                  {{"X-Amz-Target", "PigeonPost_20300101.CountPigeons"}, {"Accept-Encoding", "gzip"}}, "{}")
            .header("Content-Encoding")
            .empty());
}

}  // namespace
}  // namespace test::pigeon_post_test
