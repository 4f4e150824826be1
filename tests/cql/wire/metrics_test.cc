// What the metrics of a server have of its tables (docs/service-keyspaces/capacity.md section 4;
// docs/service-keyspaces/timestamps.md sections 3 and 6).
#include <chrono>
#include <string>

#include <catch2/catch.hpp>

#include "dinette/observe/metrics_writer.h"

#include "cql/wire/fixture.h"

namespace dinette::cql::metrics_test {

using namespace std::chrono_literals;
using test::TestConnection;
using test::TestServer;

TEST_CASE("metrics have what tables consume, and what was deleted by expiry and as a tombstone") {
  TestServer server;
  TestConnection connection(server.service());
  connection.start();
  for (const char* statement :
       {"CREATE KEYSPACE k WITH replication = {'class': 'SingleRegionStrategy'}",
        "CREATE TABLE k.t (p int PRIMARY KEY, v int)", "INSERT INTO k.t (p, v) VALUES (1, 1) USING TTL 60",
        "INSERT INTO k.t (p, v) VALUES (2, 2)", "DELETE FROM k.t WHERE p = 2"})
    REQUIRE(connection.query(statement).error().empty());
  const auto world = server.worlds().pick("").value();
  for (int day = 0; day < 12; ++day) {
    REQUIRE(world->change_clock({.advance = 24h}).ok());
    world->jobs().run_due();
  }
  observe::MetricsWriter writer(observe::MetricsFormat::prometheus);
  server.service().write_figures(writer);
  const std::string text = std::move(writer).finish();
  const auto has = [&](const std::string& sample) { return text.find(sample) != std::string::npos; };
  INFO(text);
  CHECK(has("dinette_keyspaces_consumed_write_capacity_units_total{table=\"k.t\"} 3\n"));
  CHECK(has("dinette_keyspaces_ttl_deletes_total{table=\"k.t\"} 1\n"));
  // The marker and the column of the row that expired, and the row that was deleted.
  CHECK(has("dinette_keyspaces_system_reconciliation_deletes_total{table=\"k.t\"} 3\n"));
}

}  // namespace dinette::cql::metrics_test
