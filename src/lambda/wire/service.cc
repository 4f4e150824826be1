#include "dinette/lambda/service.h"

#include <array>
#include <memory>
#include <string_view>
#include <utility>

#include "dinette/aws/json_service.h"
#include "dinette/base/log.h"
#include "dinette/face/aws_request.h"
#include "dinette/lambda/pollers.h"

#include "lambda/api/errors.h"
#include "lambda/api/limits.h"
#include "lambda/api/service.h"
#include "lambda/mappings/deletion.h"
#include "lambda/wire/endpoint.h"

namespace dinette::lambda {
namespace {

using api::form_of;

constexpr std::size_t largest_uncompressed = 4096;

constexpr std::string_view path_of_mappings = "/2015-03-31/event-source-mappings";
constexpr std::string_view path_of_tags = "/2017-03-31/tags/";

aws::JsonProtocol protocol() {
  return {
      .signing_name = api::signing_name,
      .content_type = api::content_type,
      .served = wire::served_targets(),
      .planned = wire::planned_targets(),
      .errors = api::common_errors,
      .error_forms = api::error_forms,
      .limits = {.head = model::limits::head_bytes,
                 .body = model::limits::request_bytes,
                 .body_on_loop = model::limits::loop_request_bytes,
                 .uncompressed = largest_uncompressed},
      .routes = wire::routes(),
      .no_route = "Dinette serves the event source mappings of Lambda only, and no other operation of it"};
}

/// Writes the body of an error, if it is one.
aws::Outcome outcome_of(Answer<void> answer, http::Response& response) {
  if (answer) return {};
  ApiError& error = answer.error();
  if (error.must_wait) return {.must_wait = true};
  response.body.clear();
  const aws::ErrorForm& form = form_of(error.code);
  aws::append_rest_error(response.body, form, error.message);
  aws::Outcome outcome{.error = &form};
  if (base::log_enabled(base::LogLevel::info)) outcome.error_message = std::move(error.message);
  return outcome;
}

class Operations final : public aws::JsonOperations {
 public:
  explicit Operations(ServiceOptions options)
      : state_delay_(options.state_delay),
        sources_(options.sources),
        mappings_changed_(std::move(options.mappings_changed)) {}

  aws::Outcome run(const aws::JsonRequest& request, http::Response& response) override {
    tenancy::World& world = request.world;
    const std::shared_ptr<store::Store> store = world.store(face_id, request.name_space);
    const Context context{.world = world,
                          .name_space = request.name_space,
                          .store = *store,
                          .now = world.clock().now(),
                          .state_delay = state_delay_,
                          .account = request.caller.account,
                          .region = request.caller.region,
                          .sources = sources_,
                          .mappings_changed = mappings_changed_};
    const wire::Endpoint& endpoint = wire::endpoints()[request.operation];
    return outcome_of(endpoint.serve({*endpoint.operation, context, request.body}, response.body), response);
  }

 private:
  const std::chrono::milliseconds state_delay_;
  StreamSources* const sources_;
  const MappingsChanged mappings_changed_;
};

}  // namespace

tenancy::WorldFace world_face(Pollers* pollers) {
  // A face without tables decodes no schema.
  return {{.id = face_id,
           .decode = [](std::string_view) { return std::shared_ptr<const store::Schema>(); },
           .has_tables = false},
          [pollers](tenancy::World& world) {
            if (pollers != nullptr)
              pollers->resume(world);
            else
              resume(world);
          }};
}

Service::Service(const ServiceOptions& options, tenancy::Worlds& worlds, const base::Clock& clock,
                 base::Ids& ids)
    : JsonFace(protocol(), options, std::make_unique<Operations>(options), worlds, clock, ids) {}

bool Service::owns(const http::Request& request) {
  // Every request is asked about. Most are DynamoDB's, and go to "/".
  if (request.target.size() == 1) return false;
  return request.target.starts_with(path_of_mappings) || request.target.starts_with(path_of_tags) ||
         face::is_signed_for(request, api::signing_name);
}

}  // namespace dinette::lambda
