#include "dinette/dynamodb/local_call.h"

#include <algorithm>
#include <array>

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
  const auto handle = [&](const http::Request& one, http::Response& answer) { service.handle(one, answer); };
  http::answer_here(handle, asked, reply);
  return reply;
}

}  // namespace dinette::dynamodb
