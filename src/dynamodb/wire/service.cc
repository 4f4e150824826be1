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
#include "dinette/base/waiting.h"
#include "dinette/observe/table_counters.h"

#include "dynamodb/api/limits.h"
#include "dynamodb/api/service.h"
#include "dynamodb/expr/cache.h"
#include "dynamodb/insights/contributor_report.h"
#include "dynamodb/request/access.h"
#include "dynamodb/request/explanation.h"
#include "dynamodb/request/item_claims.h"
#include "dynamodb/streams/stream_upkeep.h"
#include "dynamodb/tables/open_table.h"
#include "dynamodb/tables/table_schema.h"
#include "dynamodb/wire/access_gate.h"
#include "dynamodb/wire/endpoint.h"
#include "dynamodb/wire/error_body.h"
#include "dynamodb/wire/face_state.h"
#include "dynamodb/wire/fault_gate.h"
#include "dynamodb/wire/insights_gate.h"
#include "dynamodb/wire/log_message.h"
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

/// Writes the body of an error, if it is one.
aws::Outcome outcome_of(const Answer<void>& answer, http::Response& response) {
  if (answer) return {};
  if (answer.error().must_wait) return {.must_wait = true};
  response.body.clear();
  wire::append_error(response.body, answer.error());
  return {.error = &api::form_of(answer.error().code)};
}

/// Adds the injected delay, and marks the connection to be dropped, if a rule says so. `details` may be null.
void settle(const wire::FaultGate& faults, aws::Outcome& outcome, observe::RequestDetails* details) {
  if (details) details->injected = faults.has_hit();
  outcome.drop = faults.drops();
  if (const tenancy::FaultHit* const hit = faults.delayed())
    outcome.delay = std::make_unique<tenancy::FaultHit>(*hit);
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
  std::size_t deleted = 0;
  for (store::Store* const store : world.stores(face_id)) {
    const auto some = expire_now(*store);
    if (!some) return std::nullopt;
    deleted += *some;
  }
  return deleted;
}

kv::Result<bool> split_shards(tenancy::World& world, std::string_view table) {
  bool any = false;
  for (store::Store* const store : world.stores(face_id)) {
    DINETTE_TRY(const store::TablePointer opened, store->catalog().open(table));
    if (!opened) continue;
    DINETTE_TRY(const bool split, split_shards(*store, *opened));
    any = any || split;
  }
  return any;
}

kv::Result<std::vector<observe::ContributorRule>> contributors(tenancy::World& world) {
  std::vector<observe::ContributorRule> rules;
  const KeyCounts& counts = wire::state_of(world, face_id).key_counts;
  for (store::Store* const store : world.stores(face_id))
    DINETTE_CHECK(append_contributors(*store, counts, world.clock().now(), rules));
  return rules;
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
        tenants_(worlds, options_.isolation),
        settings_{options_.state_delay,
                  options_.index_state_delay,
                  options_.index_lag,
                  options_.stale_reads,
                  options_.time_to_live_delay,
                  options_.stream_retention,
                  options_.recovery_window,
                  options_.partition_minimum,
                  options_.quotas,
                  options_.objects,
                  options_.kinesis,
                  options_.replication_lag},
        json_(wire::protocol(), json_options(options_), *this, tenants_, clock, ids) {}

  aws::JsonService& json() { return json_; }

  void write_consumption(observe::MetricsWriter& text) const { capacity_.write(text); }

  aws::Outcome run(const aws::JsonRequest& request, http::Response& response) override {
    tenancy::World& world = request.world;
    const aws::Caller& caller = request.caller;
    std::shared_ptr<store::Store> of_region;  // null for the one of all regions
    if (!request.name_space.empty()) of_region = world.store(face_id, request.name_space);
    Context context{.world = world,
                    .store = of_region ? *of_region : world.store(face_id),
                    .jobs = world.jobs(),
                    .now = world.clock().now(),
                    .expressions = expressions_,
                    .settings = settings_,
                    .account = caller.account,
                    .region = caller.region,
                    .host = request.host,
                    .progress = response.progress};
    context.gate = options_.gate;
    context.capacity = &capacity_;
    context.details = request.details;
    const wire::Endpoint& endpoint = wire::endpoints()[request.operation];
    if (request.details && request.details->wants_tables) note_tables(request, endpoint);
    std::optional<RequestClaims> claims;  // until the request has been answered
    if (options_.refuse_conflicts) context.claims = &claims.emplace(item_claims_, context.store);
    std::optional<Explanation> explanation;
    if (request.explain) context.explanation = &explanation.emplace();
    std::unique_ptr<wire::ThrottleGate> throttle;  // too large for the stack of requests that have none
    if (options_.throttle) [[unlikely]] {
      throttling::RateLimiters& limiters = wire::state_of(world, face_id).limiters;
      limiters.share_with(world.servers());
      throttle = std::make_unique<wire::ThrottleGate>(limiters, endpoint.kind, context.gate);
      context.gate = throttle.get();
    }
    std::optional<wire::InsightsGate> insights;
    if (TableSchema::any_has_insights()) [[unlikely]]
      context.gate = &insights.emplace(wire::state_of(world, face_id).key_counts, context.gate);
    std::unique_ptr<wire::FaultGate> faults;  // likewise
    if ((world.faults().any() && !request.spared) || request.delayed) [[unlikely]] {
      // It must run only once to be counted once.
      if (!base::may_wait()) return {.must_wait = true};
      const aws::JsonObject members = request.body.json.get_object().value_unsafe();
      faults = std::make_unique<wire::FaultGate>(world.faults(), endpoint, members, context.gate);
      if (request.delayed) faults->resume(*request.delayed);
      context.gate = faults.get();
    }
    const std::optional<iam::Identity> root = unnamed_caller(caller);
    std::optional<Access> access;  // until the request has been answered
    std::optional<wire::AccessGate> rights;
    if (options_.identities) [[unlikely]] {
      const iam::Identity* const named = options_.identities->of_key(caller.access_key);
      context.access = &access.emplace(*options_.identities, named ? *named : *root);
      context.gate = &rights.emplace(request.body.json.get_object().value_unsafe(), context.gate);
    }
    context.reading = endpoint.operation->layers.in(caller.region, options_.validation);
    Answer<void> answer = endpoint.serve({*endpoint.operation, context, request.body, types_}, response.body);
    if (faults) [[unlikely]]
      answer = faults->replace(std::move(answer));
    aws::Outcome outcome = outcome_of(answer, response);
    if (faults) [[unlikely]]
      settle(*faults, outcome, request.details);
    // Those that have consumed capacity are noted already.
    if (request.details && request.details->tables.empty() && !outcome.must_wait) [[unlikely]]
      note_tables(request, endpoint);
    if (explanation && !outcome.error) add_explanation(*explanation, response);
    if (outcome.error && base::log_enabled(base::LogLevel::info))
      outcome.error_message = message_for_log(answer.error(), request.body.json);
    return outcome;
  }

  void answer_health(http::Response& response) const override {
    if (const auto trouble = tenants_.trouble()) {
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
  /// A caller whose key no identity has is the root user of the account of the key.
  std::optional<iam::Identity> unnamed_caller(const aws::Caller& caller) const {
    if (!options_.identities || options_.identities->of_key(caller.access_key)) return std::nullopt;
    return root_user(caller.account);
  }

  static void note_tables(const aws::JsonRequest& request, const wire::Endpoint& endpoint) {
    const aws::JsonObject members = request.body.json.get_object().value_unsafe();
    for (const std::string_view table : wire::named_tables(endpoint.naming_members, members))
      request.details->table(table);
  }

  std::string message_for_log(const ApiError& error, aws::JsonElement request) const {
    return options_.log_items ? error.message : wire::without_items(error.message, request);
  }

  const ServiceOptions options_;
  const tenancy::Tenants tenants_;
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

void Service::refuse(const http::Request& request, http::Response& reply) {
  impl_->json().refuse(request, reply);
}

const observe::RequestCounters& Service::requests() const {
  return impl_->json().requests();
}

void Service::write_consumption(observe::MetricsWriter& text) const {
  impl_->write_consumption(text);
}

}  // namespace dinette::dynamodb
