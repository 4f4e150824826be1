#include "dinette/dynamodb/local_call.h"

#include <algorithm>
#include <array>
#include <future>
#include <memory>
#include <utility>

namespace dinette::dynamodb {
namespace {

// The operations of DynamoDB Streams, which is a service of its own.
constexpr std::array<std::string_view, 4> stream_operations{"DescribeStream", "GetRecords",
                                                            "GetShardIterator", "ListStreams"};

}  // namespace

std::string target_of(std::string_view operation) {
  const bool of_streams = std::ranges::find(stream_operations, operation) != stream_operations.end();
  return (of_streams ? "DynamoDBStreams_20120810." : "DynamoDB_20120810.") + std::string(operation);
}

http::Response call_locally(Service& service, std::string_view operation, std::string_view request,
                            std::string_view world) {
  const std::string target = target_of(operation);
  const std::array<http::Header, 4> headers{
      http::Header{"Host", "localhost"}, http::Header{"Content-Type", "application/x-amz-json-1.0"},
      http::Header{"X-Amz-Target", target}, http::Header{http::world_header, world}};
  http::Response reply;
  const http::Request asked{
      .method = "POST", .target = "/", .headers = headers, .body = request, .remote = "this process"};
  service.handle(asked, reply);
  while (reply.deferral) {
    const auto deferral = std::move(reply.deferral);
    const auto due = std::make_shared<std::promise<void>>();
    deferral->when_due([due] { due->set_value(); });
    due->get_future().wait();
    if (!reply.must_wait) break;
    reply.clear();
    reply.deferral = deferral;
    service.handle(asked, reply);
  }
  return reply;
}

}  // namespace dinette::dynamodb
