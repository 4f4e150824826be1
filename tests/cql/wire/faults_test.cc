// Rules for faults (docs/faults.md) meet requests of CQL.
#include "dinette/tenancy/faults.h"

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "cql/wire/fixture.h"

namespace dinette::cql::faults_test {

using test::TestConnection;
using test::TestServer;
using Phase = tenancy::FaultEffect::Phase;

namespace {

class FaultyServer {
 public:
  FaultyServer() {
    connection.start();
    connection.query("CREATE KEYSPACE k WITH replication = {'class': 'SingleRegionStrategy'}");
    connection.query("CREATE TABLE k.t (p int PRIMARY KEY)");
    connection.query("CREATE TABLE k.u (p int PRIMARY KEY)");
  }

  void order(tenancy::FaultRule rule) { faults().replace({std::move(rule)}); }
  tenancy::Faults& faults() { return server.worlds().pick("").value()->faults(); }

  TestServer server;
  TestConnection connection{server.service()};
};

}  // namespace

TEST_CASE("a rule replaces the answer of an operation on a table by an error") {
  FaultyServer one;
  one.order({.operation = "INSERT", .table = "k.t", .times = 1, .effect = {.error = "WriteTimeout"}});
  CHECK(one.connection.query("SELECT * FROM k.t").error().empty());
  CHECK(one.connection.query("INSERT INTO k.u (p) VALUES (1)").error().empty());
  CHECK(one.connection.query("INSERT INTO k.t (p) VALUES (1)").error() ==
        "1100 Operation timed out - received only 0 responses.");
  CHECK(one.connection.query("INSERT INTO k.t (p) VALUES (1)").error().empty());
  CHECK(one.faults().list().front().fired == 1);
}

TEST_CASE("a rule for afterwards loses the answer of what was done") {
  FaultyServer one;
  one.order({.operation = "INSERT",
             .times = 1,
             .effect = {.phase = Phase::after, .error = "ServerError", .message = "lost"}});
  CHECK(one.connection.query("INSERT INTO k.t (p) VALUES (1)").error() == "0000 lost");
  one.faults().replace({});
  const std::string rows = one.connection.query("SELECT p FROM k.t").body;
  CHECK(rows.substr(rows.size() - 4) == std::string("\0\0\0\1", 4));
}

TEST_CASE("a connection can be dropped without an answer") {
  FaultyServer one;
  one.order({.operation = "SELECT", .effect = {.drop = true}});
  const auto frames = one.connection.send(test::request_frame(7, test::query_body("SELECT * FROM k.t")));
  CHECK(frames.empty());
  CHECK(one.connection.state().ending == tcp::Ending::close);
}

TEST_CASE("a delayed request is answered later, and others meanwhile") {
  FaultyServer one;
  one.order({.operation = "SELECT",
             .table = "k.t",
             .effect = {.delay = tenancy::FaultDelay::always(std::chrono::hours(1))}});
  CHECK(one.connection.send(test::request_frame(7, test::query_body("SELECT * FROM k.t"), 5)).empty());
  CHECK(one.connection.query("SELECT * FROM k.u").error().empty());
  one.faults().replace({});  // ends the delay
  const auto frames = one.connection.run_posted();
  REQUIRE(frames.size() == 1);
  CHECK(frames[0].stream == 5);
  CHECK(frames[0].error().empty());
}

TEST_CASE("rules name operations and errors of CQL") {
  tenancy::FaultRule rule{.operation = "CREATE TABLE", .effect = {.error = "Unavailable"}};
  CHECK_FALSE(prepare_fault(rule));
  rule.operation = "PUT";
  CHECK(prepare_fault(rule) == "CQL has no operation 'PUT'.");
  rule.operation = "SELECT";
  rule.effect.error = "ThrottlingException";
  CHECK(prepare_fault(rule) == "CQL has no error 'ThrottlingException'.");
}

}  // namespace dinette::cql::faults_test
