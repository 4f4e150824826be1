#include "dinette/dynamodb/service.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "dinette/aws/json_service.h"
#include "dinette/base/log.h"
#include "dinette/base/time_text.h"
#include "dinette/base/waiting.h"
#include "dinette/http/world_header.h"
#include "dinette/observe/table_counters.h"

#include "dynamodb/api/limits.h"
#include "dynamodb/api/service.h"
#include "dynamodb/expr/cache.h"
#include "dynamodb/request/explanation.h"
#include "dynamodb/request/item_claims.h"
#include "dynamodb/streams/stream_upkeep.h"
#include "dynamodb/tables/open_table.h"
#include "dynamodb/tables/table_schema.h"
#include "dynamodb/wire/endpoint.h"
#include "dynamodb/wire/error_body.h"
#include "dynamodb/wire/fault_gate.h"
#include "dynamodb/wire/named_tables.h"
#include "dynamodb/wire/open_work.h"
#include "dynamodb/wire/protocol.h"
#include "dynamodb/wire/throttle_gate.h"
#include "dynamodb/wire/type_lenience.h"
#include "dynamodb/writes/expiration.h"

namespace dinette::dynamodb {
namespace {

/// First byte of all DynamoDB keys in the store; never changes.
constexpr std::uint8_t face_id = 1;

/// DynamoDB Local's response to a request that is not signed, word for word.
constexpr std::string_view local_health =
    R"({"__type":"com.amazonaws.dynamodb.v20120810#MissingAuthenticationToken",)"
    R"("message":"Request must contain either a valid (registered) AWS access key ID or X.509 certificate."})";

aws::JsonServiceOptions json_options(const ServiceOptions& options) {
  return {.auth = options.auth,
          .cors_origins = options.cors_origins,
          .log_bodies = options.log_items,
          .recent = options.recent,
          .reports = options.reports};
}

Answer<void> dropped_world(std::string_view name, base::TimePoint when) {
  return validation("The world '" + std::string(name) + "' was dropped at " + base::format_time(when) +
                    ". POST /_dinette/worlds forks it again");
}

Answer<void> no_such_world(std::string_view name) {
  return validation(std::string(http::world_header) + " names no world: '" + std::string(name) +
                    "'. POST /_dinette/worlds creates one");
}

/// Writes the body of an error, if it is one.
aws::Outcome outcome_of(const Answer<void>& answer, http::Response& response) {
  if (answer) return {};
  if (answer.error().must_wait) return {.must_wait = true};
  response.body.clear();
  wire::append_error(response.body, answer.error());
  return {.error = &api::form_of(answer.error().code)};
}

/// The delay of a request that a rule has hit.
struct Delay final : http::Deferral {
  Delay(std::shared_ptr<tenancy::World> picked, tenancy::FaultHit its_hit)
      : world(std::move(picked)), hit(std::move(its_hit)) {}

  void when_due(std::function<void()> resume) override {
    world->faults().resume_after_delay(hit, std::move(resume));
  }

  const std::shared_ptr<tenancy::World> world;  ///< that of the request
  const tenancy::FaultHit hit;
};

/// Has the request run again, or its response sent, after a delay that is ordered now; and has the connection
/// dropped, if that is.
void settle(const wire::FaultGate& faults, const std::shared_ptr<tenancy::World>& world,
            aws::Outcome& outcome, http::Response& response) {
  outcome.drop = faults.drops();
  if (const tenancy::FaultHit* const hit = faults.delayed())
    response.deferral = std::make_shared<Delay>(world, *hit);
}

void add_explanation(const Explanation& explanation, http::Response& response) {
  const std::string text = explanation.text();
  if (!text.empty()) response.add_header(aws::explain_header, text);
}

}  // namespace

store::Face face() {
  return {face_id, &TableSchema::decode, model::limits::item_collection_bytes};
}

tenancy::WorldFace world_face(const Upkeep& upkeep) {
  return {face(), [=](tenancy::World& world) { resume_open_work(world, upkeep); }};
}

std::optional<std::size_t> delete_expired_items(tenancy::World& world) {
  const auto deleted = expire_now(world.store(face_id));
  return deleted ? std::optional(*deleted) : std::nullopt;
}

kv::Result<bool> split_shards(tenancy::World& world, std::string_view table) {
  store::Store& store = world.store(face_id);
  DINETTE_TRY(const store::TablePointer opened, store.catalog().open(name_space, table));
  if (!opened) return false;
  return split_shards(store, *opened);
}

http::Limits http_limits() {
  http::Limits limits;
  limits.body_bytes = model::limits::request_bytes;
  limits.header_bytes = 2 * model::limits::head_bytes;
  return limits;
}

class Service::Impl final : public aws::JsonOperations {
 public:
  Impl(ServiceOptions options, tenancy::Worlds& worlds, const base::Clock& clock, base::Ids& ids)
      : options_(std::move(options)),
        worlds_(worlds),
        settings_{options_.state_delay,     options_.index_state_delay,  options_.index_lag,
                  options_.stale_reads,     options_.time_to_live_delay, options_.stream_retention,
                  options_.recovery_window, options_.partition_minimum,  options_.objects},
        json_(wire::protocol(), json_options(options_), *this, clock, ids) {}

  aws::JsonService& json() { return json_; }

  void write_metrics(observe::OpenMetrics& text) const {
    json_.write_metrics(text);
    capacity_.write(text);
  }

  aws::Outcome run(const aws::JsonRequest& request, http::Response& response) override {
    if (response.deferral) [[unlikely]] {
      const auto delay = std::static_pointer_cast<const Delay>(std::exchange(response.deferral, nullptr));
      return run_in(delay->world, request, response, &delay->hit);
    }
    const auto picked = world_of(request);
    if (!picked) [[unlikely]]
      return outcome_of(storage_failure(picked.error()), response);
    const std::shared_ptr<tenancy::World>& world = *picked;
    if (world == nullptr) [[unlikely]]
      return outcome_of(refuse_world(request), response);
    return run_in(world, request, response, nullptr);
  }

  void answer_health(http::Response& response) const override {
    if (const auto trouble = worlds_.trouble()) {
      response.status = 503;
      response.content_type = "text/plain";
      response.body = *trouble + "\n";
      return;
    }
    if (options_.as_dynamodb_local) {
      response.status = 400;
      response.content_type = api::content_type;
      response.body = local_health;
      return;
    }
    response.content_type = "text/plain";
    response.body = "healthy: dynamodb." + options_.auth.default_region + ".amazonaws.com ";
  }

 private:
  /// `resumed`: the request has had the delay of this hit; null: it has not been delayed.
  aws::Outcome run_in(const std::shared_ptr<tenancy::World>& world, const aws::JsonRequest& request,
                      http::Response& response, const tenancy::FaultHit* resumed) {
    const aws::Caller& caller = request.caller;
    Context context{.store = world->store(face_id),
                    .jobs = world->jobs(),
                    .moment = world->clock().now(),
                    .expressions = expressions_,
                    .settings = settings_,
                    .account = caller.account,
                    .region = caller.region,
                    .host = request.host,
                    .progress = response.progress};
    context.gate = options_.gate;
    context.capacity = &capacity_;
    context.notes = request.notes;
    const wire::Endpoint& endpoint = wire::endpoints()[request.operation];
    if (request.notes) take_notes(request, endpoint);
    std::optional<RequestClaims> claims;  // until the request has been answered
    if (options_.refuse_conflicts) context.claims = &claims.emplace(item_claims_, context.store);
    std::optional<Explanation> explanation;
    if (request.explain) context.explanation = &explanation.emplace();
    std::unique_ptr<wire::ThrottleGate> throttle;  // too large for the stack of requests that have none
    if (options_.throttle) [[unlikely]] {
      throttle =
          std::make_unique<wire::ThrottleGate>(wire::ledger_of(*world, face_id), endpoint.kind, context.gate);
      context.gate = throttle.get();
    }
    std::unique_ptr<wire::FaultGate> faults;  // likewise
    if (world->faults().any() || resumed) [[unlikely]] {
      // It must run only once to be counted once.
      if (!base::may_wait()) return {.must_wait = true};
      const aws::JsonObject members = request.body.json.get_object().value_unsafe();
      faults = std::make_unique<wire::FaultGate>(world->faults(), endpoint, members, context.gate);
      if (resumed) faults->resume(*resumed);
      context.gate = faults.get();
    }
    context.reading = endpoint.operation->layers.in(caller.region, options_.validation);
    Answer<void> answer = endpoint.serve(*endpoint.operation, context, request.body, types_, response.body);
    if (faults) [[unlikely]]
      answer = faults->replace(std::move(answer));
    aws::Outcome outcome = outcome_of(answer, response);
    if (faults) [[unlikely]]
      settle(*faults, world, outcome, response);
    if (explanation && !outcome.error) add_explanation(*explanation, response);
    return outcome;
  }

  /// Returns the world that the request chooses by its header or by an access key that is the name of a fork,
  /// else the one of its caller. Returns null if the header names no world, or the access key a fork that was
  /// dropped: programs that still use it would write into a world that others share.
  kv::Result<std::shared_ptr<tenancy::World>> world_of(const aws::JsonRequest& request) {
    if (request.world) [[unlikely]]
      return *request.world == http::default_world ? worlds_.find("") : worlds_.find_fork(*request.world);
    if (auto fork = worlds_.find_fork(request.caller.access_key)) return fork;
    if (worlds_.dropped_at(request.caller.access_key)) [[unlikely]]
      return std::shared_ptr<tenancy::World>();
    return worlds_.pick(own_world_of(request.caller));
  }

  /// Says why world_of() finds none.
  Answer<void> refuse_world(const aws::JsonRequest& request) const {
    const std::string_view name = request.world.value_or(request.caller.access_key);
    if (const auto when = worlds_.dropped_at(name)) return dropped_world(name, *when);
    return no_such_world(name);
  }

  void take_notes(const aws::JsonRequest& request, const wire::Endpoint& endpoint) {
    observe::Notes& notes = *request.notes;
    notes.world = name_of_world(request);
    const aws::JsonObject members = request.body.json.get_object().value_unsafe();
    for (const std::string_view table : wire::named_tables(endpoint.naming_members, members))
      notes.table(table);
  }

  std::string name_of_world(const aws::JsonRequest& request) {
    if (request.world) return std::string(*request.world);
    if (worlds_.find_fork(request.caller.access_key)) return request.caller.access_key;
    std::string own = own_world_of(request.caller);
    return own.empty() ? std::string(http::default_world) : own;
  }

  /// Returns the name of the caller's own world.
  std::string own_world_of(const aws::Caller& caller) const {
    std::string name;
    if (options_.isolate_account) name += caller.account;
    if (options_.isolate_region) name += "/" + caller.region;
    return name;
  }

  const ServiceOptions options_;
  tenancy::Worlds& worlds_;
  const Settings settings_;
  expr::Cache expressions_;
  ItemClaims item_claims_;  ///< none unless conflicts are refused
  observe::TableCounters capacity_;
  wire::TypeLenience types_{options_.lenient_types};
  aws::JsonService json_;
};

Service::Service(ServiceOptions options, tenancy::Worlds& worlds, const base::Clock& clock, base::Ids& ids)
    : impl_(std::make_unique<Impl>(std::move(options), worlds, clock, ids)) {}

Service::~Service() = default;

void Service::handle(const http::Request& request, http::Response& reply) {
  impl_->json().handle(request, reply);
}

void Service::finish_refusal(std::string_view remote, http::Response& reply) {
  impl_->json().finish_refusal(remote, reply);
}

void Service::write_metrics(observe::OpenMetrics& text) const {
  impl_->write_metrics(text);
}

}  // namespace dinette::dynamodb
