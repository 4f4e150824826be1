#include "lambda/functions/function_call.h"

#include <string>
#include <utility>

#include <catch2/catch.hpp>

#include "http/canned.h"
#include "http/fixture.h"

// docs/service/triggers.md section 7
namespace dinette::lambda::function_call_test {
namespace {

using namespace std::chrono_literals;
using Kind = FunctionAnswer::Kind;

std::string text_of(Kind kind) {
  switch (kind) {
    case Kind::answered:
      return "answered";
    case Kind::failed:
      return "failed";
    case Kind::unavailable:
      break;
  }
  return "unavailable";
}

struct Answered {
  int status = 200;
  std::vector<std::pair<std::string, std::string>> headers = {};
  std::string body = "null";
  bool is_invoke = true;
};

FunctionAnswer meaning(const Answered& response) {
  return answer_of({.status_line = "HTTP/1.1 " + std::to_string(response.status) + " Some Reason",
                    .status = response.status,
                    .headers = response.headers,
                    .body = response.body},
                   response.is_invoke);
}

std::string kind(const Answered& response) {
  return text_of(meaning(response).kind);
}

FunctionPlace url_of(std::uint16_t port, std::string path = "/hook") {
  return read_function_url("http://127.0.0.1:" + std::to_string(port) + path).value();
}

FunctionAnswer call(const FunctionPlace& place, std::chrono::milliseconds timeout = 20s) {
  return call_function(place, R"({"Records":[]})", timeout, {});
}

FunctionAnswer run(std::string script, std::chrono::milliseconds timeout = 20s) {
  return call(FunctionCommand{{"sh", "-c", std::move(script)}}, timeout);
}

TEST_CASE("a function that answers has succeeded") {
  CHECK(kind({.body = "null"}) == "answered");
  CHECK(kind({.body = R"({"batchItemFailures":[]})"}) == "answered");
  CHECK(kind({.status = 202, .body = ""}) == "answered");
  CHECK(kind({.status = 204, .body = "", .is_invoke = false}) == "answered");
  const auto answer = meaning({.headers = {{"x-amz-executed-version", "7"}}, .body = "{}"});
  CHECK(answer.version == "7");
  CHECK(answer.body == "{}");
  CHECK(meaning({}).version == "$LATEST");
}

TEST_CASE("a function has failed if a header says so") {
  for (const std::string value : {"Unhandled", "Handled"}) {
    const auto answer = meaning({.headers = {{"X-Amz-Function-Error", value}},
                                 .body = R"({"errorMessage":"x is undefined","errorType":"TypeError"})"});
    CHECK(answer.kind == Kind::failed);
    CHECK(answer.status == 200);
    CHECK(answer.reason == "the function failed: TypeError: x is undefined");
  }
  CHECK(meaning({.headers = {{"X-Amz-Function-Error", "Unhandled"}}, .body = "no JSON"}).reason ==
        "the function failed");
}

TEST_CASE("a function has failed if its answer looks so, as with the runtime interface emulator") {
  CHECK(kind({.body = R"({"errorType":"Error","errorMessage":"no","stackTrace":[],"requestId":"1"})"}) ==
        "failed");
  const auto late = meaning({.body = "Task timed out after 3.00 seconds"});
  CHECK(late.kind == Kind::failed);
  CHECK(late.reason == "the function failed: Task timed out after 3.00 seconds");
  CHECK(kind({.body = R"({"errorType":"Error"})"}) == "answered");
  CHECK(kind({.body = R"({"errorMessage":"no"})"}) == "answered");
  CHECK(kind({.body = R"([{"errorType":"Error","errorMessage":"no"}])"}) == "answered");
  CHECK(kind({.body = R"("the \"errorType\" and \"errorMessage\"")"}) == "answered");
}

TEST_CASE("where Invoke is called, statuses below 500 mean that the function did not run") {
  for (const int status : {400, 403, 404, 409, 429}) {
    CAPTURE(status);
    CHECK(kind({.status = status}) == "unavailable");
  }
  for (const int status : {301, 413, 500, 502, 504}) {
    CAPTURE(status);
    CHECK(kind({.status = status}) == "failed");
  }
  CHECK(meaning({.status = 404}).reason == "the function's server answered 'HTTP/1.1 404 Some Reason'");
}

TEST_CASE("at a URL of one's own, statuses are failures, except that of a throttle") {
  for (const int status : {301, 400, 404, 413, 500, 503}) {
    CAPTURE(status);
    CHECK(kind({.status = status, .is_invoke = false}) == "failed");
  }
  CHECK(kind({.status = 429, .is_invoke = false}) == "unavailable");
  CHECK(meaning({.status = 503, .is_invoke = false}).status == 503);
}

TEST_CASE("what is no response is a failure only if the function may have run") {
  using http::ClientError;
  for (const ClientError error :
       {ClientError::unreachable, ClientError::no_tls, ClientError::untrusted, ClientError::not_http})
    CHECK(answer_of(error, 1s).kind == Kind::unavailable);
  for (const ClientError error : {ClientError::timed_out, ClientError::broken, ClientError::too_large})
    CHECK(answer_of(error, 1s).kind == Kind::failed);
  CHECK(answer_of(ClientError::timed_out, 3s).reason == "the function did not answer within 3 s");
  CHECK(answer_of(ClientError::timed_out, 1500ms).reason == "the function did not answer within 1500 ms");
  CHECK(answer_of(ClientError::too_large, 3s).reason == "the function's answer is larger than 6291556 bytes");
}

TEST_CASE("a function gets the event by POST, without a query") {
  const http::Running running([](const http::Request& request, http::Response& response) {
    response.body.append(request.method).append(" ").append(request.target).append(" ");
    response.body.append(request.header("Content-Type").value_or("")).append(" ");
    response.body.append(request.header("X-Amz-Invocation-Type").value_or("")).append(" ");
    response.body.append(request.body);
  });
  FunctionPlaces places;
  REQUIRE(places.add("http://127.0.0.1:" + std::to_string(running.port)).ok());
  CHECK(call(places.find("bill:live").value()).body ==
        "POST /2015-03-31/functions/bill/invocations application/json RequestResponse "
        R"({"Records":[]})");
}

TEST_CASE("answers of up to 6 MB are taken") {
  const http::Running running([](const http::Request& request, http::Response& response) {
    response.body.assign(request.path() == "/most" ? most_answer_bytes : most_answer_bytes + 1, '1');
  });
  CHECK(call(url_of(running.port, "/most")).kind == Kind::answered);
  CHECK(call(url_of(running.port)).kind == Kind::failed);
}

TEST_CASE("a function without a server is unavailable, one that hangs has failed") {
  std::uint16_t port = 0;
  {
    const http::Running running;
    port = running.port;
  }
  CHECK(call(url_of(port)).kind == Kind::unavailable);
  const http::Canned silent("", tcp::Ending::none);
  CHECK(call(url_of(silent.port()), 50ms).kind == Kind::failed);
  std::stop_source stop;
  stop.request_stop();
  CHECK(call_function(url_of(silent.port()), "{}", 20s, stop.get_token()).kind == Kind::unavailable);
}

TEST_CASE("a program gets the event, and what it writes is the answer") {
  const auto answer = run("cat");
  CHECK(answer.kind == Kind::answered);
  CHECK(answer.body == R"({"Records":[]})");
}

TEST_CASE("a program that ends badly has failed, one that cannot be started did not run") {
  const auto failed = run("printf half; printf 'one\\nno such item\\n' >&2; exit 2");
  CHECK(failed.kind == Kind::failed);
  CHECK(failed.reason == "the program ended with exit code 2: no such item");
  CHECK(failed.body == "half");
  CHECK(run("kill -KILL $$").reason == "the program ended with signal 9");
  CHECK(run("exec sleep 1000", 50ms).reason == "the function did not answer within 50 ms");
  CHECK(run("exec yes").kind == Kind::failed);
  const auto missing = call(FunctionCommand{{"/no/such/program"}});
  CHECK(missing.kind == Kind::unavailable);
  CHECK(missing.reason == "the program cannot be started: No such file or directory");
  std::stop_source stop;
  stop.request_stop();
  CHECK(call_function(FunctionCommand{{"sleep", "1000"}}, "{}", 20s, stop.get_token()).kind ==
        Kind::unavailable);
}

}  // namespace
}  // namespace dinette::lambda::function_call_test
