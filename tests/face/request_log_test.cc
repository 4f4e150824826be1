#include "dinette/face/request_log.h"

#include <array>
#include <string>
#include <utility>

#include <catch2/catch.hpp>

#include "support/captured_log.h"

namespace dinette::face::request_log_test {
namespace {

using base::LogField;
using namespace std::chrono_literals;

struct Fixture {
  RequestLog log{"fed", "birds", {"Feed"}, {{"Hungry", 404}}};
  http::Response response;
  const std::array<http::Header, 1> headers{
      http::Header{"traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"}};
  const std::array<LogField, 1> what{LogField("target", "/birds")};
  const std::array<LogField, 1> more{LogField("grains", 7)};

  Fixture() {
    response.status = 404;
    response.body = "four";
  }

  http::Request request(bool traced = false) const {
    return {.method = "GET",
            .target = "/birds",
            .headers = traced ? std::span<const http::Header>(headers) : std::span<const http::Header>(),
            .body = "",
            .remote = "127.0.0.1:1"};
  }

  std::string metrics() const {
    observe::MetricsWriter text(observe::MetricsFormat::open_metrics);
    const observe::RequestCounters* const services[] = {&log.counters()};
    observe::RequestCounters::write(text, services);
    return std::move(text).finish();
  }
};

}  // namespace

TEST_CASE("a request is counted, and is a line of the log") {
  Fixture f;
  test::CapturedLog lines(base::LogLevel::info, base::LogFormat::text);
  f.log.add({.request = f.request(true),
             .response = f.response,
             .duration = 5us,
             .operation = 0,
             .error = 0,
             .error_name = "Hungry",
             .error_message = "All grains\nare \"gone\".",
             .id = "id-1",
             .request_bytes = 3,
             .what = f.what,
             .more = f.more});
  CHECK_THAT(lines.text(),
             Catch::Contains("info fed target=/birds status=404 error=Hungry "
                             "error_message=\"All grains\\nare \\\"gone\\\".\" microseconds=5 "
                             "request_bytes=3 reply_bytes=4 remote=127.0.0.1:1 id=id-1 grains=7 "
                             "trace=4bf92f3577b34da6a3ce929d0e0e4736\n"));
  CHECK_THAT(
      f.metrics(),
      Catch::Contains(
          R"(dinette_requests_total{service="birds",operation="Feed",status="404",error="Hungry"} 1)"));
}

TEST_CASE("what a request has none of is not in its line") {
  Fixture f;
  f.response.status = 200;
  f.response.length = 1'000'000;  // more than is in memory
  test::CapturedLog lines(base::LogLevel::info, base::LogFormat::text);
  f.log.add({.request = f.request(), .response = f.response, .duration = 5us, .what = f.what});
  CHECK_THAT(lines.text(), Catch::Contains("info fed target=/birds status=200 microseconds=5 "
                                           "request_bytes=0 reply_bytes=1000000 remote=127.0.0.1:1\n"));
}

TEST_CASE("a long message is cut off after whole characters") {
  Fixture f;
  test::CapturedLog lines(base::LogLevel::info, base::LogFormat::text);
  const std::string room(RequestLog::most_message_bytes - 1, 'x');
  for (const std::string& message : {room + ".", room + "\u00e4"}) {
    f.log.add({.request = f.request(),
               .response = f.response,
               .duration = 5us,
               .error_name = "Hungry",
               .error_message = message,
               .what = f.what});
  }
  const std::string text = lines.text();
  CHECK_THAT(text, Catch::Contains(" error_message=" + room + ". "));
  CHECK_THAT(text, Catch::Contains(" error_message=" + room + "... "));
}

TEST_CASE("below the level info requests are only counted") {
  Fixture f;
  test::CapturedLog lines(base::LogLevel::warn, base::LogFormat::text);
  f.log.add(
      {.request = f.request(), .response = f.response, .duration = 5us, .operation = 0, .what = f.what});
  CHECK(lines.text().empty());
  CHECK_THAT(f.metrics(), Catch::Contains(R"(_count{service="birds",operation="Feed"} 1)"));
}

}  // namespace dinette::face::request_log_test
