#include "tablestore/wire/call_log.h"

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "dinette/base/log.h"
#include "dinette/base/per_thread.h"
#include "dinette/http/trace_parent.h"
#include "dinette/tenancy/world_header.h"

#include "tablestore/wire/endpoint.h"

namespace dinette::tablestore::wire {
namespace {

std::vector<std::string_view> operation_names() {
  std::vector<std::string_view> names;
  for (const Endpoint& endpoint : endpoints()) names.push_back(endpoint.operation);
  return names;
}

std::vector<observe::RequestCounters::Error> counted_errors() {
  std::vector<observe::RequestCounters::Error> errors;
  for (const api::ErrorForm& form : api::error_forms) errors.push_back({form.name, form.status});
  return errors;
}

/// Returns the details of the request that this thread answers now. They take the memory of the one before.
observe::RequestDetails& fresh_details() {
  auto& details = base::per_thread<observe::RequestDetails, struct DetailsOfTablestore>();
  details.clear();
  return details;
}

std::string names_of_tables(const observe::RequestDetails& details) {
  std::string names;
  for (const auto& table : details.tables) names += (names.empty() ? "" : ",") + table.name;
  return names;
}

/// Returns the path of an operation that there is not.
std::string_view operation_name(const Call& call) {
  return call.operation ? endpoints()[*call.operation].operation : call.path();
}

std::string_view error_name(const Call& call) {
  return call.error ? call.error->name() : std::string_view();
}

/// Returns the message of the error, unless it has values of a key.
std::string_view logged_message(const Call& call) {
  if (!call.error || call.error->code == api::ErrorCode::data_out_of_range) return {};
  return call.error->message;
}

std::string_view trace_of(const Call& call) {
  if (call.headers.trace_parent.empty()) return {};
  return http::trace_id_of(call.request).value_or("");
}

}  // namespace

CallLog::CallLog(observe::RecentRequests* recent, observe::Reports* reports)
    : log_("request", "tablestore", operation_names(), counted_errors()),
      recent_(recent),
      reports_(reports) {}

void CallLog::take_details(Call& call) const {
  const bool listed = !call.headers.spared_by_lists;
  const bool by_reports = listed && reports_ != nullptr && reports_->recording();
  const bool by_recent = listed && recent_ != nullptr && recent_->recording();
  const bool kept = listed && recent_ != nullptr && recent_->keeping();
  const bool in_full = by_reports || by_recent || base::log_enabled(base::LogLevel::info);
  if (!in_full && !kept) return;
  call.details = &fresh_details();
  call.details->wants_tables = in_full;
  call.details->wants_keys = by_reports;
  call.details->wants_changes = by_recent;
}

void CallLog::add(const Call& call) {
  const auto duration = Call::Steady::now() - call.start;
  const std::optional<std::size_t> error =
      call.error ? std::optional(static_cast<std::size_t>(call.error->code)) : std::nullopt;
  const std::string tables = call.details != nullptr ? names_of_tables(*call.details) : "";
  const base::LogField what[] = {{"operation", operation_name(call)},
                                 {"instance", call.headers.instance.value_or("")},
                                 {"table", tables}};
  log_.add({.request = call.request,
            .response = call.response,
            .duration = duration,
            .operation = call.operation,
            .error = error,
            .error_name = error_name(call),
            .error_message = logged_message(call),
            .id = call.id,
            .request_bytes = call.body.size(),
            .what = std::span(what, tables.empty() ? 2 : 3)});
  if (call.details != nullptr && !call.headers.spared_by_lists) record(call, duration);
}

void CallLog::record(const Call& call, Call::Steady::duration duration) const {
  const std::string_view operation = operation_name(call);
  if (reports_ != nullptr && reports_->recording() && !call.details->world.empty())
    reports_->add(operation, error_name(call), *call.details);
  if (recent_ == nullptr || !recent_->keeping()) return;
  recent_->add(observe::AnsweredRequest{.details = *call.details,
                                        .end = call.start + duration,
                                        .duration = duration,
                                        .status = call.response.status,
                                        .id = call.id,
                                        .operation = operation,
                                        .error = error_name(call),
                                        .remote = call.request.remote,
                                        .agent = call.headers.agent,
                                        .trace = trace_of(call),
                                        .is_known = call.operation.has_value()});
}

}  // namespace dinette::tablestore::wire
