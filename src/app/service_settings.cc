#include "app/service_settings.h"

#include <chrono>
#include <string_view>
#include <utility>

#include "app/usable_memory.h"

namespace dinette::app {
namespace {

// The service's replicas are rarely further apart.
constexpr std::chrono::milliseconds staleness{500};

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
  service.stream_retention = options.stream_retention;
  service.recovery_window = options.recovery_window;
  service.partition_minimum = options.partition_minimum;
  service.refuse_conflicts = options.refuse_conflicts;
  service.throttle = options.throttle;
  service.validation = options.validation;
  service.lenient_types = options.lenient_types || options.as_dynamodb_local;
  service.log_items = options.log_items;
  return service;
}

kinesis::ServiceOptions kinesis_settings(const dynamodb::ServiceOptions& service) {
  return {.auth = service.auth,
          .isolation = service.isolation,
          .cors_origins = service.cors_origins,
          .state_delay = service.state_delay,
          .log_bodies = service.log_items,
          .recent = service.recent};
}

admin::ApiOptions admin_settings(const Options& options, const std::string& visitor_token) {
  return {.token = visitor_token.empty() ? options.admin_token : visitor_token,
          .token_for_all_callers = visitor_token.empty(),
          .cors_origins = options.cors_origins,
          .version = DINETTE_VERSION,
          .sweep_expired = &dynamodb::delete_expired_items,
          .split_shards = [](tenancy::World& world,
                             std::string_view table) { return dynamodb::split_shards(world, table); },
          .prepare_fault = &dynamodb::prepare_fault};
}

kv::DataFolderOptions data_folder_settings(const Options& options) {
  return {.sync = options.sync, .memory_bytes = options.memory == 0 ? usable_memory() / 2 : options.memory};
}

}  // namespace dinette::app
