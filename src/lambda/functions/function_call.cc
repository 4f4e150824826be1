#include "lambda/functions/function_call.h"

#include <cstring>
#include <optional>
#include <utility>

#include "dinette/aws/json.h"
#include "dinette/base/child_program.h"
#include "dinette/base/log.h"
#include "dinette/base/per_thread.h"

namespace dinette::lambda {
namespace {

using AnswerKind = FunctionAnswer::Kind;
using ProgramEnd = base::ProgramResult::End;
using std::chrono::milliseconds;

constexpr int status_ok = 200;
constexpr int status_after_ok = 300;
constexpr int status_bad_request = 400;
constexpr int status_of_server = 500;
constexpr int status_too_large = 413;
constexpr int status_throttled = 429;

constexpr std::size_t kept_error_bytes = 4096;
constexpr std::string_view timeout_text = "Task timed out after ";

FunctionAnswer failed_call(std::string reason) {
  return {.kind = AnswerKind::failed, .reason = std::move(reason)};
}

FunctionAnswer unavailable_call(std::string reason) {
  return {.kind = AnswerKind::unavailable, .reason = std::move(reason)};
}

std::string late(milliseconds timeout) {
  const auto count = timeout.count();
  const bool whole = count % 1000 == 0;
  return "the function did not answer within " +
         (whole ? std::to_string(count / 1000) + " s" : std::to_string(count) + " ms");
}

std::string text_member(aws::JsonObject object, std::string_view name) {
  std::string_view text;
  return object.at_key(name).get(text) == simdjson::SUCCESS ? std::string(text) : "";
}

bool is_ok(int status) {
  return status >= status_ok && status < status_after_ok;
}

/// Returns true for a status with which Lambda's Invoke says that it has not run the function.
bool is_refusal(int status) {
  return status >= status_bad_request && status < status_of_server && status != status_too_large;
}

FunctionAnswer call_url(const http::Url& url, std::string_view event, milliseconds timeout,
                        const std::stop_token& stop) {
  const http::ClientRequest request{
      .method = "POST",
      .target = url.target,
      .headers = "Content-Type: application/json\r\nX-Amz-Invocation-Type: RequestResponse\r\n",
      .body = std::string(event)};
  auto response =
      http::fetch(url.server, request, {.timeout = timeout, .body_bytes = most_answer_bytes}, stop);
  if (response) return answer_of(std::move(response).value(), is_invoke_url(url));
  if (stop.stop_requested()) return unavailable_call("the call was interrupted");
  return answer_of(response.error(), timeout);
}

std::string_view last_line(std::string_view text) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  const std::size_t end = text.rfind('\n');
  return end == std::string_view::npos ? text : text.substr(end + 1);
}

FunctionAnswer program_answer(base::ProgramResult result, milliseconds timeout, const std::stop_token& stop) {
  switch (result.end) {
    case ProgramEnd::exited:
      if (result.code == 0) return {.body = std::move(result.output)};
      break;
    case ProgramEnd::not_started:
      return unavailable_call(std::string("the program cannot be started: ") + std::strerror(result.code));
    case ProgramEnd::timed_out:
      return stop.stop_requested() ? unavailable_call("the call was interrupted")
                                   : failed_call(late(timeout));
    case ProgramEnd::too_much:
      return answer_of(http::ClientError::too_large, timeout);
    case ProgramEnd::signalled:
      break;
  }
  const std::string how = result.end == ProgramEnd::exited ? "exit code " : "signal ";
  FunctionAnswer answer = failed_call("the program ended with " + how + std::to_string(result.code));
  if (const auto line = last_line(result.errors); !line.empty()) answer.reason.append(": ").append(line);
  answer.body = std::move(result.output);
  return answer;
}

FunctionAnswer call_command(const FunctionCommand& command, std::string_view event, milliseconds timeout,
                            const std::stop_token& stop) {
  auto result = base::run_program({.arguments = command.arguments,
                                   .input = event,
                                   .timeout = timeout,
                                   .most_output = most_answer_bytes,
                                   .kept_errors = kept_error_bytes,
                                   .own_group = true},
                                  stop);
  if (!result.errors.empty())
    base::log(base::LogLevel::info, "a function wrote to standard error", {{"text", result.errors}});
  return program_answer(std::move(result), timeout, stop);
}

}  // namespace

FunctionAnswer call_function(const FunctionPlace& place, std::string_view event, milliseconds timeout,
                             const std::stop_token& stop) {
  if (const auto* const url = std::get_if<http::Url>(&place)) return call_url(*url, event, timeout, stop);
  return call_command(std::get<FunctionCommand>(place), event, timeout, stop);
}

FunctionAnswer answer_of(http::ClientResponse response, bool is_invoke) {
  FunctionAnswer answer{.status = response.status, .body = std::move(response.body)};
  if (const auto version = response.header("X-Amz-Executed-Version")) answer.version = *version;
  const bool says_failed = response.header("X-Amz-Function-Error").has_value();
  if (is_ok(response.status)) {
    if (!says_failed && !looks_failed(answer.body)) return answer;
    answer.kind = AnswerKind::failed;
    const std::string error = error_in(answer.body);
    answer.reason = "the function failed" + (error.empty() ? "" : ": " + error);
    return answer;
  }
  const bool has_run = !is_invoke || !is_refusal(response.status);
  answer.kind = has_run && response.status != status_throttled ? AnswerKind::failed : AnswerKind::unavailable;
  answer.reason = "the function's server answered '" + response.status_line + "'";
  return answer;
}

FunctionAnswer answer_of(http::ClientError error, milliseconds timeout) {
  switch (error) {
    case http::ClientError::unreachable:
      return unavailable_call("the function's server does not accept connections");
    case http::ClientError::no_tls:
      return unavailable_call("the function's server does not speak TLS");
    case http::ClientError::untrusted:
      return unavailable_call("the certificate of the function's server is not trusted");
    case http::ClientError::not_http:
      return unavailable_call("the function's server does not speak HTTP");
    case http::ClientError::timed_out:
      return failed_call(late(timeout));
    case http::ClientError::too_large:
      return failed_call("the function's answer is larger than " + std::to_string(most_answer_bytes) +
                         " bytes");
    case http::ClientError::broken:
      break;
  }
  return failed_call("the function's server closed the connection before it had answered");
}

bool looks_failed(std::string_view body) {
  return body.starts_with(timeout_text) || !error_in(body).empty();
}

std::string error_in(std::string_view body) {
  if (body.starts_with(timeout_text)) return std::string(last_line(body));
  // Most answers need not be read.
  if (body.find("\"errorType\"") == std::string_view::npos) return "";
  aws::ParserInUse parser(base::per_thread<simdjson::dom::parser, struct ErrorParser>());
  aws::JsonElement json;
  aws::JsonObject object;
  if (parser.parse(body, json) != simdjson::SUCCESS || json.get(object) != simdjson::SUCCESS) return "";
  const bool has_both = object.at_key("errorType").error() == simdjson::SUCCESS &&
                        object.at_key("errorMessage").error() == simdjson::SUCCESS;
  if (!has_both) return "";
  return text_member(object, "errorType") + ": " + text_member(object, "errorMessage");
}

}  // namespace dinette::lambda
