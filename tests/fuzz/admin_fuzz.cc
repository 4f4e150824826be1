// Requests of the administration: paths, queries, hosts, JSON, ISO 8601 times and durations. An input is a
// request as text: method and target, header lines, an empty line, the body.

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/admin/api.h"
#include "dinette/base/clock.h"
#include "dinette/base/ids.h"
#include "dinette/base/iso_time.h"
#include "dinette/base/time_text.h"
#include "dinette/http/tokens.h"
#include "dinette/kv/memory.h"
#include "dinette/tenancy/worlds.h"

#include "admin/body.h"

namespace dinette::admin {
namespace {

using http::take_until;
using http::trimmed;

void expect(bool holds) {
  if (!holds) std::abort();
}

tenancy::WorldsOptions options() {
  tenancy::WorldsOptions options;
  options.run_jobs = false;
  return options;
}

struct Server {
  base::ManualClock clock{base::TimePoint(std::chrono::seconds(1'800'000'000))};
  base::SeededIds ids{1};
  tenancy::Worlds worlds{options(), clock, ids};
  Api api{{.token = ""}, worlds, clock};
};

void check_times(std::string_view text) {
  if (const auto moment = base::parse_time(text)) {
    expect(*moment >= base::earliest_time && *moment <= base::latest_time);
    expect(base::parse_time(base::format_time(*moment)) ==
           std::chrono::floor<std::chrono::milliseconds>(*moment));
  }
  (void)base::parse_duration(text);
}

/// Files of the page, reports as text and metrics are of other types than JSON; preflights, redirects and
/// 304 have neither type nor body.
bool is_well_formed(const http::Response& response) {
  if (response.content_type.empty()) return response.body.empty();
  return response.content_type != "application/json" || Json::accept(response.body);
}

void answer(std::string_view text) {
  Server server;
  http::Request request;
  request.method = take_until(text, ' ');
  request.target = take_until(text, '\n');
  request.remote = "127.0.0.1:1";
  std::vector<http::Header> headers;
  while (!text.empty()) {
    std::string_view value = take_until(text, '\n');
    if (value.empty()) break;
    const std::string_view name = take_until(value, ':');
    headers.push_back({name, trimmed(value)});
  }
  request.headers = headers;
  request.body = text;
  http::Response response;
  server.api.handle(request, response);
  expect(response.status >= 200 && response.status != 500);
  expect(is_well_formed(response));
  expect(server.worlds.find("")->clock().now() <= base::latest_time);
}

}  // namespace
}  // namespace dinette::admin

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  dinette::admin::check_times(text);
  dinette::admin::answer(text);
  return 0;
}
