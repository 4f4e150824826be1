#include "aws/call_log.h"

#include <optional>
#include <span>
#include <string>
#include <utility>

#include "dinette/base/json_error.h"
#include "dinette/base/log.h"
#include "dinette/base/per_thread.h"
#include "dinette/http/trace_parent.h"
#include "dinette/tenancy/world_header.h"

namespace dinette::aws {
namespace {

std::vector<std::string_view> names_of(std::span<const std::string_view> targets) {
  std::vector<std::string_view> names;
  for (const std::string_view target : targets) names.push_back(name_in(target));
  return names;
}

/// Returns the details of the request that this thread answers now. They take the memory of the one before.
observe::RequestDetails& fresh_details() {
  auto& details = base::per_thread<observe::RequestDetails, struct DetailsOfRequest>();
  details.clear();
  return details;
}

std::string table_names(const observe::RequestDetails& details) {
  std::string names;
  for (const auto& table : details.tables) names += (names.empty() ? "" : ",") + table.name;
  return names;
}

/// Adds a field for each note that is not empty. `tables` must outlive the fields.
void add_details(std::vector<base::LogField>& fields, const observe::RequestDetails& details,
                 const std::string& tables) {
  if (!tables.empty()) fields.emplace_back("table", tables);
  if (!details.world.empty() && details.world != tenancy::default_world)
    fields.emplace_back("world", details.world);
  if (details.read_units() > 0) fields.emplace_back("read_units", details.read_units());
  if (details.write_units() > 0) fields.emplace_back("write_units", details.write_units());
  if (details.injected) fields.emplace_back("injected", "true");
}

/// Returns what the client calls itself. In a web page an SDK cannot set User-Agent.
std::string_view agent_of(const RequestHeaders& headers) {
  const bool in_browser = !headers.browser_agent.empty() && headers.agent.starts_with("Mozilla/");
  return in_browser ? headers.browser_agent : headers.agent;
}

std::string_view trace_of(const Call& call) {
  if (call.headers.trace_parent.empty()) return {};
  return http::trace_id_of(call.request).value_or("");
}

/// Returns some bytes on either side of a position, from 1.
std::string_view text_around(std::string_view text, std::size_t position) {
  constexpr std::size_t side = 32;
  const std::size_t begin = position > side ? position - side : 0;
  return text.substr(begin, position + side - begin);
}

void add_origin(std::vector<base::LogField>& fields, const Call& call, std::size_t request_bytes) {
  fields.emplace_back("request_bytes", request_bytes);
  if (call.target) fields.emplace_back("target", *call.target);
  fields.emplace_back("remote", call.request.remote);
  fields.emplace_back("id", text_of(call.id));
}

}  // namespace

CallLog::CallLog(const JsonProtocol& protocol, std::vector<observe::RequestCounters::Error> errors,
                 const JsonServiceOptions& options, const base::Clock& clock)
    : names_(names_of(protocol.served)),
      log_("request", protocol.signing_name, names_, std::move(errors)),
      log_bodies_(options.log_bodies),
      recent_(options.recent),
      reports_(options.reports),
      clock_(clock) {}

void CallLog::take_details(Call& call) {
  const Recorded& by = call.recorded_by;
  const bool in_full = by.by_recent || by.by_reports || base::log_enabled(base::LogLevel::info);
  if (!in_full && !by.keeping) return;
  call.details = &fresh_details();
  call.details->wants_tables = in_full;
  call.details->wants_keys = by.by_reports;
  call.details->wants_changes = by.by_recent;
}

void CallLog::add(const Call& call) {
  log(call);
  if (call.details) record(call);
}

void CallLog::log(const Call& call) {
  if (!base::log_enabled(base::LogLevel::info)) [[likely]]
    return log_.count(call.operation, call.error_index, call.duration);
  const std::string tables = call.details ? table_names(*call.details) : "";
  std::vector<base::LogField> more;
  if (call.details) add_details(more, *call.details, tables);
  const base::LogField target("target", call.target.value_or(""));
  const std::span what(&target, call.target ? 1 : 0);
  log_.add({.request = call.request,
            .response = call.response,
            .duration = call.duration,
            .operation = call.operation,
            .error = call.error_index,
            .error_name = call.error,
            .error_message = call.error_message,
            .id = text_of(call.id),
            .request_bytes = call.body.size(),
            .what = what,
            .more = more});
  if (!log_bodies_) return;
  base::log(base::LogLevel::info, "bodies",
            {{"id", text_of(call.id)}, {"request", request_text(call)}, {"reply", reply_text(call)}});
}

/// Not for health checks and preflights.
void CallLog::record(const Call& call) const {
  if (call.request.method != "POST" && !call.rest) return;
  const std::string_view operation =
      call.operation ? names_[*call.operation] : name_in(call.target.value_or(""));
  if (call.recorded_by.by_reports && !call.details->world.empty())
    reports_->add(operation, call.error, *call.details);
  if (!call.recorded_by.keeping) return;
  recent_->add(observe::AnsweredRequest{
      .details = *call.details,
      .end = call.start + call.duration,
      .duration = call.duration,
      .status = call.response.status,
      .id = text_of(call.id),
      .operation = operation,
      .error = call.error,
      .remote = call.request.remote,
      .agent = agent_of(call.headers),
      .trace = trace_of(call),
      .request = request_text(call),
      .response = reply_text(call),
      .explanation = call.explain ? explanation_of(call.response) : std::string_view(),
      .is_known = call.operation.has_value()});
}

bool CallLog::may_log_malformed() {
  return base::log_enabled(base::LogLevel::warn) && malformed_turn_.take(clock_.now());
}

void CallLog::malformed(const Call& call, const CborError& error) {
  if (!may_log_malformed()) return;
  std::vector<base::LogField> fields{{"reason", error.reason}, {"byte", error.byte}};
  add_origin(fields, call, call.body.size());
  base::log_fields(base::LogLevel::warn, "a request's body is not the CBOR that AWS services read", fields);
}

void CallLog::malformed(const Call& call, std::string_view text, simdjson::error_code failed) {
  if (!may_log_malformed()) return;  // it reads the body again
  const bool is_json = failed == simdjson::SUCCESS;
  const auto error = is_json ? std::nullopt : base::find_json_error(text);
  std::vector<base::LogField> fields;
  if (error) {
    fields.emplace_back("reason", error->reason);
    fields.emplace_back("byte", error->byte);
  } else {
    fields.emplace_back("reason", is_json ? "not an object" : simdjson::error_message(failed));
  }
  add_origin(fields, call, text.size());
  if (error && log_bodies_) fields.emplace_back("near", text_around(text, error->byte));
  base::log_fields(base::LogLevel::warn, "a request's body is not a JSON object", fields);
}

}  // namespace dinette::aws
