#include "dinette/kinesis/service.h"

#include <array>
#include <memory>
#include <string_view>
#include <utility>

#include "dinette/aws/json_service.h"
#include "dinette/base/log.h"

#include "kinesis/api/errors.h"
#include "kinesis/api/limits.h"
#include "kinesis/api/service.h"
#include "kinesis/streams/stream_schema.h"
#include "kinesis/streams/stream_upkeep.h"
#include "kinesis/wire/endpoint.h"
#include "kinesis/wire/outputs.h"

namespace dinette::kinesis {
namespace {

using api::form_of;

constexpr std::size_t largest_uncompressed = 4096;

/// The only members that are bytes.
constexpr std::array<std::string_view, 1> blob_members{"Data"};

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
          .services = "DynamoDB, DynamoDB Streams, Kinesis Data Streams and S3",
          .smithy = api::smithy_services,
          .outputs = wire::output_shapes(),
          .blob_members = blob_members};
}

/// Returns true if a message repeats a part of a record: its partition key, or what chooses its shard.
bool repeats_record(std::string_view message) {
  return message.find("artitionKey'") != std::string_view::npos ||
         message.find("xplicitHashKey'") != std::string_view::npos;
}

/// Writes the body of an error, if it is one.
aws::Outcome outcome_of(Answer<void> answer, bool log_bodies, http::Response& response) {
  if (answer) return {};
  ApiError& error = answer.error();
  if (error.must_wait) return {.must_wait = true};
  response.body.clear();
  const aws::ErrorForm& form = form_of(error.code);
  aws::append_error(response.body, form, error.message);
  aws::Outcome outcome{.error = &form};
  const bool logged =
      base::log_enabled(base::LogLevel::info) && (log_bodies || !repeats_record(error.message));
  if (logged) outcome.error_message = std::move(error.message);
  return outcome;
}

class Operations final : public aws::JsonOperations {
 public:
  explicit Operations(const ServiceOptions& options)
      : state_delay_(options.state_delay), log_bodies_(options.log_bodies) {}

  aws::Outcome run(const aws::JsonRequest& request, http::Response& response) override {
    tenancy::World& world = request.world;
    std::shared_ptr<store::Store> of_region;  // null for the one of all regions
    if (!request.name_space.empty()) of_region = world.store(face_id, request.name_space);
    const Context context{.store = of_region ? *of_region : world.store(face_id),
                          .jobs = world.jobs(),
                          .now = world.clock().now(),
                          .state_delay = state_delay_,
                          .account = request.caller.account,
                          .region = request.caller.region};
    const wire::Endpoint& endpoint = wire::endpoints()[request.operation];
    Answer<void> answer = endpoint.serve({*endpoint.operation, context, request.body}, response.body);
    return outcome_of(std::move(answer), log_bodies_, response);
  }

 private:
  const std::chrono::milliseconds state_delay_;
  const bool log_bodies_;
};

}  // namespace

tenancy::WorldFace world_face() {
  return {{.id = face_id, .decode = &StreamSchema::decode, .has_tables = false},
          [](tenancy::World& world) { resume(world); }};
}

Service::Service(const ServiceOptions& options, tenancy::Worlds& worlds, const base::Clock& clock,
                 base::Ids& ids)
    : JsonFace(protocol(), options, std::make_unique<Operations>(options), worlds, clock, ids) {}

bool Service::owns(const http::Request& request) {
  // Every request is asked about. Most are DynamoDB's, and go to "/" as well.
  if (request.target.size() != 1) return aws::is_smithy_request_of(request, api::smithy_services.front());
  return request.method == "POST" && aws::has_target_of(request, "Kinesis_20131202.");
}

}  // namespace dinette::kinesis
