// Statements that people type (dinette/cql/prompt.h).
#include "dinette/cql/prompt.h"

#include <chrono>
#include <string>
#include <string_view>
#include <utility>

#include <catch2/catch.hpp>

#include "dinette/observe/recent_requests.h"

#include "cql/wire/fixture.h"

namespace dinette::cql::prompt_test {

using test::TestConnection;
using test::TestServer;

namespace {

/// A server whose statements are typed.
class Prompt {
 public:
  explicit Prompt(ServiceOptions options = {}) : server(std::move(options)) {
    ok("CREATE KEYSPACE k WITH replication = {'class': 'SingleRegionStrategy'}");
    ok("CREATE TABLE k.t (p int, c text, l list<int>, PRIMARY KEY (p, c))");
  }

  Prompted<PromptAnswer> run(std::string_view statement) {
    return run(PromptStatement{.statement = statement});
  }
  Prompted<PromptAnswer> run(PromptStatement statement) {
    if (statement.world == nullptr) statement.world = server.worlds().find("");
    return server.service().run(statement);
  }
  PromptAnswer ok(std::string_view statement) {
    auto answer = run(statement);
    INFO(statement << (answer ? "" : ": " + answer.error().message));
    REQUIRE(answer);
    return *std::move(answer);
  }
  PromptError error(std::string_view statement) {
    const auto answer = run(statement);
    REQUIRE_FALSE(answer);
    return answer.error();
  }
  tenancy::Faults& faults() { return server.worlds().pick("").value()->faults(); }

  TestServer server;
};

}  // namespace

TEST_CASE("rows have columns with types, and values as texts") {
  Prompt prompt;
  CHECK_FALSE(prompt.ok("INSERT INTO k.t (p, c, l) VALUES (1, 'a', [1, 2])").rows);
  prompt.ok("INSERT INTO k.t (p, c) VALUES (1, 'b')");
  const auto rows = prompt.ok("SELECT p, c, l, blobAsText(textAsBlob(c)) AS b, textAsBlob(c) FROM k.t").rows;
  REQUIRE(rows);
  REQUIRE(rows->columns.size() == 5);
  CHECK(rows->columns[0].keyspace == "k");
  CHECK(rows->columns[0].table == "t");
  CHECK(rows->columns[2].name == "l");
  CHECK(rows->columns[2].type == "list<int>");
  using Row = std::vector<std::optional<std::string>>;
  CHECK(rows->rows ==
        std::vector<Row>{{"1", "a", "[1, 2]", "a", "0x61"}, {"1", "b", std::nullopt, "b", "0x62"}});
  CHECK_FALSE(rows->paging_state);
}

TEST_CASE("a page goes on at the state of the one before") {
  Prompt prompt;
  for (const char* c : {"a", "b", "c"})
    prompt.ok(std::string("INSERT INTO k.t (p, c) VALUES (1, '") + c + "')");
  PromptStatement statement{.statement = "SELECT c FROM k.t WHERE p = 1", .page_size = 2};
  const auto first = prompt.run(statement);
  REQUIRE(first);
  CHECK(first->rows->rows.size() == 2);
  REQUIRE(first->rows->paging_state);
  statement.paging_state = *first->rows->paging_state;
  const auto second = prompt.run(statement);
  REQUIRE(second);
  REQUIRE(second->rows->rows.size() == 1);
  CHECK(second->rows->rows[0][0] == "c");
}

TEST_CASE("USE answers with the keyspace, which the next statement names") {
  Prompt prompt;
  CHECK(prompt.ok("USE k").keyspace == "k");
  CHECK(prompt.error("SELECT * FROM t").name == "Invalid");
  CHECK(prompt.run(PromptStatement{.statement = "SELECT * FROM t", .keyspace = "k"}));
  CHECK(prompt.error("USE nothing").message == "Keyspace 'nothing' does not exist");
}

TEST_CASE("a syntax error has its place, in characters") {
  Prompt prompt;
  const PromptError error = prompt.error("SELECT *\n  FRM k.t");
  CHECK(error.name == "SyntaxError");
  CHECK(error.message.starts_with("line 2:2 "));
  REQUIRE(error.place);
  CHECK(error.place->line == 2);
  CHECK(error.place->column == 2);
  CHECK(prompt.error("SELECT 'ä' FRM").place->column == prompt.error("SELECT 'a' FRM").place->column);
  CHECK_FALSE(prompt.error("").place);
  CHECK_FALSE(prompt.error("SELECT x FROM k.t").place);
}

TEST_CASE("a statement is run in the world that it names") {
  Prompt prompt;
  REQUIRE(prompt.server.worlds().fork("", "other"));
  const auto other = prompt.server.worlds().find("other");
  REQUIRE(prompt.run(PromptStatement{.world = other, .statement = "INSERT INTO k.t (p, c) VALUES (7, 'x')"}));
  CHECK(prompt.ok("SELECT * FROM k.t").rows->rows.empty());
  CHECK(prompt.run(PromptStatement{.world = other, .statement = "SELECT * FROM k.t"})->rows->rows.size() ==
        1);
}

TEST_CASE("clients that have registered hear of what a prompt changes") {
  Prompt prompt;
  TestConnection connection(prompt.server.service());
  connection.start();
  constexpr int opcode_register = 0x0B;
  constexpr int opcode_event = 0x0C;
  connection.ask(opcode_register, std::string("\0\1\0\x0DSCHEMA_CHANGE", 17));
  prompt.ok("CREATE TABLE k.u (p int PRIMARY KEY)");
  const auto frames = connection.run_posted();
  REQUIRE(frames.size() == 1);
  CHECK(frames[0].opcode == opcode_event);
}

TEST_CASE("rules for faults meet a prompt unless it is spared, also with a delay") {
  Prompt prompt;
  prompt.faults().replace(
      {{.operation = "SELECT",
        .effect = {.error = "ReadTimeout",
                   .delay = {.least = std::chrono::milliseconds(1), .most = std::chrono::milliseconds(1)}}}});
  CHECK(prompt.error("SELECT * FROM k.t").name == "ReadTimeout");
  CHECK(prompt.run(PromptStatement{.statement = "SELECT * FROM k.t", .spared_by_faults = true}));
}

TEST_CASE("a prompt is among the recent requests unless it does not want to be") {
  observe::RecentRequests recent(10);
  Prompt prompt({.recent = &recent});
  const auto count = [&] { return recent.read({}).requests.size(); };
  const std::size_t before = count();
  prompt.ok("SELECT * FROM k.t");
  CHECK(count() == before + 1);
  CHECK(prompt.run(PromptStatement{.statement = "SELECT * FROM k.t", .listed = false}));
  CHECK(count() == before + 1);
}

TEST_CASE("keyspaces are listed with their tables and columns") {
  Prompt prompt;
  tenancy::World& world = *prompt.server.worlds().pick("").value();
  const auto keyspaces = list_tables(prompt.server.service().scope_in(world));
  REQUIRE(keyspaces);
  REQUIRE(keyspaces->size() == 1);
  CHECK(keyspaces->front().keyspace.name == "k");
  REQUIRE(keyspaces->front().tables.size() == 1);
  const TableDescription& table = keyspaces->front().tables.front();
  CHECK(table.name == "t");
  REQUIRE(table.columns.size() == 3);
  CHECK(table.columns[1].kind == ColumnDescription::Kind::clustering);
}

}  // namespace dinette::cql::prompt_test
