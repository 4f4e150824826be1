#include "dinette/http/trace_parent.h"

#include <span>
#include <string>

#include <catch2/catch.hpp>

namespace dinette::http::trace_parent_test {

constexpr std::string_view trace = "4bf92f3577b34da6a3ce929d0e0e4736";
const std::string good = "00-" + std::string(trace) + "-00f067aa0ba902b7-01";

TEST_CASE("the trace id is what follows the version") {
  CHECK(trace_id_in(good) == trace);
}

TEST_CASE("later versions may have more") {
  CHECK(trace_id_in("01" + good.substr(2)) == trace);
  CHECK(trace_id_in("cc" + good.substr(2) + "-what-the-future-brings") == trace);
  CHECK_FALSE(trace_id_in("cc" + good.substr(2) + ".what"));
  CHECK_FALSE(trace_id_in(good + "-"));
  CHECK_FALSE(trace_id_in("ff" + good.substr(2)));
}

TEST_CASE("whatever is not of the form is not a trace") {
  CHECK_FALSE(trace_id_in(""));
  CHECK_FALSE(trace_id_in(good.substr(1)));
  CHECK_FALSE(trace_id_in(good.substr(0, 54)));
  CHECK_FALSE(trace_id_in("00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01"));
  CHECK_FALSE(trace_id_in("00-00000000000000000000000000000000-00f067aa0ba902b7-01"));
  CHECK_FALSE(trace_id_in("00-" + std::string(trace) + "-0000000000000000-01"));
  for (std::size_t i = 0; i < good.size(); ++i) {
    INFO(i);
    std::string bad = good;
    bad[i] = 'g';
    CHECK_FALSE(trace_id_in(bad));
  }
}

TEST_CASE("a request belongs to the trace that its one header names") {
  const Header headers[] = {{"Host", "localhost"}, {"TraceParent", good}, {"traceparent", good}};
  Request request;
  CHECK_FALSE(trace_id_of(request));
  request.headers = std::span(headers).first(2);
  CHECK(trace_id_of(request) == trace);
  request.headers = headers;
  CHECK_FALSE(trace_id_of(request));
}

}  // namespace dinette::http::trace_parent_test
