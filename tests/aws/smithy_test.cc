#include "dinette/aws/smithy.h"

#include <initializer_list>
#include <vector>

#include <catch2/catch.hpp>

// Which requests are calls of Smithy RPC v2: docs/service/wire.md section 10.
namespace test::smithy_test {
namespace {

namespace aws = dinette::aws;
namespace http = dinette::http;

constexpr aws::SmithyService pigeons{"PigeonPost_20300101", "com.example.pigeons"};
constexpr const char* the_path = "/service/PigeonPost_20300101/operation/CountPigeons";

bool is_call(std::string_view method, std::string_view target,
             std::initializer_list<http::Header> headers = {}) {
  const std::vector<http::Header> sent(headers);
  return aws::is_smithy_request(
      {.method = method, .target = target, .headers = sent, .body = {}, .remote = {}});
}

}  // namespace

TEST_CASE("the last four segments of a path name service and operation") {
  const auto plain = aws::read_smithy_path(the_path);
  REQUIRE(plain);
  CHECK(plain->service == "PigeonPost_20300101");
  CHECK(plain->operation == "CountPigeons");
  CHECK(plain->prefix.empty());
  const auto deep = aws::read_smithy_path("/v1/birds/service/S/operation/O");
  REQUIRE(deep);
  CHECK(deep->service == "S");
  CHECK(deep->operation == "O");
  CHECK(deep->prefix == "/v1/birds");
  for (const char* path :
       {"/", "", "/service/S/operation/", "/service//operation/O", "/service/S/operations/O",
        "/services/S/operation/O", "service/S/operation/O", "/operation/O", "/S/operation/O",
        "/service/S/operation/O/", "/service/S/x/operation/O"}) {
    INFO(path);
    CHECK_FALSE(aws::read_smithy_path(path));
  }
}

TEST_CASE("a service is named with or without its name space") {
  CHECK(aws::is_name_of(pigeons, "PigeonPost_20300101"));
  CHECK(aws::is_name_of(pigeons, "com.example.pigeons.PigeonPost_20300101"));
  for (const char* name : {"", "PigeonPost", "pigeonpost_20300101", "com.example.pigeons#PigeonPost_20300101",
                           ".PigeonPost_20300101", "com.example.doves1.PigeonPost_20300101",
                           "x.com.example.pigeons.PigeonPost_20300101"}) {
    INFO(name);
    CHECK_FALSE(aws::is_name_of(pigeons, name));
  }
}

TEST_CASE("a POST to such a path is a call, with the header Smithy-Protocol any request is") {
  CHECK(is_call("POST", the_path));
  CHECK(is_call("POST", the_path, {{"smithy-protocol", "rpc-v2-cbor"}}));
  CHECK(is_call("GET", the_path, {{"Smithy-Protocol", ""}}));
  CHECK(is_call("POST", "/v1/service/S/operation/O", {{"Smithy-Protocol", "rpc-v2-cbor"}}));
  CHECK(is_call("OPTIONS", the_path, {{"Access-Control-Request-Method", "POST"}}));
}

TEST_CASE("objects of S3 may have such keys") {
  CHECK_FALSE(is_call("PUT", the_path));
  CHECK_FALSE(is_call("GET", the_path));
  CHECK_FALSE(is_call("POST", "/service/S/operation/O?uploads"));
  CHECK_FALSE(is_call("POST", "/bucket/service/S/operation/O"));
  CHECK_FALSE(is_call("OPTIONS", the_path, {{"Access-Control-Request-Method", "PUT"}}));
  CHECK_FALSE(is_call("POST", "/", {{"Smithy-Protocol", "rpc-v2-cbor"}}));
}

TEST_CASE("a call is of the service that its path names") {
  const auto is_of_pigeons = [](const char* path) {
    return aws::is_smithy_request_of(
        {.method = "POST", .target = path, .headers = {}, .body = {}, .remote = {}}, pigeons);
  };
  CHECK(is_of_pigeons(the_path));
  CHECK(is_of_pigeons("/service/com.example.pigeons.PigeonPost_20300101/operation/X"));
  CHECK_FALSE(is_of_pigeons("/service/Doves/operation/CountPigeons"));
  CHECK_FALSE(is_of_pigeons("/"));
}

}  // namespace test::smithy_test
