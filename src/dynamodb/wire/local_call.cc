#include "dinette/dynamodb/local_call.h"

#include <array>
#include <span>

#include "dinette/aws/json_service.h"

#include "dynamodb/api/service.h"

namespace dinette::dynamodb {

std::string target_of(std::string_view operation) {
  return std::string(api::target_prefix_of(operation)).append(".").append(operation);
}

http::Response call_locally(Service& service, std::string_view operation, std::string_view request,
                            std::string_view world, bool explain) {
  const std::string target = target_of(operation);
  const std::array<http::Header, 5> headers{
      http::Header{"Host", "localhost"}, http::Header{"Content-Type", "application/x-amz-json-1.0"},
      http::Header{"X-Amz-Target", target}, http::Header{tenancy::world_header, world},
      http::Header{aws::explain_header, "true"}};
  const auto sent = std::span(headers).first(explain ? headers.size() : headers.size() - 1);
  http::Response reply;
  const http::Request asked{
      .method = "POST", .target = "/", .headers = sent, .body = request, .remote = "this process"};
  const auto handle = [&](const http::Request& one, http::Response& answer) { service.handle(one, answer); };
  http::answer_here(handle, asked, reply);
  return reply;
}

}  // namespace dinette::dynamodb
