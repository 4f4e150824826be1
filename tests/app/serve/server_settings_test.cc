#include "app/serve/server_settings.h"

#include <catch2/catch.hpp>

#include "dinette/dynamodb/instance.h"

#include "app/parsed.h"
#include "app/service_settings.h"

namespace dinette::app::server_settings_test {
namespace {

TEST_CASE("requests run on the event loops, whatever the engine, unless they have to wait") {
  CHECK(server_settings({}, false).tcp.workers == 0);
  CHECK(server_settings({}, true).tcp.workers == 0);  // what need not wait stays on the event loops
}

TEST_CASE("the server listens on every address that is named") {
  using Addresses = std::vector<std::string>;
  const auto addresses = [](std::string_view host) {
    return server_settings(parsed({"--host", host}), false).tcp.listen.addresses;
  };
  CHECK(server_settings({}, false).tcp.listen.addresses == Addresses{"localhost"});
  CHECK(addresses("::") == Addresses{"::"});
  CHECK(addresses("127.0.0.1, 192.0.2.2,::1") == Addresses{"127.0.0.1", "192.0.2.2", "::1"});
}

TEST_CASE("reads lag only if configured, and the store's history covers the lag") {
  const auto exact = service_settings({}, {});
  CHECK(exact.index_lag.count() == 0);
  CHECK(exact.time_to_live_delay.count() == 0);
  CHECK(exact.stale_reads.count() == 0);
  CHECK(dynamodb::worlds_options(exact, nullptr).store.history.count() == 0);
  const auto late =
      service_settings(parsed({"--index-lag", "40ms", "--stale-reads", "--ttl-delay", "30s"}), {});
  CHECK(late.index_lag.count() == 40);
  CHECK(late.time_to_live_delay.count() == 30'000);
  CHECK(late.stale_reads.count() > 0);
  CHECK(dynamodb::worlds_options(late, nullptr).store.history == late.index_lag + late.stale_reads);
}

TEST_CASE("changes of global tables take a time, one of a range, or one of a distribution") {
  using std::chrono::milliseconds;
  const auto lag = [](std::string_view text) {
    return service_settings(parsed({"--replication-lag", text, "--seed", "7"}), {}).replication_lag;
  };
  CHECK(service_settings({}, {}).replication_lag == dynamodb::ReplicationLag());
  CHECK(lag("500ms") == dynamodb::ReplicationLag{{milliseconds(500), milliseconds(500), {}}, 7});
  CHECK(lag("100ms..2s") == dynamodb::ReplicationLag{{milliseconds(100), milliseconds(2000), {}}, 7});
  CHECK(lag("mean=300ms") == dynamodb::ReplicationLag{{{}, milliseconds(3000), milliseconds(300)}, 7});
}

TEST_CASE("the service is told how long to keep what is kept for some time") {
  CHECK(service_settings({}, {}).stream_retention == std::chrono::hours(24));
  CHECK(service_settings({}, {}).recovery_window == std::chrono::days(35));
  const auto less = service_settings(parsed({"--stream-retention", "1h", "--recovery-window", "1d"}), {});
  CHECK(less.stream_retention == std::chrono::hours(1));
  CHECK(less.recovery_window == std::chrono::days(1));
}

TEST_CASE("delays of states are set by either spelling") {
  CHECK(service_settings(parsed({"--state-delay", "2s"}), {}).state_delay.count() == 2000);
  const auto local = service_settings(parsed({"-delayTransientStatuses"}), {});
  CHECK(local.state_delay.count() == 0);
  CHECK(local.index_state_delay.count() == 1000);
}

TEST_CASE("the service gets the list of origins, and whether it was started as DynamoDB Local") {
  CHECK_FALSE(service_settings({}, {}).as_dynamodb_local);
  CHECK(service_settings({}, {}).cors_origins == "local");
  const auto local = service_settings(parsed({"-cors", "*"}), {});
  CHECK(local.as_dynamodb_local);
  CHECK(local.cors_origins == "*");
}

TEST_CASE("administration gets the token, the origins and the version") {
  CHECK(admin_settings({}).token.empty());
  CHECK(admin_settings(parsed({"--admin-token", "secret"})).token == "secret");
  CHECK(admin_settings(parsed({"--cors", "*"})).cors_origins == "*");
  CHECK(admin_settings({}).version.starts_with("0."));
}

TEST_CASE("a server that other machines can reach needs a token for their users") {
  const auto needs = [](std::initializer_list<std::string_view> words) {
    return needs_visitor_token(parsed(words));
  };
  CHECK(needs({"--host", "0.0.0.0"}));
  CHECK(needs({"--host", "::"}));
  CHECK(needs({"--host", "192.0.2.1"}));
  CHECK(needs({"--host", "dinette"}));
  CHECK_FALSE(needs({}));
  CHECK_FALSE(needs({"--host", "::1"}));
  CHECK_FALSE(needs({"--host", "127.0.0.2"}));
  CHECK_FALSE(needs({"--host", "localhost"}));
  CHECK_FALSE(needs({"--host", "0.0.0.0", "--admin-token", "secret"}));
  CHECK_FALSE(needs({"--host", "0.0.0.0", "--no-admin"}));
  CHECK(admin_settings({}, "made up").token == "made up");
  CHECK_FALSE(admin_settings({}, "made up").token_for_all_callers);
  CHECK(admin_settings(parsed({"--admin-token", "secret"})).token_for_all_callers);
}

TEST_CASE("partitions are charged separately only if configured") {
  CHECK_FALSE(service_settings({}, {}).partition_minimum);
  CHECK(service_settings(parsed({"--partition-minimum"}), {}).partition_minimum);
}

TEST_CASE("the region chooses the validation unless an option does") {
  using dinette::aws::Generation;
  CHECK_FALSE(service_settings({}, {}).validation);
  CHECK_FALSE(service_settings(parsed({"--validation", "region"}), {}).validation);
  CHECK(service_settings(parsed({"--validation", "older"}), {}).validation == Generation::older);
  CHECK(service_settings(parsed({"--validation", "newer"}), {}).validation == Generation::current);
}

TEST_CASE("types are lenient if configured, and with an option in DynamoDB Local's spelling") {
  CHECK_FALSE(service_settings({}, {}).lenient_types);
  CHECK_FALSE(service_settings(parsed({"--port", "8001"}), {}).lenient_types);
  CHECK(service_settings(parsed({"--lenient-types"}), {}).lenient_types);
  CHECK(service_settings(parsed({"-sharedDb"}), {}).lenient_types);
}

TEST_CASE("requests are throttled only if configured") {
  CHECK_FALSE(service_settings({}, {}).throttle);
  CHECK_FALSE(service_settings(parsed({"--throttle", "none"}), {}).throttle);
  CHECK(service_settings(parsed({"--throttle", "service"}), {}).throttle);
}

TEST_CASE("conflicts with transactions are refused only if configured") {
  CHECK_FALSE(service_settings({}, {}).refuse_conflicts);
  CHECK_FALSE(service_settings(parsed({"--transaction-conflicts", "wait"}), {}).refuse_conflicts);
  CHECK(service_settings(parsed({"--transaction-conflicts", "service"}), {}).refuse_conflicts);
}

TEST_CASE("a seed is none unless one is given") {
  CHECK_FALSE(parsed({}).seed);
  CHECK(parsed({"--seed", "7"}).seed == 7);
}

TEST_CASE("TLS uses a certificate from files or a self-signed one") {
  CHECK_FALSE(server_settings({}, false).tcp.listen.tls);
  CHECK(server_settings(parsed({"--tls-self-signed"}), false).tcp.listen.tls->certificate_file.empty());
  const auto own =
      server_settings(parsed({"--tls-cert", "c.pem", "--tls-key", "k.pem"}), false).tcp.listen.tls;
  REQUIRE(own);
  CHECK(own->certificate_file == "c.pem");
  CHECK(own->key_file == "k.pem");
}

TEST_CASE("connections are limited by open files") {
  const auto options = parsed({"--max-connections", "4000", "--threads", "2"});
  CHECK(connection_limit(options, 1 << 20) == 4000);
  CHECK(connection_limit(options, 4000) < 3950);
  CHECK(connection_limit(options, 1024) > 500);
  CHECK(connection_limit(options, 20) == 10);
}

TEST_CASE("the HTTP server has the limits of the service") {
  CHECK(server_settings({}, false).limits.body_bytes == 16u << 20);
  CHECK(server_settings({}, false).limits.header_bytes == 32u << 10);
}

TEST_CASE("the memory of connections is limited as configured") {
  CHECK(server_settings({}, false).tcp.limits.held_bytes == 512u << 20);
  CHECK(server_settings(parsed({"--connection-memory", "2G"}), false).tcp.limits.held_bytes == 2ull << 30);
}

TEST_CASE("buckets are where the options say, next to the data, or in memory") {
  CHECK(s3_folder(parsed({})).empty());
  CHECK(s3_folder(parsed({"--data", "here"})) == "here/s3");
  CHECK(s3_folder(parsed({"--data", "here", "--s3", "there"})) == "there");
  CHECK(s3_folder(parsed({"--s3", "there"})) == "there");
}

}  // namespace
}  // namespace dinette::app::server_settings_test
