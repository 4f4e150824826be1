#include "app/transfer/other_services.h"

#include <string>
#include <utility>
#include <vector>

#include "dinette/aws/json_service.h"
#include "dinette/tenancy/world_header.h"

#include "app/service_settings.h"

namespace dinette::app {
namespace {

lambda::ServiceOptions settings_of_lambda(const dynamodb::ServiceOptions& service, ServedStreams& streams,
                                          lambda::MappingsChanged mappings_changed) {
  lambda::ServiceOptions settings = lambda_settings(service, streams);
  settings.mappings_changed = std::move(mappings_changed);
  return settings;
}

}  // namespace

OtherServices::OtherServices(const Options& options, const dynamodb::ServiceOptions& service,
                             lambda::MappingsChanged mappings_changed, tenancy::Worlds& worlds,
                             const base::Clock& clock, base::Ids& ids)
    : keyspaces_(keyspaces_settings(options, service), worlds, clock, ids),
      lambda_(settings_of_lambda(service, streams_, std::move(mappings_changed)), worlds, clock, ids) {}

base::Result<OperationReply, NoReply> OtherServices::call(const ServiceCall& call, std::string_view world) {
  std::vector<http::Header> headers{{"Host", "localhost"}, {tenancy::world_header, world}};
  headers.push_back(
      {"Content-Type", call.target.empty() ? "application/json" : "application/x-amz-json-1.0"});
  if (!call.target.empty()) headers.push_back({"X-Amz-Target", call.target});
  const http::Request asked{.method = call.method,
                            .target = call.path,
                            .headers = headers,
                            .body = call.body,
                            .remote = "this process"};
  const auto reply_of = [&asked](face::Face& face) -> OperationReply {
    http::Response reply;
    http::answer_here([&](const http::Request& one, http::Response& answer) { face.handle(one, answer); },
                      asked, reply);
    std::string error_type(aws::error_type_of(reply));
    return {reply.status, std::move(reply.body), {}, std::move(error_type)};
  };
  if (keyspaces::Service::owns(asked)) return reply_of(keyspaces_);
  if (lambda::Service::owns(asked)) return reply_of(lambda_);
  return base::Failure{NoReply{call.operation + " is no operation that is served"}};
}

}  // namespace dinette::app
