#include "s3/dates.h"

#include <chrono>
#include <string>

#include <catch2/catch.hpp>

namespace test::dates_test {
namespace {

using namespace dinette;

TEST_CASE("dates of headers are written and read in one form") {
  const base::TimePoint moment = std::chrono::sys_days(std::chrono::year(1994) / 11 / 6) +
                                 std::chrono::hours(8) + std::chrono::minutes(49) + std::chrono::seconds(37);
  CHECK(s3::http_date(moment) == "Sun, 06 Nov 1994 08:49:37 GMT");
  CHECK(s3::http_date(moment + std::chrono::microseconds(999'999)) == "Sun, 06 Nov 1994 08:49:37 GMT");
  CHECK(s3::read_http_date("Sun, 06 Nov 1994 08:49:37 GMT") == moment);
  for (const char* const text : {"", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 GMT ",
                                 "Sunday, 06-Nov-94 08:49:37 GMT", "1994-11-06T08:49:37Z"}) {
    CAPTURE(text);
    CHECK_FALSE(s3::read_http_date(text));
  }
}

}  // namespace
}  // namespace test::dates_test
