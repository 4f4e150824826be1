#include "app/transfer/remote_operations.h"

#include <chrono>
#include <optional>
#include <utility>

#include "dinette/aws/json_service.h"
#include "dinette/dynamodb/local_call.h"
#include "dinette/tcp/address.h"
#include "dinette/tenancy/world_header.h"

#include "app/credentials/endpoints.h"

namespace dinette::app {
namespace {

using base::Failure;
using Identified = base::Result<aws::SigningIdentity, std::string>;

constexpr std::string_view service = "dynamodb";

// A page of a Scan is a megabyte as the service counts it; as JSON, numbers may take many times as much.
constexpr http::ClientLimits reply_limits{.timeout = std::chrono::minutes(2),
                                          .body_bytes = std::size_t{128} << 20};

void add_header(http::ClientRequest& request, std::string_view name, std::string_view value) {
  request.headers.append(name).append(": ").append(value).append("\r\n");
}

/// Returns "ResourceNotFoundException" of "ResourceNotFoundException:http://internal.amazon.com/coral/".
std::string error_type_in(std::string_view header) {
  return std::string(header.substr(0, header.find(':')));
}

NoReply no_reply(const tcp::Remote& server, http::ClientError error) {
  const std::string place = "the server at " + tcp::host_and_port(server.host, server.port) + " ";
  switch (error) {
    case http::ClientError::unreachable:
      return {place + "does not answer; is it running on that port?"};
    case http::ClientError::untrusted:
      return {place +
              "has a certificate that is not trusted; AWS_CA_BUNDLE names a file of other authorities"};
    case http::ClientError::no_tls:
      return {place + "does not accept TLS; use an http:// URL"};
    case http::ClientError::timed_out:
      return {place + "accepts connections, but did not answer in time", true};
    case http::ClientError::broken:
      return {place + "closed the connection before it answered", true};
    case http::ClientError::not_http:
      return {place + "does not answer in HTTP; if it serves TLS, begin the URL with https://"};
    case http::ClientError::too_large:
      break;
  }
  return {place + "sent a longer response than any of DynamoDB's"};
}

}  // namespace

RemoteOperations::RemoteOperations(tcp::Remote server, aws::SigningIdentity identity,
                                   const base::Clock& clock)
    : RemoteOperations(
          std::move(server), [identity = std::move(identity)]() -> Identified { return identity; }, clock) {}

RemoteOperations::RemoteOperations(tcp::Remote server, Identify identify, const base::Clock& clock)
    : server_(std::move(server)), identify_(std::move(identify)), clock_(clock) {}

base::Result<OperationReply, NoReply> RemoteOperations::call(std::string_view operation,
                                                             std::string_view request) {
  return call_in("", operation, request);
}

base::Result<OperationReply, NoReply> RemoteOperations::call_in(std::string_view world,
                                                                std::string_view operation,
                                                                std::string_view request, bool explain) {
  const Identified identity = identify_();
  if (!identity) return Failure{NoReply{identity.error()}};
  http::ClientRequest sent{.method = "POST", .body = std::string(request)};
  sent.headers = "Content-Type: application/x-amz-json-1.0\r\n";
  if (!world.empty()) add_header(sent, tenancy::world_header, world);
  if (explain) add_header(sent, aws::explain_header, "true");
  aws::sign_request(sent, http::host_of(server_), dynamodb::target_of(operation), service, *identity,
                    clock_.now());
  return send(sent);
}

base::Result<OperationReply, NoReply> RemoteOperations::call_service(const ServiceCall& call) {
  if (is_aws_host(server_.host))
    return Failure{NoReply{"in AWS only tables of DynamoDB are made: " + call.operation + " is not called"}};
  const Identified identity = identify_();
  if (!identity) return Failure{NoReply{identity.error()}};
  http::ClientRequest sent{.method = call.method, .target = call.path, .body = call.body};
  if (call.target.empty()) {
    sent.headers = "Content-Type: application/json\r\n";
    aws::sign_request_without_target(sent, http::host_of(server_), call.service, *identity, clock_.now());
  } else {
    sent.headers = "Content-Type: application/x-amz-json-1.0\r\n";
    aws::sign_request(sent, http::host_of(server_), call.target, call.service, *identity, clock_.now());
  }
  return send(sent);
}

std::optional<std::string> RemoteOperations::why_absent(std::chrono::milliseconds patience) const {
  const auto response = http::fetch(server_, {.method = "OPTIONS"}, {.timeout = patience});
  if (response) return std::nullopt;
  return no_reply(server_, response.error()).message;
}

base::Result<OperationReply, NoReply> RemoteOperations::administrate(std::string_view method,
                                                                     std::string_view target,
                                                                     std::string_view body,
                                                                     std::string_view token) {
  http::ClientRequest sent{
      .method = std::string(method), .target = std::string(target), .body = std::string(body)};
  if (!token.empty()) add_header(sent, "Authorization", "Bearer " + std::string(token));
  return send(sent);
}

base::Result<OperationReply, NoReply> RemoteOperations::send(const http::ClientRequest& request) {
  auto response = http::fetch(server_, request, reply_limits);
  if (!response) return Failure{no_reply(server_, response.error())};
  std::string explanation(response->header(aws::explain_header).value_or(""));
  std::string error_type = error_type_in(response->header(aws::error_type_header).value_or(""));
  return OperationReply{response->status, std::move(response->body), std::move(explanation),
                        std::move(error_type)};
}

}  // namespace dinette::app
