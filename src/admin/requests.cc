#include "admin/requests.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "dinette/base/time_text.h"
#include "dinette/observe/recent_requests.h"

namespace dinette::admin {
namespace {

using observe::RecentRequest;
using observe::RecentRequests;

constexpr std::uint64_t longest_wait = 30'000;  // milliseconds
constexpr std::uint64_t usual_limit = 100;

Json describe(const observe::BodyText& body) {
  return {{"text", body.text}, {"bytes", body.bytes}, {"cut", body.cut()}};
}

Json describe(const observe::TableUse& table) {
  return {{"name", table.name}, {"readUnits", table.read_units}, {"writeUnits", table.write_units}};
}

/// Adds what the write of a single item made of it.
void add_change(Json& json, const observe::RequestDetails& details) {
  if (details.changes.size() != 1) return;
  const observe::ItemChange& change = details.changes.front();
  if (change.before.bytes > 0) json["before"] = describe(change.before);
  if (change.after.bytes > 0) json["after"] = describe(change.after);
}

Json describe(const RecentRequest& one) {
  Json json = {{"number", one.number},
               {"id", one.id},
               {"time", base::format_time(one.time)},
               {"world", one.details.world},
               {"operation", one.operation},
               {"tables", Json::array()},
               {"status", one.status}};
  for (const auto& table : one.details.tables) json["tables"].push_back(describe(table));
  if (!one.error.empty()) json["error"] = one.error;
  if (one.details.injected) json["injected"] = true;
  json["microseconds"] = one.duration.count();
  json["readUnits"] = one.details.read_units();
  json["writeUnits"] = one.details.write_units();
  if (one.details.counts) {
    json["scanned"] = one.details.counts->scanned;
    json["returned"] = one.details.counts->returned;
  }
  json["client"] = {{"address", one.remote}, {"agent", one.agent}};
  if (!one.trace.empty()) json["trace"] = one.trace;
  if (!one.explanation.empty()) json["explanation"] = one.explanation;
  json["request"] = describe(one.request);
  json["response"] = describe(one.response);
  add_change(json, one.details);
  return json;
}

}  // namespace

Answer list_requests(State& state, const Call& call) {
  if (state.options.recent == nullptr) return not_found("This server keeps no requests.");
  DINETTE_TRY(const std::uint64_t after, number_parameter(call, "after", 0, {0, largest_integer}));
  DINETTE_TRY(const std::uint64_t wait, number_parameter(call, "wait", 0, {0, longest_wait}));
  DINETTE_TRY(const std::uint64_t limit,
              number_parameter(call, "limit", usual_limit, {1, RecentRequests::most_kept}));
  DINETTE_TRY(auto world, chosen_name(call));
  const RecentRequests::Page page = state.options.recent->read(
      {.after = after, .limit = limit, .wait = std::chrono::milliseconds(wait), .world = std::move(world)});
  Json requests = Json::array();
  for (const auto& one : page.requests) requests.push_back(describe(*one));
  return Reply{{{"requests", std::move(requests)}, {"last", page.last}, {"missed", page.missed}}};
}

}  // namespace dinette::admin
