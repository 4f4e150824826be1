#include "admin/report.h"

#include <string>
#include <string_view>
#include <utility>

#include "dinette/base/time_text.h"
#include "dinette/observe/report.h"

namespace dinette::admin {
namespace {

using observe::Report;

Json describe(const observe::ReportLine& line) {
  Json errors = Json::object();
  for (const auto& [error, count] : line.errors) errors[error] = count;
  return {{"table", line.table},          {"operation", line.operation},
          {"requests", line.requests},    {"errors", std::move(errors)},
          {"readUnits", line.read_units}, {"writeUnits", line.write_units},
          {"scanned", line.scanned},      {"returned", line.returned},
          {"withoutKey", line.scans},     {"filteredShare", line.filtered_share()}};
}

Json describe(const Report::HotKey& hot) {
  return {{"table", hot.key.table},
          {"key", hot.key.key},
          {"requests", hot.requests},
          {"atMostOver", hot.at_most_over}};
}

Json describe(const Report::BigItem& big) {
  return {{"table", big.key.table}, {"key", big.key.key}, {"bytes", big.bytes}};
}

template <class Element>
Json list_of(const std::vector<Element>& elements) {
  Json list = Json::array();
  for (const Element& element : elements) list.push_back(describe(element));
  return list;
}

Json cost_of(const Report& report, std::uint64_t stored_bytes) {
  return {{"currency", "USD"},
          {"region", "us-east-1"},
          {"reads", report.read_dollars()},
          {"writes", report.write_dollars()},
          {"storagePerMonth", static_cast<double>(stored_bytes) * observe::prices::storage_byte_month}};
}

bool wants_text(const http::Request& request) {
  return request.header("Accept").value_or("").find("text/plain") != std::string_view::npos;
}

Answer answer_of(State& state, const Call& call, const NamedWorld& chosen) {
  const Report report = state.options.reports->of(chosen.name);
  if (wants_text(call.request)) {
    return Reply{.body = {}, .text = Text{observe::text_of(report), "text/plain; charset=utf-8"}};
  }
  DINETTE_ADMIN_STORED(const store::Size size, chosen.world->size());
  return Reply{{{"world", chosen.name},
                {"recording", state.options.reports->recording()},
                {"since", base::format_time(report.since)},
                {"until", base::format_time(report.until)},
                {"operations", list_of(report.lines)},
                {"hotPartitions", list_of(report.hot_partitions)},
                {"biggestItems", list_of(report.biggest_items)},
                {"cost", cost_of(report, size.bytes)}}};
}

Result<NamedWorld> reported_world(State& state, const Call& call) {
  if (state.options.reports == nullptr) return not_found("This server makes no reports.");
  return chosen_world(state, call);
}

}  // namespace

Answer get_report(State& state, const Call& call) {
  DINETTE_TRY(const NamedWorld chosen, reported_world(state, call));
  return answer_of(state, call, chosen);
}

Answer put_report(State& state, const Call& call) {
  DINETTE_CHECK(call.body.allow_only({"world", "recording"}));
  DINETTE_TRY(const auto recording, call.body.flag("recording"));
  if (!recording) return bad_request("The member 'recording' is missing: true or false.");
  DINETTE_TRY(const NamedWorld chosen, reported_world(state, call));
  state.options.reports->set_recording(*recording);
  return answer_of(state, call, chosen);
}

Answer delete_report(State& state, const Call& call) {
  DINETTE_CHECK(call.body.allow_only({"world"}));
  DINETTE_TRY(const NamedWorld chosen, reported_world(state, call));
  state.options.reports->clear(chosen.name);
  return answer_of(state, call, chosen);
}

}  // namespace dinette::admin
