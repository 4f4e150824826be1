#include <string>

#include <catch2/catch.hpp>

#include "admin/fixture.h"

namespace dinette::admin::metrics_test {
namespace {

const std::string open_metrics = "application/openmetrics-text";

/// Returns the format that a request gets.
std::string format_for(Headers headers) {
  Fixture f({.metrics = [](observe::MetricsFormat format) {
    return std::string(format == observe::MetricsFormat::prometheus ? "prometheus" : "open");
  }});
  headers.emplace_back("Host", "localhost");
  const Response response = f.send("GET", "/_dinette/metrics", "", headers);
  CHECK(response.status == 200);
  return response.body;
}

}  // namespace

TEST_CASE("metrics are in Prometheus' format unless OpenMetrics is named and not worth less") {
  CHECK(format_for({}) == "prometheus");
  for (const std::string& accept :
       {std::string(), std::string("*/*"), std::string("application/*"), std::string("text/plain"),
        std::string("text/html,application/xhtml+xml,*/*;q=0.8"), std::string("image/png"),
        open_metrics + ";q=0", open_metrics + ";version=2.0.0",
        open_metrics + ";version=0.0.1,text/plain;version=0.0.4;q=0.5",
        open_metrics + ";q=0.3,text/plain;version=0.0.4;q=0.4", "text/plain," + open_metrics}) {
    INFO(accept);
    CHECK(format_for({{"Accept", accept}}) == "prometheus");
  }
  for (const std::string& accept :
       {open_metrics, open_metrics + "; version=1.0.0; charset=utf-8", open_metrics + ",text/plain",
        open_metrics + ";q=0.2,text/plain;q=0.1", open_metrics + ";q=0.5,text/plain;version=1.0.0;q=0.9",
        // of Prometheus 2.42 and 3
        open_metrics + ";version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,"
                       "text/plain;version=0.0.4;q=0.5,*/*;q=0.1",
        open_metrics +
            ";version=1.0.0;escaping=allow-utf-8;q=0.6,application/openmetrics-text;version=0.0.1;q=0.5,"
            "text/plain;version=1.0.0;escaping=allow-utf-8;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2"}) {
    INFO(accept);
    CHECK(format_for({{"Accept", accept}}) == "open");
  }
}

TEST_CASE("without metrics there are none, in either format") {
  Fixture f;
  const Headers open{{"Host", "localhost"}, {"Accept", open_metrics}};
  CHECK(f.send("GET", "/_dinette/metrics").body.empty());
  CHECK(f.send("GET", "/_dinette/metrics", "", open).body == "# EOF\n");
}

}  // namespace dinette::admin::metrics_test
