#include "dinette/admin/api.h"

#include <array>
#include <optional>
#include <utility>

#include "dinette/base/log.h"

#include "admin/access.h"
#include "admin/call.h"
#include "admin/certificate.h"
#include "admin/page.h"
#include "admin/router.h"

namespace dinette::admin {
namespace {

constexpr std::array<std::string_view, 4> prefixes = {"/_dinette/", "/_localstack/", "/_aws/dynamodb/",
                                                      "/moto-api/"};
/// Browsers take responses for what they say they are, and give them to no page of another site.
constexpr std::string_view isolation =
    "X-Content-Type-Options: nosniff\r\n"
    "Cross-Origin-Resource-Policy: same-origin\r\n";
/// Tells nothing and changes nothing, and is asked by whatever waits for a server to be ready.
constexpr std::string_view health_path = "/_localstack/health";

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

void write(const Error& error, http::Response& response) {
  write(Reply{{{"error", {{"code", error.code}, {"message", error.message}}}}, error.status}, response);
}

}  // namespace

class Api::Impl {
 public:
  Impl(ApiOptions options, tenancy::Worlds& worlds, const base::Clock& real_clock)
      : access_(options), state_{worlds, real_clock, std::move(options)} {}

  void handle(const http::Request& request, http::Response& response) {
    if (is_of_page(request.path())) {
      // Tells nothing: what it shows, it asks for, with the token that its user types in.
      if (const auto served = serve_page(page_files(), request, response); !served)
        write(served.error(), response);
    } else if (const auto refused = access_.refuse_page(request)) {
      write(*refused, response);
    } else if (request.method == "OPTIONS") {
      access_.cors().answer_preflight(request, response);
    } else if (const auto refused_caller = refuse_caller(request)) {
      write(*refused_caller, response);
    } else {
      response.must_wait = !request.may_wait;
      if (response.must_wait) return;
      run(request, response);
    }
    finish(request, response);
  }

 private:
  std::optional<Error> refuse_caller(const http::Request& request) const {
    if (request.path() == health_path || request.path() == certificate_path) return std::nullopt;
    return access_.refuse_caller(request);
  }

  void run(const http::Request& request, http::Response& response) {
    const Answer answer = answer_to(request);
    if (answer) {
      write(*answer, response);
    } else {
      write(answer.error(), response);
      if (response.status == 405) response.add_header("Allow", methods_of(request.path()));
    }
  }

  Answer answer_to(const http::Request& request) {
    DINETTE_TRY(Match match, find_route(request.method, request.path()));
    DINETTE_TRY(Body body, Body::parse(request.body));
    return match.handler(
        state_, {request, http::QueryString(request.query()), std::move(body), std::move(match.argument)});
  }

  void finish(const http::Request& request, http::Response& response) const {
    if (const auto origin = request.header("Origin")) access_.cors().add_headers(*origin, response);
    base::log(base::LogLevel::info, "administration",
              {{"method", request.method},
               {"target", request.target},
               {"status", response.status},
               {"remote", request.remote}});
  }

  const Access access_;
  State state_;
};

bool has_page() {
  return !page_files().empty();
}

Api::Api(ApiOptions options, tenancy::Worlds& worlds, const base::Clock& real_clock)
    : impl_(std::make_unique<Impl>(std::move(options), worlds, real_clock)) {}

Api::~Api() = default;

bool Api::owns(std::string_view path) {
  for (const std::string_view prefix : prefixes) {
    if (path.starts_with(prefix)) return true;
  }
  return is_of_page(path);
}

void Api::handle(const http::Request& request, http::Response& response) {
  impl_->handle(request, response);
}

}  // namespace dinette::admin
