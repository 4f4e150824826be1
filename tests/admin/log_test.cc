#include <string>

#include <catch2/catch.hpp>

#include "admin/fixture.h"
#include "support/captured_log.h"

namespace dinette::admin::log_test {

TEST_CASE("the log line of a refused request has the error message of its response") {
  Fixture f;
  test::CapturedLog log(base::LogLevel::info);
  f.send("GET", "/_dinette/worlds/none");
  CHECK_THAT(log.text(), Catch::Contains("administration method=GET target=/_dinette/worlds/none status=404 "
                                         "error=NotFound error_message=\"There is no world 'none'.\" "));
  f.send("GET", "/_dinette/clock", "", {{"Host", "localhost"}}, "192.0.2.7:40000");
  CHECK_THAT(log.text(), Catch::Contains(" error=Forbidden error_message=\"Only programs on "));
  f.send("POST", "/_dinette/");
  CHECK_THAT(log.text(), Catch::Contains(" error=MethodNotAllowed error_message=\"The methods of "));
  http::Response response;
  response.status = 413;
  f.api.refuse({.method = "PUT", .target = "/_dinette/clock", .headers = {}, .body = "", .remote = ""},
               response);
  CHECK_THAT(log.text(), Catch::Contains(" error=TooLarge error_message=\"The request is too large.\" "));
  f.send("GET", "/_dinette/clock");
  CHECK_THAT(log.text(), Catch::Contains(" target=/_dinette/clock status=200 microseconds="));
}

}  // namespace dinette::admin::log_test
