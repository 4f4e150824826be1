#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "dinette/base/compression.h"
#include "dinette/base/crc32.h"
#include "dinette/observe/recent_requests.h"

#include "aws/pigeon_post.h"
#include "support/captured_log.h"
#include "support/cbor.h"

// An AWS service in CBOR, by Smithy RPC v2 and with X-Amz-Target: docs/service/wire.md section 10.
namespace test::cbor_service_test {
namespace {

namespace aws = dinette::aws;
namespace base = dinette::base;
using Json = nlohmann::json;
using namespace std::chrono_literals;

constexpr auto moment = std::chrono::sys_days(std::chrono::year(2026) / 1 / 31) + 8h + 15min;

const std::string smithy_type = "application/cbor";
const std::string amz_type = "application/x-amz-cbor-1.1";

struct Fixture {
  explicit Fixture(aws::JsonServiceOptions options = {}) : service(std::move(options), clock) {}

  PigeonPost::Reply smithy(const std::string& operation, const std::string& body,
                           PigeonPost::Headers headers = {{"Smithy-Protocol", "rpc-v2-cbor"}},
                           const std::string& name = "PigeonPost_20300101") {
    return service.send("POST", "/service/" + name + "/operation/" + operation, headers, body);
  }
  PigeonPost::Reply amz(const std::string& operation, const std::string& body,
                        const std::string& type = amz_type) {
    return service.send("POST", "/",
                        {{"X-Amz-Target", "PigeonPost_20300101." + operation}, {"Content-Type", type}}, body);
  }

  base::ManualClock clock{moment};
  PigeonPost service;
};

const std::string walter = in_cbor({{"Name", "walter"}, {"Speed", "FAST"}, {"Grams", 5}});

}  // namespace

TEST_CASE("Smithy RPC v2 answers in CBOR and says so") {
  Fixture f;
  const auto released = f.smithy("ReleasePigeon", walter);
  CHECK(released.status == 200);
  CHECK(released.content_type == smithy_type);
  CHECK(released.header("smithy-protocol") == "rpc-v2-cbor");
  CHECK(of_cbor(released.body) == Json({{"Minutes", 15}}));
  CHECK(of_cbor(f.smithy("CountPigeons", "").body).at("Released") == 1);
  const auto by_shape_id =
      f.smithy("CountPigeons", in_cbor(Json::object()), {{"Smithy-Protocol", "rpc-v2-cbor"}},
               "com.example.pigeons.PigeonPost_20300101");
  CHECK(of_cbor(by_shape_id.body).at("Released") == 1);
}

TEST_CASE("AWS JSON's CBOR is answered in its own content type") {
  Fixture f;
  for (const char* type : {"application/x-amz-cbor-1.1", "application/x-amz-cbor-1.0"}) {
    const auto released = f.amz("ReleasePigeon", walter, type);
    CHECK(released.status == 200);
    CHECK(released.content_type == type);
    CHECK(released.header("smithy-protocol").empty());
    CHECK(of_cbor(released.body) == Json({{"Minutes", 15}}));
  }
  CHECK(f.amz("CountPigeons", "", "application/x-amz-cbor-1.1; charset=x").content_type == amz_type);
}

TEST_CASE("bytes and times have their own types in CBOR") {
  Fixture f;
  const Json note = {{"Name", "walter"}, {"Note", bytes("\1\2\3")}};
  const auto smithy = f.smithy("ReleasePigeon", in_cbor(note));
  CHECK(of_cbor(smithy.body, 1, Bytes::kept).at("Note") == bytes("\1\2\3"));
  CHECK(of_cbor(smithy.body).at("Landing") == 1769850900.25);
  const auto amz = f.amz("ReleasePigeon", in_cbor(note));
  CHECK(of_cbor(amz.body, 1, Bytes::kept).at("Note") == bytes("\1\2\3"));
  CHECK(of_cbor(amz.body).at("Landing") == 1769850900250);
  for (const std::string& body : {smithy.body, amz.body})
    CHECK(body.find("Landing\xc1") != std::string::npos);
}

TEST_CASE("errors have the shape's name space in Smithy RPC v2, and the prefix of JSON in the other CBOR") {
  Fixture f;
  const std::string dodo = in_cbor({{"Name", "dodo"}});
  const auto smithy = f.smithy("ReleasePigeon", dodo);
  CHECK(smithy.status == 409);
  CHECK(smithy.content_type == smithy_type);
  CHECK(smithy.header("smithy-protocol") == "rpc-v2-cbor");
  CHECK(of_cbor(smithy.body) == Json({{"__type", "com.example.pigeons#NoFlyException"},
                                      {"message", "A dodo does not fly"},
                                      {"ExtinctSince", 1662}}));
  CHECK(of_cbor(f.amz("ReleasePigeon", dodo).body).at("__type") == "pigeons#NoFlyException");
  const auto internal = f.smithy("ReleasePigeon", in_cbor({{"Name", "phoenix"}}));
  CHECK(internal.status == 503);
  CHECK(of_cbor(internal.body) ==
        Json({{"__type", "com.example.pigeons#PigeonFault"}, {"Message", "Internal server error"}}));
}

TEST_CASE("operations and services that are unknown have the error of the service, in CBOR") {
  Fixture f;
  for (const auto& reply :
       {f.smithy("FeedPigeons", ""), f.smithy("PigeonPost_20300101.CountPigeons", ""),
        f.smithy("CountPigeons", "", {{"Smithy-Protocol", "rpc-v2-cbor"}}, "Doves"),
        f.smithy("CountPigeons", "", {{"Smithy-Protocol", "rpc-v2-cbor"}}, "other.PigeonPost_20300101")}) {
    CHECK(reply.status == 404);
    CHECK(reply.header("smithy-protocol") == "rpc-v2-cbor");
    CHECK(of_cbor(reply.body).at("__type").get<std::string>().ends_with("#UnknownOperation"));
  }
  CHECK(of_cbor(f.smithy("RecallPigeon", "").body).at("message") ==
        "Dinette does not serve RecallPigeon yet");
  CHECK(of_cbor(f.amz("FeedPigeons", "").body) == Json({{"__type", "pigeons#UnknownOperation"}}));
}

TEST_CASE("a call of Smithy RPC v2 needs its header, and has no target") {
  Fixture f;
  const auto message = [&](const PigeonPost::Headers& headers) {
    const auto reply = f.smithy("ReleasePigeon", walter, headers);
    CHECK(reply.status == 404);
    CHECK(reply.content_type == smithy_type);
    CHECK(of_cbor(reply.body).at("__type") == "com.example.pigeons#UnknownOperation");
    return of_cbor(reply.body).at("message").get<std::string>();
  };
  const std::string wrong_protocol = "The header Smithy-Protocol must be rpc-v2-cbor";
  CHECK(message({}) == wrong_protocol);
  CHECK(message({{"Smithy-Protocol", ""}}) == wrong_protocol);
  CHECK(message({{"Smithy-Protocol", "rpc-v2-json"}}) == wrong_protocol);
  const std::string target =
      "A request of Smithy RPC v2 names its operation in the path, and must not have X-Amz-Target";
  CHECK(message({{"Smithy-Protocol", "rpc-v2-cbor"}, {"X-Amz-Target", "PigeonPost_20300101.CountPigeons"}}) ==
        target);
  CHECK(message({{"Smithy-Protocol", "rpc-v2-cbor"}, {"x-amzn-target", ""}}) == target);
  CHECK(message({{"X-Amz-Target", "PigeonPost_20300101.ReleasePigeon"},
                 {"Content-Type", "application/x-amz-json-1.1"}}) == target);
  CHECK(of_cbor(f.smithy("CountPigeons", "").body).at("Released") == 0);
  const auto without_type = f.smithy(
      "CountPigeons", "", {{"Smithy-Protocol", "rpc-v2-cbor"}, {"Content-Type", "application/json"}});
  CHECK(of_cbor(without_type.body).at("Released") == 0);
}

TEST_CASE("only POST calls an operation") {
  Fixture f;
  const PigeonPost::Headers headers{{"Smithy-Protocol", "rpc-v2-cbor"}};
  const auto reply =
      f.service.send("GET", "/service/PigeonPost_20300101/operation/CountPigeons", headers, "");
  CHECK(reply.status == 404);
  CHECK(reply.body == "<UnknownOperationException/>");
}

TEST_CASE("bodies that are no CBOR, no map, or of wrong types are illegible") {
  Fixture f;
  const Json illegible = {{"__type", "pigeons#Illegible"}};
  for (const std::string body :
       {"\xff", "{}", "\x80", "\x01", "\xa1\x01\x01", "\xa1\x61\x61\x62\xff\xff", "\xa0\xa0", "\xbf"}) {
    CHECK(of_cbor(f.amz("CountPigeons", body).body) == illegible);
    CHECK(of_cbor(f.smithy("CountPigeons", body).body).at("__type") == "com.example.pigeons#Illegible");
  }
  CHECK(of_cbor(f.amz("ReleasePigeon", in_cbor({{"Name", 5}})).body).at("message") ==
        "NUMBER_VALUE cannot be converted to String");
  CHECK(of_cbor(f.amz("ReleasePigeon", in_cbor({{"Name", bytes("\1")}})).body) == illegible);
  CHECK(of_cbor(f.amz("ReleasePigeon", in_cbor({{"Name", "walter"}, {"Speed", nullptr}})).body) ==
        Json({{"Minutes", 60}}));
}

TEST_CASE("a CBOR body longer than twice the limit as JSON is illegible") {
  Fixture f;
  const auto answer = [&](std::size_t size) {
    return of_cbor(f.amz("CountPigeons", in_cbor({{"x", std::string(size, '\x01')}})).body);
  };
  CHECK(answer(650).contains("Released"));
  CHECK(answer(670) == Json({{"__type", "pigeons#Illegible"}}));
}

TEST_CASE("the check sum is that of the bytes sent") {
  Fixture f;
  for (const auto& reply : {f.smithy("CountPigeons", ""), f.amz("CountPigeons", ""), f.amz("Nothing", "")}) {
    CHECK(reply.header("x-amz-crc32") == std::to_string(base::crc32(reply.body)));
    CHECK(reply.header("x-amzn-RequestId").size() == 52);
  }
}

TEST_CASE("compressed requests and responses") {
  Fixture f;
  const auto packed = base::compress(base::Compression::gzip, in_cbor({{"Name", std::string(30, 'X')}}));
  const auto reply = f.smithy(
      "ReleasePigeon", packed,
      {{"Smithy-Protocol", "rpc-v2-cbor"}, {"Content-Encoding", "gzip"}, {"Accept-Encoding", "gzip"}});
  CHECK(reply.header("Content-Encoding") == "gzip");
  const auto unpacked = base::decompress(base::Compression::gzip, reply.body, 10'000);
  REQUIRE(unpacked);
  CHECK(of_cbor(unpacked->view()).at("__type") == "com.example.pigeons#BadFeathers");
}

TEST_CASE("signatures cover the CBOR, and are checked after it was read") {
  Fixture f({.auth = {.mode = aws::AuthMode::present}});
  CHECK(of_cbor(f.smithy("CountPigeons", "\xff").body).at("__type") == "com.example.pigeons#Illegible");
  const auto reply = f.smithy("CountPigeons", "");
  CHECK(reply.status == 403);
  CHECK(of_cbor(reply.body).at("__type") == "com.example.pigeons#MissingToken");
}

TEST_CASE("a web page can read which protocol it was") {
  Fixture f;
  const auto reply =
      f.smithy("CountPigeons", "", {{"Smithy-Protocol", "rpc-v2-cbor"}, {"Origin", "http://localhost:3000"}});
  CHECK(reply.headers.find("Access-Control-Expose-Headers: Smithy-Protocol\r\n") != std::string::npos);
  const auto preflight = f.service.send("OPTIONS", "/service/PigeonPost_20300101/operation/CountPigeons",
                                        {{"Origin", "http://localhost:3000"},
                                         {"Access-Control-Request-Method", "POST"},
                                         {"Access-Control-Request-Headers", "smithy-protocol"}},
                                        "");
  CHECK(preflight.status == 200);
  CHECK(preflight.header("Access-Control-Allow-Headers") == "smithy-protocol");
  const auto refused =
      f.smithy("CountPigeons", "", {{"Smithy-Protocol", "rpc-v2-cbor"}, {"Origin", "https://cat.example"}});
  CHECK(refused.status == 403);
  CHECK(of_cbor(refused.body).at("__type") == "com.example.pigeons#AccessDeniedException");
}

TEST_CASE("requests are kept as JSON, under the name of their operation") {
  dinette::observe::RecentRequests recent;
  Fixture f({.recent = &recent});
  recent.read({});
  f.smithy("ReleasePigeon", in_cbor({{"Name", "dodo"}, {"Note", bytes("\1")}}));
  f.amz("ReleasePigeon", "\xa1\x61\x61\xff");
  const auto kept = recent.read({}).requests;
  REQUIRE(kept.size() == 2);
  CHECK(kept[0]->operation == "ReleasePigeon");
  CHECK(Json::parse(kept[0]->request.text) == Json({{"Name", "dodo"}, {"Note", "AQ=="}}));
  CHECK(Json::parse(kept[0]->response.text).at("__type") == "pigeons#NoFlyException");
  CHECK(kept[1]->request.text.empty());
}

TEST_CASE("log lines name the target, the bytes sent, and what is wrong with CBOR") {
  CapturedLog log(base::LogLevel::info);
  Fixture f({.log_bodies = true});
  const std::string body = in_cbor({{"Name", "walter"}, {"Note", bytes("\1")}});
  const auto reply = f.smithy("ReleasePigeon", body);
  f.smithy("CountPigeons", "\x80\x80");
  const std::string lines = log.text();
  INFO(lines);
  const auto has = [&](const std::string& text) { return lines.find(text) != std::string::npos; };
  CHECK(has("target=PigeonPost_20300101.ReleasePigeon"));
  CHECK(has("request_bytes=" + std::to_string(body.size()) +
            " reply_bytes=" + std::to_string(reply.body.size())));
  CHECK(has(R"({\"Name\":\"walter\",\"Note\":\"AQ==\"})"));
  CHECK(has("bytes after the value"));
}

}  // namespace test::cbor_service_test
