#include "s3/remote/exchange.h"

#include <array>
#include <utility>

#include "dinette/base/utf8.h"
#include "dinette/http/query_string.h"
#include "dinette/objects/s3_errors.h"

#include "s3/etag.h"

namespace dinette::s3 {
namespace {

using base::Failure;
using objects::ErrorKind;

constexpr int first_server_error = 500;
constexpr int forbidden = 403;

/// What S3 answers besides 5xx when the same request may succeed later.
constexpr std::array<int, 2> passing_statuses{408, 429};

ErrorKind kind_of(int status, std::string_view code) {
  const ErrorKind otherwise = status == forbidden ? ErrorKind::access_denied : ErrorKind::failed;
  return objects::kind_of_s3_error(code).value_or(otherwise);
}

bool may_pass(int status) {
  for (const int one : passing_statuses) {
    if (status == one) return true;
  }
  return status >= first_server_error;
}

bool may_pass(http::ClientError error) {
  using enum http::ClientError;
  return error == unreachable || error == timed_out || error == broken;
}

std::string target_of(const RemoteRequest& request) {
  std::string target = "/" + http::percent_encode(request.bucket);
  if (!request.key.empty()) target += "/" + http::percent_encode(request.key, "/");
  if (!request.query.empty()) target += "?" + request.query;
  return target;
}

/// Returns the beginning of what the server says, for a log line or a description that is kept.
std::string readable(std::string_view text) {
  constexpr std::size_t longest = 500;
  return base::shortened(text, longest);
}

std::string_view reason_of(http::ClientError error) {
  switch (error) {
    case http::ClientError::unreachable:
      return "cannot be reached";
    case http::ClientError::no_tls:
      return "accepts no TLS";
    case http::ClientError::untrusted:
      return "has a certificate that is not trusted";
    case http::ClientError::timed_out:
      return "did not answer in time";
    case http::ClientError::broken:
      return "closed the connection before it answered";
    case http::ClientError::not_http:
      return "does not answer in HTTP";
    case http::ClientError::too_large:
      break;
  }
  return "sent more than it was asked for";
}

}  // namespace

std::string Exchange::server() const {
  return "the S3 at " + http::host_of(options_.server) + " ";
}

objects::Error Exchange::unexpected(const std::string& what) const {
  return {ErrorKind::failed, server() + what};
}

objects::Error Exchange::no_answer(http::ClientError error) const {
  return unexpected(std::string(reason_of(error)));
}

objects::Error Exchange::error_of(const http::ClientResponse& response) const {
  const auto body = read_xml(response.body);
  const std::string_view code(body ? body->text_of("Code") : "");
  std::string message = server() + "answered " + std::to_string(response.status);
  if (!code.empty()) message += " " + readable(code) + ": " + readable(body->text_of("Message"));
  return {kind_of(response.status, code), std::move(message)};
}

base::Result<http::ClientResponse, http::ClientError> Exchange::attempt(const RemoteRequest& request) {
  // A listing of a thousand long keys, encoded, takes most.
  constexpr std::size_t most_of_documents = 8 << 20;
  http::ClientRequest sent{.method = request.method,
                           .target = target_of(request),
                           .headers = request.headers,
                           .body = request.body};
  aws::sign_s3_request(sent, http::host_of(options_.server), options_.identity, clock_.now());
  return http::fetch(options_.server, sent,
                     {.timeout = options_.timeout, .body_bytes = options_.read_size + most_of_documents},
                     stop_.get_token());
}

objects::Result<http::ClientResponse> Exchange::send(const RemoteRequest& request) {
  for (std::size_t failures = 0;; ++failures) {
    auto response = attempt(request);
    if (stop_.stop_requested())
      return Failure{objects::Error{ErrorKind::stopped, "the server is about to end"}};
    const bool again = response ? may_pass(response->status) : may_pass(response.error());
    if (!again && response) return std::move(response).value();
    if (!again || failures == options_.pauses.size())
      return Failure{response ? error_of(*response) : no_answer(response.error())};
    pause(options_.pauses[failures]);
  }
}

objects::Result<http::ClientResponse> Exchange::succeed(const RemoteRequest& request) {
  constexpr int hundred = 100;
  DINETTE_TRY(auto response, send(request));
  if (response.status / hundred != 2) return Failure{error_of(response)};
  return response;
}

void Exchange::try_once(const RemoteRequest& request) {
  if (!stop_.stop_requested()) static_cast<void>(attempt(request));
}

void Exchange::pause(std::chrono::milliseconds length) {
  std::unique_lock lock(mutex_);
  never_.wait_for(lock, stop_.get_token(), length, [] { return false; });
}

std::string etag_of(const http::ClientResponse& response) {
  return std::string(without_quotes(response.header("etag").value_or("")));
}

}  // namespace dinette::s3
