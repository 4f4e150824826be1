#include "app/service_settings.h"

#include <chrono>
#include <string_view>
#include <utility>
#include <vector>

#include "app/usable_memory.h"

namespace dinette::app {
namespace {

// The service's replicas are rarely further apart.
constexpr std::chrono::milliseconds staleness{500};

cql::LogInOptions::Mode cql_log_in(const Options& options) {
  using Mode = cql::LogInOptions::Mode;
  if (options.auth == aws::AuthMode::verify || !options.cql_users.empty()) return Mode::verify;
  return options.auth == aws::AuthMode::present ? Mode::any : Mode::none;
}

kv::Result<std::vector<admin::ReplicaLink>> replica_links(tenancy::World& world) {
  DINETTE_TRY(const auto states, dynamodb::replication_states(world));
  std::vector<admin::ReplicaLink> links;
  for (const dynamodb::ReplicationState& state : states) {
    links.push_back({state.table, state.from, state.to, state.status, state.cut, state.pending, state.behind,
                     state.applied, state.outdated});
  }
  return links;
}

}  // namespace

dynamodb::ServiceOptions service_settings(const Options& options, aws::Credentials credentials) {
  dynamodb::ServiceOptions service;
  service.auth = {.mode = options.auth,
                  .credentials = std::move(credentials),
                  .default_account = options.account,
                  .default_region = options.region};
  service.isolation = options.isolation;
  service.cors_origins = options.cors_origins;
  service.state_delay = options.state_delay;
  service.index_state_delay = options.index_state_delay;
  service.as_dynamodb_local = options.as_dynamodb_local;
  service.index_lag = options.index_lag;
  if (options.stale_reads) service.stale_reads = staleness;
  service.time_to_live_delay = options.time_to_live_delay;
  service.replication_lag = {options.replication_lag, options.seed.value_or(0)};
  service.stream_retention = options.stream_retention;
  service.recovery_window = options.recovery_window;
  service.partition_minimum = options.partition_minimum;
  service.refuse_conflicts = options.refuse_conflicts;
  service.throttle = options.throttle;
  service.quotas = options.quotas;
  service.validation = options.validation;
  service.lenient_types = options.lenient_types || options.as_dynamodb_local;
  service.log_items = options.log_items;
  return service;
}

aws::JsonFaceOptions face_settings(const dynamodb::ServiceOptions& service) {
  return {.auth = service.auth,
          .isolation = service.isolation,
          .cors_origins = service.cors_origins,
          .state_delay = service.state_delay,
          .log_bodies = service.log_items,
          .recent = service.recent};
}

tablestore::ServiceOptions tablestore_settings(const Options& options,
                                               const dynamodb::ServiceOptions& service) {
  tablestore::ServiceOptions tablestore{.keys = options.tablestore_keys,
                                        .strict = options.auth == aws::AuthMode::verify,
                                        .loose_names = options.tablestore_loose_names,
                                        .recent = service.recent,
                                        .reports = service.reports};
  for (const auto& [id, credential] : service.auth.credentials)
    tablestore.keys.push_back({id, credential.secret});
  return tablestore;
}

cql::ServiceOptions cql_settings(const Options& options, const dynamodb::ServiceOptions& service) {
  cql::ServiceOptions cql{.strict = options.cql_strict,
                          .log_in = {.mode = cql_log_in(options), .passwords = options.cql_users},
                          .account = service.auth.default_account,
                          .region = service.auth.default_region,
                          .isolation = service.isolation,
                          .state_delay = service.state_delay,
                          .sizes = options.cql_sizes,
                          .throttle = options.throttle,
                          .recent = service.recent,
                          .reports = service.reports};
  for (const auto& [id, credential] : service.auth.credentials)
    cql.log_in.keys.emplace(id, cql::AccessKey{.secret = credential.secret, .account = credential.account});
  return cql;
}

keyspaces::ServiceOptions keyspaces_settings(const Options& options,
                                             const dynamodb::ServiceOptions& service) {
  return {face_settings(service), options.cql_strict};
}

lambda::ServiceOptions lambda_settings(const dynamodb::ServiceOptions& service,
                                       lambda::StreamSources& sources) {
  return {face_settings(service), &sources};
}

lambda::PollersSettings pollers_settings(const Options& options, const dynamodb::ServiceOptions& service,
                                         lambda::StreamSources& sources, base::Ids& ids) {
  return {.sources = sources,
          .places = options.functions,
          .timeout = options.function_timeout,
          .objects = service.objects,
          .ids = ids,
          .isolation = service.isolation,
          .account = service.auth.default_account,
          .region = service.auth.default_region};
}

admin::ApiOptions admin_settings(const Options& options, const std::string& visitor_token) {
  return {.token = visitor_token.empty() ? options.admin_token : visitor_token,
          .token_for_all_callers = visitor_token.empty(),
          .cors_origins = options.cors_origins,
          .version = DINETTE_VERSION,
          .sweep_expired = &dynamodb::delete_expired_items,
          .split_shards = [](tenancy::World& world,
                             std::string_view table) { return dynamodb::split_shards(world, table); },
          .contributors = &dynamodb::contributors,
          .replica_links = &replica_links,
          .prepare_fault = &prepare_fault};
}

std::optional<std::string> prepare_fault(tenancy::FaultRule& rule) {
  const bool of_cql =
      rule.operation.empty() ? cql::is_error(rule.effect.error) : cql::is_operation(rule.operation);
  return of_cql ? cql::prepare_fault(rule) : dynamodb::prepare_fault(rule);
}

kv::DataFolderOptions data_folder_settings(const Options& options) {
  return {.sync = options.sync, .memory_bytes = options.memory == 0 ? usable_memory() / 2 : options.memory};
}

}  // namespace dinette::app
