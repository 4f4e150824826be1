#include "dinette/keyspaces/service.h"

#include <array>
#include <memory>
#include <string_view>
#include <utility>

#include "dinette/aws/json_service.h"
#include "dinette/aws/json_writer.h"
#include "dinette/base/log.h"

#include "keyspaces/api/errors.h"
#include "keyspaces/api/limits.h"
#include "keyspaces/api/service.h"
#include "keyspaces/wire/endpoint.h"
#include "keyspaces/wire/outputs.h"

namespace dinette::keyspaces {
namespace {

using api::form_of;

constexpr std::size_t largest_uncompressed = 4096;

constexpr std::array<std::string_view, 1> blob_members{"blobT"};

aws::JsonProtocol protocol() {
  return {.signing_name = api::signing_name,
          .content_type = api::content_type,
          .served = wire::served_targets(),
          .planned = wire::planned_targets(),
          .errors = api::common_errors,
          .error_forms = api::error_forms,
          .limits = {.head = model::limits::head_bytes,
                     .body = model::limits::request_bytes,
                     .body_on_loop = model::limits::loop_request_bytes,
                     .uncompressed = largest_uncompressed},
          .services = "Amazon Keyspaces, DynamoDB, DynamoDB Streams, Kinesis Data Streams and S3",
          .outputs = wire::output_shapes(),
          .blob_members = blob_members};
}

/// Adds a member to a JSON object.
void append_member(std::string& body, std::string_view name, std::string_view text) {
  body.pop_back();
  body.append(",\"").append(name).append("\":");
  aws::append_json_string(body, text);
  body.push_back('}');
}

/// Writes the body of an error, if it is one.
aws::Outcome outcome_of(Answer<void> answer, http::Response& response) {
  if (answer) return {};
  ApiError& error = answer.error();
  if (error.must_wait) return {.must_wait = true};
  response.body.clear();
  const aws::ErrorForm& form = form_of(error.code);
  aws::append_error(response.body, form, error.message);
  if (!error.resource_arn.empty()) append_member(response.body, "resourceArn", error.resource_arn);
  if (!error.reason.empty()) append_member(response.body, "errorCode", error.reason);
  aws::Outcome outcome{.error = &form};
  if (base::log_enabled(base::LogLevel::info)) outcome.error_message = std::move(error.message);
  return outcome;
}

class Operations final : public aws::JsonOperations {
 public:
  explicit Operations(const ServiceOptions& options)
      : strict_(options.strict), state_delay_(options.state_delay) {}

  aws::Outcome run(const aws::JsonRequest& request, http::Response& response) override {
    const Context context{.scope = {.world = request.world,
                                    .name_space = request.name_space,
                                    .account = request.caller.account,
                                    .region = request.caller.region,
                                    .strict = strict_,
                                    .state_delay = state_delay_},
                          .now = request.world.clock().now()};
    const wire::Endpoint& endpoint = wire::endpoints()[request.operation];
    return outcome_of(endpoint.serve({*endpoint.operation, context, request.body}, response.body), response);
  }

 private:
  const bool strict_;
  const std::chrono::milliseconds state_delay_;
};

}  // namespace

Service::Service(const ServiceOptions& options, tenancy::Worlds& worlds, const base::Clock& clock,
                 base::Ids& ids)
    : JsonFace(protocol(), options, std::make_unique<Operations>(options), worlds, clock, ids) {}

bool Service::owns(const http::Request& request) {
  // Every request is asked about. Most are DynamoDB's, and go to "/" as well.
  if (request.target.size() != 1 || request.method != "POST") return false;
  return aws::has_target_of(request, "KeyspacesService.") || aws::has_target_of(request, "KeyspacesStreams.");
}

}  // namespace dinette::keyspaces
