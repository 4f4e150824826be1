#include <chrono>
#include <string>
#include <utility>

#include <catch2/catch.hpp>

#include "admin/fixture.h"

// What statements do is tested in tests/cql/wire/prompt_test.cc.
namespace dinette::admin::cql_test {
namespace {

/// What the service was asked last.
struct Asked {
  std::string world;
  std::string statement;
  std::string keyspace;
  std::int32_t page_size = 0;
  std::string paging_state;
  std::string remote;
  std::string agent;
  bool listed = false;
  bool spared = false;
};

ApiOptions answering(cql::Prompted<cql::PromptAnswer> answer, Asked* asked = nullptr) {
  ApiOptions options;
  options.run_cql = [answer = std::move(answer), asked](const cql::PromptStatement& statement) {
    if (asked != nullptr) {
      *asked = {std::string(statement.world_name),
                std::string(statement.statement),
                std::string(statement.keyspace),
                statement.page_size,
                std::string(statement.paging_state.value_or("")),
                std::string(statement.remote),
                std::string(statement.agent),
                statement.listed,
                statement.spared_by_faults};
    }
    return answer;
  };
  return options;
}

}  // namespace

TEST_CASE("a statement is answered with columns and rows, values as texts") {
  cql::PromptRows rows{.columns = {{"shop", "orders", "id", "int"}, {"shop", "orders", "note", "text"}},
                       .rows = {{"1", "a"}, {"2", std::nullopt}},
                       .paging_state = "\x01\xff"};
  Asked asked;
  Fixture f(answering(cql::PromptAnswer{.rows = rows}, &asked));
  CHECK(f.ok("POST", "/_dinette/cql",
             R"({"statement": "SELECT * FROM orders", "keyspace": "shop",
                 "pageSize": 2, "pagingState": "Af4="})") ==
        TestJson::parse(R"({"world": "default", "pagingState": "Af8=", "columns": [
            {"keyspace": "shop", "table": "orders", "name": "id", "type": "int"},
            {"keyspace": "shop", "table": "orders", "name": "note", "type": "text"}],
          "rows": [["1", "a"], ["2", null]]})"));
  CHECK(asked.world == "default");
  CHECK(asked.statement == "SELECT * FROM orders");
  CHECK(asked.keyspace == "shop");
  CHECK(asked.page_size == 2);
  CHECK(asked.paging_state == "\x01\xfe");
  CHECK(asked.remote == "127.0.0.1:40000");
  CHECK(asked.listed);
  CHECK_FALSE(asked.spared);
}

TEST_CASE("headers keep a statement out of lists and away from faults, and name the program") {
  Asked asked;
  Fixture f(answering(cql::PromptAnswer{.keyspace = "shop"}, &asked));
  const Response response = f.send("POST", "/_dinette/cql", R"({"statement": "USE shop"})",
                                   {{"Host", "localhost:8000"},
                                    {"User-Agent", "Mozilla/5.0"},
                                    {"X-Amz-User-Agent", "dinette-page"},
                                    {"X-Dinette-Record", "off"},
                                    {"X-Dinette-Faults", "off"}});
  CHECK(response.json() == TestJson::parse(R"({"world": "default", "keyspace": "shop"})"));
  CHECK(asked.agent == "dinette-page");
  CHECK(asked.page_size == 100);
  CHECK_FALSE(asked.listed);
  CHECK(asked.spared);
}

TEST_CASE("a statement that fails is answered with its error, and its place if it has one") {
  Fixture f(answering(base::Failure{cql::PromptError{"SyntaxError", "line 2:4 no", {{2, 4}}}}));
  CHECK(f.ok("POST", "/_dinette/cql", R"({"statement": "SELECT"})") == TestJson::parse(R"({"world": "default",
      "error": {"name": "SyntaxError", "message": "line 2:4 no", "line": 2, "column": 4}})"));
  Fixture g(answering(base::Failure{cql::PromptError{"Invalid", "unconfigured table t", {}}}));
  CHECK(g.ok("POST", "/_dinette/cql", R"({"statement": "SELECT * FROM t"})").at("error") ==
        TestJson::parse(R"({"name": "Invalid", "message": "unconfigured table t"})"));
}

TEST_CASE("a statement is run in the world that the request names, and bad requests are none") {
  Asked asked;
  Fixture f(answering(cql::PromptAnswer(), &asked));
  f.ok("POST", "/_dinette/worlds", R"({"name": "other"})");
  f.ok("POST", "/_dinette/cql", R"({"statement": "s", "world": "other"})");
  CHECK(asked.world == "other");
  for (const char* body :
       {"", R"({"statement": ""})", R"({"statement": 1})", R"({"statement": "s", "more": 1})",
        R"({"statement": "s", "pageSize": 0})", R"({"statement": "s", "pageSize": 1001})",
        R"({"statement": "s", "pagingState": "*"})", R"({"statement": "s", "world": "none"})"}) {
    INFO(body);
    CHECK(f.send("POST", "/_dinette/cql", body).status == 400);
  }
}

TEST_CASE("keyspaces are listed with their tables and columns") {
  using Kind = cql::ColumnDescription::Kind;
  ApiOptions options;
  options.list_keyspaces = [](tenancy::World&) {
    const cql::TableDescription table{.name = "orders",
                                      .status = cql::DefinitionStatus::creating,
                                      .columns = {{"id", "int", Kind::partition_key},
                                                  {"at", "timestamp", Kind::clustering, true},
                                                  {"total", "int", Kind::static_}},
                                      .default_time_to_live = 60,
                                      .client_side_timestamps = true};
    return std::vector<cql::KeyspaceTables>{{{.name = "shop"}, {table}}};
  };
  Fixture f(options);
  CHECK(f.ok("GET", "/_dinette/cql/keyspaces") == TestJson::parse(R"({"world": "default", "keyspaces": [
      {"name": "shop", "status": "ACTIVE", "tables": [{"name": "orders", "status": "CREATING", "columns": [
        {"name": "id", "type": "int", "kind": "partition_key"},
        {"name": "at", "type": "timestamp", "kind": "clustering", "order": "desc"},
        {"name": "total", "type": "int", "kind": "static"}],
      "defaultTimeToLive": 60, "clientSideTimestamps": true}]}]})"));
}

TEST_CASE("with the keyspaces comes the port of their clients, if there is one") {
  ApiOptions options;
  options.cql_port = [] { return std::optional<std::uint16_t>(18002); };
  Fixture f(options);
  CHECK(f.ok("GET", "/_dinette/cql/keyspaces") ==
        TestJson::parse(R"({"world": "default", "keyspaces": [], "port": 18002})"));
}

}  // namespace dinette::admin::cql_test
