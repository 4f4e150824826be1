#include "dinette/admin/api.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dinette/face/request_log.h"

#include "admin/access.h"
#include "admin/call.h"
#include "admin/certificate.h"
#include "admin/health.h"
#include "admin/page.h"
#include "admin/router.h"
#include "admin/shortcuts.h"

namespace dinette::admin {
namespace {

constexpr std::array<std::string_view, 4> prefixes = {"/_dinette/", "/_localstack/", "/_aws/dynamodb/",
                                                      "/moto-api/"};
/// Browsers take responses for what they say they are, and give them to no page of another site.
constexpr std::string_view isolation =
    "X-Content-Type-Options: nosniff\r\n"
    "Cross-Origin-Resource-Policy: same-origin\r\n";
/// Tell nothing and change nothing: health is asked for by whatever waits for a server to be ready.
constexpr std::array<std::string_view, 3> open_paths = {health_path, "/_localstack/health", certificate_path};

void write(const Reply& reply, http::Response& response) {
  response.status = reply.status;
  response.headers += isolation;
  if (reply.text) {
    response.content_type = reply.text->content_type;
    response.body = reply.text->body;
    return;
  }
  response.content_type = "application/json";
  // Names in messages may be any bytes.
  response.body = reply.body.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// All errors of the administration.
constexpr std::array<observe::RequestCounters::Error, 10> errors{{{"BadRequest", 400},
                                                                  {"Unauthorized", 401},
                                                                  {"Forbidden", 403},
                                                                  {"NotFound", 404},
                                                                  {"MethodNotAllowed", 405},
                                                                  {"Conflict", 409},
                                                                  {"TooLarge", 413},
                                                                  {"InternalError", 500},
                                                                  {"Unsupported", 501},
                                                                  {"Stopping", 503}}};

std::optional<std::size_t> position_of(int status) {
  const auto found = std::ranges::find(errors, status, &observe::RequestCounters::Error::status);
  if (found == errors.end()) return std::nullopt;
  return static_cast<std::size_t>(found - errors.begin());
}

/// Returns the name of each route: "GET /_dinette/worlds".
std::vector<std::string_view> operation_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const RouteName& route : routes())
      all.push_back(std::string(route.method).append(" ").append(route.path));
    return all;
  }();
  return {names.begin(), names.end()};
}

void write(const Error& error, http::Response& response) {
  write(Reply{{{"error", {{"code", error.code}, {"message", error.message}}}}, error.status}, response);
}

}  // namespace

class Api::Impl {
 public:
  Impl(ApiOptions options, tenancy::Worlds& worlds, const base::Clock& real_clock)
      : access_(options), state_{worlds, real_clock, std::move(options)} {}

  void handle(const http::Request& request, http::Response& response) {
    const auto start = std::chrono::steady_clock::now();
    std::optional<std::size_t> operation;
    const Result<void> answered = answer(request, response, operation);
    if (response.must_wait) return;
    if (!answered) write(answered.error(), response);
    finish(request, response, operation, answered ? "" : answered.error().message, start);
  }

  void refuse(const http::Request& request, http::Response& response) {
    const auto start = std::chrono::steady_clock::now();
    constexpr std::string_view message = "The request is too large.";
    if (const auto error = position_of(response.status))
      write(Error{response.status, errors[*error].name, std::string(message)}, response);
    finish(request, response, std::nullopt, message, start);
  }

  const observe::RequestCounters& requests() const { return log_.counters(); }

 private:
  /// Answers unless it fails. Asks for a thread that may wait if the request has to be run there.
  Result<void> answer(const http::Request& request, http::Response& response,
                      std::optional<std::size_t>& operation) {
    // Tells nothing: what the page shows, it asks for, with the token that its user types in.
    if (is_of_page(request.path()) || leads_to_page(request.path()) || request.path() == icon_shortcut)
      return serve_page(page_files(), request, response);
    if (auto refused = access_.refuse_page(request)) return base::Failure{*std::move(refused)};
    if (request.method == "OPTIONS") {
      access_.pages().answer_preflight(request, response);
      return {};
    }
    if (auto refused = refuse_caller(request)) return base::Failure{*std::move(refused)};
    response.must_wait = !request.may_wait;
    if (response.must_wait) return {};
    return run(request, response, operation);
  }

  std::optional<Error> refuse_caller(const http::Request& request) const {
    if (std::ranges::find(open_paths, route_path(request.path())) != open_paths.end()) return std::nullopt;
    return access_.refuse_caller(request);
  }

  Result<void> run(const http::Request& request, http::Response& response,
                   std::optional<std::size_t>& operation) {
    Answer answer = answer_to(request, operation);
    if (answer) {
      write(*answer, response);
      return {};
    }
    if (answer.error().status == 405) response.add_header("Allow", methods_of(route_path(request.path())));
    return base::Failure{std::move(answer).error()};
  }

  /// HEAD is answered as GET is (RFC 9110 section 9.3.2); the server leaves the body out.
  Answer answer_to(const http::Request& request, std::optional<std::size_t>& operation) {
    const std::string_view method = request.method == "HEAD" ? "GET" : request.method;
    DINETTE_TRY(Match match, find_route(method, route_path(request.path())));
    operation = match.route;
    DINETTE_TRY(Body body, Body::parse(request.body));
    http::QueryString query(request.query());
    DINETTE_CHECK(allow_only(query, match.parameters));
    return match.handler(state_, {request, std::move(query), std::move(body), std::move(match.argument)});
  }

  void finish(const http::Request& request, http::Response& response, std::optional<std::size_t> operation,
              std::string_view error_message, std::chrono::steady_clock::time_point start) {
    access_.pages().add_headers(request.header("Origin"), response);
    const std::array what{base::LogField("method", request.method), base::LogField("target", request.target)};
    const auto error = position_of(response.status);
    log_.add({.request = request,
              .response = response,
              .duration = std::chrono::steady_clock::now() - start,
              .operation = operation,
              .error = error,
              .error_name = error ? errors[*error].name : std::string_view(),
              .error_message = error_message,
              .request_bytes = request.body.size(),
              .what = what});
  }

  const Access access_;
  State state_;
  face::RequestLog log_{
      "administration", "administration", operation_names(), {errors.begin(), errors.end()}};
};

bool has_page() {
  return !page_files().empty();
}

Api::Api(ApiOptions options, tenancy::Worlds& worlds, const base::Clock& real_clock)
    : impl_(std::make_unique<Impl>(std::move(options), worlds, real_clock)) {}

Api::~Api() = default;

bool Api::owns(const http::Request& request) {
  const std::string_view path = request.path();
  for (const std::string_view prefix : prefixes) {
    if (path.starts_with(prefix)) return true;
  }
  return is_of_page(path);
}

bool Api::is_shortcut(const http::Request& request) {
  return is_at_shortcut(request);
}

void Api::handle(const http::Request& request, http::Response& response) {
  impl_->handle(request, response);
}

void Api::refuse(const http::Request& request, http::Response& response) {
  impl_->refuse(request, response);
}

const observe::RequestCounters& Api::requests() const {
  return impl_->requests();
}

}  // namespace dinette::admin
