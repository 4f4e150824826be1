#include <atomic>
#include <future>
#include <latch>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "dynamodb/batch.h"
#include "dynamodb/request/gate.h"
#include "dynamodb/writes/transactions.h"

// docs/service/transactions.md sections 6 and 7, with --transaction-conflicts service. Requests are made
// concurrent by the gate: one that has been decided stays in charge() until the test releases it.
namespace test::transaction_conflicts_test {
namespace {

using dinette::dynamodb::Answer;
using dinette::dynamodb::Charge;
using dinette::dynamodb::Context;
using dinette::dynamodb::ServiceOptions;

/// Once enabled, holds the next request that reports its cost.
class HoldingGate : public dinette::dynamodb::Gate {
 public:
  struct Hold {
    std::latch reached{1};
    std::latch released{1};
  };

  Answer<void> admit(const Context&, std::string_view) override { return {}; }
  void charge(const Context&, std::string_view, const Charge&) override {
    Hold* const hold = next_.exchange(nullptr);
    if (!hold) return;
    hold->reached.count_down();
    hold->released.wait();
  }

  void hold_next(Hold& hold) { next_ = &hold; }

 private:
  std::atomic<Hold*> next_{nullptr};
};

struct Server : private HoldingGate, DynamoDb {
  explicit Server(ServiceOptions options = refusing()) : DynamoDb(with_gate(std::move(options), this)) {
    create_table(the_table);
    for (const std::string_view pk : {"a", "b"}) put(the_table, item(pk));
  }
  HoldingGate& gate() { return *this; }

  static ServiceOptions refusing() {
    ServiceOptions options;
    options.refuse_conflicts = true;
    return options;
  }
  static Json item(std::string_view pk) { return {{"pk", {{"S", pk}}}, {"x", {{"N", "1"}}}}; }

 private:
  static ServiceOptions with_gate(ServiceOptions options, HoldingGate* gate) {
    options.gate = gate;
    return options;
  }
};

struct Request {
  std::string operation;
  std::string body;
};

/// A request that is ongoing from construction until it is released.
class Ongoing {
 public:
  Ongoing(Server& server, Request request, Headers headers = {}) {
    server.gate().hold_next(hold_);
    reply_ = std::async(std::launch::async,
                        [&server, &hold = hold_, request = std::move(request), headers = std::move(headers)] {
                          Reply reply = server.call(request.operation, request.body, headers);
                          // One that fails costs nothing, and is not held.
                          if (!hold.reached.try_wait()) hold.reached.count_down();
                          return reply;
                        });
    hold_.reached.wait();
  }
  ~Ongoing() {
    if (reply_.valid()) release();
  }
  Ongoing(const Ongoing&) = delete;
  Ongoing& operator=(const Ongoing&) = delete;

  Reply release() {
    hold_.released.count_down();
    return reply_.get();
  }

 private:
  HoldingGate::Hold hold_;
  std::future<Reply> reply_;
};

/// The actions of a transaction on the item `pk`, such as put("a").
std::string put(std::string_view pk) {
  return Json{{"Put", {{"TableName", the_table}, {"Item", Server::item(pk)}}}}.dump();
}

std::string action(std::string_view name, std::string_view pk, const Json& members = Json::object()) {
  Json about = {{"TableName", the_table}, {"Key", key_of(pk)}};
  about.update(members);
  return Json{{name, about}}.dump();
}

Request write_transaction(std::initializer_list<std::string_view> actions, std::string_view token = "") {
  Json request = transaction(actions);
  if (!token.empty()) request["ClientRequestToken"] = token;
  return {"TransactWriteItems", request.dump()};
}

Request read_transaction(std::initializer_list<std::string_view> keys) {
  Json list = Json::array();
  for (const std::string_view pk : keys)
    list.push_back({{"Get", {{"TableName", the_table}, {"Key", key_of(pk)}}}});
  return {"TransactGetItems", Json{{"TransactItems", list}}.dump()};
}

Request statements(std::string_view operation, std::initializer_list<std::string_view> texts) {
  Json list = Json::array();
  for (const std::string_view text : texts) list.push_back({{"Statement", text}});
  return {std::string(operation),
          Json{{operation == "ExecuteTransaction" ? "TransactStatements" : "Statements", list}}.dump()};
}

Request one_item(std::string_view operation, std::string_view members = "") {
  return {std::string(operation), about_one_item(operation, members)};
}

Request one_statement(std::string_view text) {
  return {"ExecuteStatement", Json{{"Statement", text}}.dump()};
}

Request batch_write(const Json& requests) {
  return {"BatchWriteItem", batch({{the_table, requests}}).dump()};
}

Reply call(Server& server, const Request& request) {
  return server.call(request.operation, request.body);
}

/// Writes of the item "a" alone.
std::vector<Request> single_writes() {
  return {one_item("PutItem"),
          one_item("UpdateItem", update("SET x = :v", R"(":v": {"N": "2"})")),
          one_item("DeleteItem"),
          one_statement("INSERT INTO Tab VALUE {'pk': 'a'}"),
          one_statement("UPDATE Tab SET x = 2 WHERE pk = 'a'"),
          one_statement("DELETE FROM Tab WHERE pk = 'a'")};
}

/// Transactions that write or check the item "a", and "c".
std::vector<Request> transactions_on_a() {
  const Json condition = {{"ConditionExpression", "attribute_exists(x)"}};
  const Json change = {{"UpdateExpression", "SET x = :v"},
                       {"ExpressionAttributeValues", {{":v", {{"N", "5"}}}}}};
  return {write_transaction({put("a"), put("c")}),
          write_transaction({action("Update", "a", change), put("c")}),
          write_transaction({action("Delete", "a"), put("c")}),
          write_transaction({action("ConditionCheck", "a", condition), put("c")}),
          statements("ExecuteTransaction",
                     {"UPDATE Tab SET x = 5 WHERE pk = 'a'", "INSERT INTO Tab VALUE {'pk': 'c'}"}),
          statements("ExecuteTransaction", {"EXISTS(SELECT * FROM Tab WHERE pk = 'a' AND x = 1)",
                                            "INSERT INTO Tab VALUE {'pk': 'c'}"})};
}

constexpr std::string_view conflict = "TransactionConflict: Transaction is ongoing for the item.";

void check_conflict(const Reply& reply) {
  INFO(reply.body);
  CHECK(reply.status == 400);
  CHECK(reply.error() == "TransactionConflictException");
  CHECK(reply.json()["message"] == "Transaction is ongoing for the item");
}

void check_in_progress(const Reply& reply) {
  INFO(reply.body);
  CHECK(reply.status == 400);
  CHECK(reply.error() == "TransactionInProgressException");
  CHECK(reply.json()["Message"] == "Transaction from previous request is still in progress");
}

}  // namespace

// docs/service/throttling.md section 3, "Order".
TEST_CASE("a conflict is answered rather than throttling") {
  ServiceOptions options = Server::refusing();
  options.throttle = true;
  Server server(std::move(options));
  const Json large = {{"TableName", the_table},
                      {"Item", {{"pk", {{"S", "a"}}}, {"x", {{"S", std::string(400'000, 'x')}}}}}};
  REQUIRE(server.call("PutItem", large).status == 200);
  Ongoing ongoing(server,
                  {"TransactWriteItems", Json{{"TransactItems", Json::array({{{"Put", large}}})}}.dump()});
  CHECK(server.call("PutItem", large).error() == "TransactionConflictException");
  CHECK(ongoing.release().status == 200);
  CHECK(server.call("PutItem", large).error() == "ThrottlingException");
}

TEST_CASE("a single write of an item of an ongoing transaction is refused, and of another item is not") {
  for (const Request& held : transactions_on_a()) {
    Server server;
    Ongoing ongoing(server, held);
    const Json before = server.get(the_table, key_a);
    for (const Request& write : single_writes()) {
      INFO(held.body << " against " << write.body);
      check_conflict(call(server, write));
    }
    CHECK(server.get(the_table, key_a) == before);
    server.put(the_table, Server::item("b"));
    server.put(the_table, Server::item("d"));
    CHECK(ongoing.release().status == 200);
    CHECK(call(server, one_item("PutItem")).status == 200);
  }
}

TEST_CASE("a single write on an event loop is refused there") {
  Server server;
  Ongoing ongoing(server, write_transaction({put("a")}));
  const Request write = one_item("PutItem");
  const std::optional<Reply> reply = server.call_on_loop(write.operation, write.body);
  REQUIRE(reply);
  check_conflict(*reply);
}

TEST_CASE("a transaction is cancelled for each of its items that is another ongoing one's") {
  for (const Request& held : transactions_on_a()) {
    Server server;
    Ongoing ongoing(server, held);
    for (const Request& later : transactions_on_a()) {
      INFO(held.body << " against " << later.body);
      CHECK(cancellation(call(server, later)) == cancelled({conflict, conflict}));
    }
    CHECK(cancellation(call(server, write_transaction({put("b"), put("a"), put("d")}))) ==
          cancelled({"None", conflict, "None"}));
    CHECK(server.get(the_table, key_of("d")).is_null());
    CHECK(call(server, write_transaction({put("b"), put("d")})).status == 200);
    CHECK(ongoing.release().status == 200);
    CHECK(call(server, write_transaction({put("a"), put("c")})).status == 200);
  }
}

TEST_CASE("a transaction is cancelled for an item that an ongoing single write changes") {
  std::vector<Request> writes = single_writes();
  writes[3] = one_statement("INSERT INTO Tab VALUE {'pk': 'c'}");
  writes.push_back(batch_write(Json::array({put_request(Server::item("a"))})));
  writes.push_back(batch_write(Json::array({delete_request(key_of("c"))})));
  writes.push_back(statements("BatchExecuteStatement", {"UPDATE Tab SET x = 2 WHERE pk = 'a'"}));
  for (const Request& write : writes) {
    INFO(write.body);
    const bool of_c = write.body.find("\"c\"") + 1 || write.body.find("'c'") + 1;
    Server server;
    Ongoing ongoing(server, write);
    CHECK(cancellation(call(server, write_transaction({put("a"), put("c")}))) ==
          (of_c ? cancelled({"None", conflict}) : cancelled({conflict, "None"})));
    CHECK(cancellation(call(server, read_transaction({"a", "b", "c"}))) ==
          (of_c ? cancelled({"None", "None", conflict}) : cancelled({conflict, "None", "None"})));
    CHECK(ongoing.release().status == 200);
    CHECK(call(server, write_transaction({put("a"), put("c")})).status == 200);
  }
}

TEST_CASE("a transaction of reads is cancelled for an item of an ongoing transaction") {
  for (const Request& held : transactions_on_a()) {
    Server server;
    Ongoing ongoing(server, held);
    INFO(held.body);
    CHECK(cancellation(call(server, read_transaction({"b", "a"}))) == cancelled({"None", conflict}));
    CHECK(
        cancellation(call(server, statements("ExecuteTransaction", {"SELECT * FROM Tab WHERE pk = 'a'",
                                                                    "SELECT * FROM Tab WHERE pk = 'b'"}))) ==
        cancelled({conflict, "None"}));
    CHECK(call(server, read_transaction({"b"})).status == 200);
    CHECK(ongoing.release().status == 200);
    CHECK(call(server, read_transaction({"b", "a"})).status == 200);
  }
}

TEST_CASE("reads that are not a transaction are never refused, and no read blocks a write") {
  Server server;
  const Json keys = Json::array({key_of("a")});
  const std::vector<Request> reads = {
      one_item("GetItem"),
      {"BatchGetItem", batch({{the_table, {{"Keys", keys}}}}).dump()},
      one_item("Scan"),
      one_statement("SELECT * FROM Tab WHERE pk = 'a'"),
      statements("BatchExecuteStatement", {"SELECT * FROM Tab WHERE pk = 'a'"})};
  {
    Ongoing ongoing(server, write_transaction({put("a")}));
    for (const Request& read : reads) {
      INFO(read.body);
      CHECK(call(server, read).status == 200);
    }
  }
  std::vector<Request> held = reads;
  held.push_back(read_transaction({"a"}));
  for (const Request& read : held) {
    INFO(read.body);
    Ongoing ongoing(server, read);
    CHECK(call(server, one_item("PutItem")).status == 200);
    CHECK(call(server, write_transaction({put("a")})).status == 200);
    CHECK(call(server, read_transaction({"a"})).status == 200);
  }
}

TEST_CASE("single writes are not in each other's way") {
  Server server;
  Ongoing ongoing(server, one_item("PutItem"));
  CHECK(call(server, one_item("UpdateItem", update("SET x = :v", R"(":v": {"N": "2"})"))).status == 200);
  CHECK(call(server, batch_write(Json::array({put_request(Server::item("a"))}))).status == 200);
  CHECK(ongoing.release().status == 200);
  CHECK(call(server, write_transaction({put("a")})).status == 200);
}

TEST_CASE("what a BatchWriteItem cannot write for a transaction is unprocessed, even if that is everything") {
  Server server;
  Ongoing ongoing(server, write_transaction({put("a"), put("c")}));
  const Json put_a = put_request(with_pk("a"));
  const Json delete_c = delete_request(key_of("c"));
  const Reply some = call(server, batch_write(Json::array({put_a, put_request(with_pk("d")), delete_c})));
  CHECK(some.status == 200);
  CHECK(some.json()["UnprocessedItems"] == Json{{the_table, {put_a, delete_c}}});
  CHECK(server.get(the_table, key_of("d")) == with_pk("d"));
  const Reply all = call(server, batch_write(Json::array({put_a})));
  CHECK(all.status == 200);
  CHECK(all.json() == Json{{"UnprocessedItems", {{the_table, {put_a}}}}});
  ongoing.release();
  CHECK(server.get(the_table, key_of("c")) == Server::item("c"));
}

TEST_CASE("a statement of a batch has the conflict as its error") {
  Server server;
  Ongoing ongoing(server, write_transaction({put("a")}));
  const Reply reply = call(
      server, statements("BatchExecuteStatement",
                         {"UPDATE Tab SET x = 2 WHERE pk = 'a'", "UPDATE Tab SET x = 2 WHERE pk = 'b'"}));
  CHECK(reply.status == 200);
  CHECK(
      reply.json()["Responses"] ==
      Json::array(
          {{{"TableName", the_table},
            {"Error", {{"Code", "TransactionConflict"}, {"Message", "Transaction is ongoing for the item"}}}},
           {{"TableName", the_table}}}));
}

TEST_CASE("a token whose first request is ongoing says so, then the request replays") {
  Server server;
  const Request add = write_transaction(
      {action("Update", "a",
              {{"UpdateExpression", "ADD x :v"}, {"ExpressionAttributeValues", {{":v", {{"N", "1"}}}}}})},
      "t");
  Ongoing ongoing(server, add);
  check_in_progress(call(server, add));
  check_in_progress(call(server, write_transaction({put("b")}, "t")));
  CHECK(call(server, write_transaction({put("b")}, "u")).status == 200);
  CHECK(ongoing.release().status == 200);
  CHECK(call(server, add).status == 200);
  CHECK(call(server, write_transaction({put("b")}, "t")).error() == "IdempotentParameterMismatchException");
  CHECK(server.get(the_table, key_a)["x"]["N"] == "2");
}

TEST_CASE("a replay blocks no other request, and no other request blocks it") {
  Server server;
  const Request first = write_transaction({put("a")}, "t");
  CHECK(call(server, first).status == 200);
  {
    Ongoing replay(server, first);
    CHECK(call(server, first).status == 200);
    CHECK(call(server, one_item("PutItem")).status == 200);
    CHECK(call(server, write_transaction({put("a")})).status == 200);
  }
  Ongoing ongoing(server, write_transaction({put("a")}));
  CHECK(call(server, first).status == 200);
}

TEST_CASE("a conflict binds the token, and the same request may run later") {
  Server server;
  const Request later = write_transaction({put("a")}, "t");
  {
    Ongoing ongoing(server, one_item("PutItem"));
    CHECK(cancellation(call(server, later)) == cancelled({conflict}));
    CHECK(call(server, write_transaction({put("b")}, "t")).error() == "IdempotentParameterMismatchException");
  }
  CHECK(call(server, later).status == 200);
}

// docs/service/transactions.md section 4, steps 3 to 9.
TEST_CASE("a conflict comes after what is wrong with the request, and before what is stored") {
  Server server;
  Ongoing ongoing(server, write_transaction({put("a")}));
  const std::string fails = condition("attribute_not_exists(pk)");
  check_conflict(call(server, one_item("PutItem", fails)));
  check_conflict(call(server, one_item("DeleteItem", fails)));
  CHECK(call(server, one_item("PutItem", condition("pk = "))).error() == "ValidationException");
  CHECK(call(server, write_transaction({put("a"), put("a")})).error() == "ValidationException");

  const std::string wrong_key = R"({"Put": {"TableName": "Tab", "Item": {"pk": {"N": "1"}}}})";
  CHECK(cancellation(call(server, write_transaction({wrong_key, put("a")}))) ==
        cancelled({"None", conflict}));
  CHECK(cancellation(call(server, write_transaction({wrong_key, put("b")}))) ==
        cancelled({"ValidationError: One or more parameter values were invalid: Type mismatch for key pk "
                   "expected: S actual: N",
                   "None"}));
  const Json failing = {{"ConditionExpression", "attribute_not_exists(pk)"}};
  CHECK(cancellation(call(server, write_transaction({action("Delete", "b", failing), put("a")}))) ==
        cancelled({"None", conflict}));
}

TEST_CASE("an item of the same name in another world is another one") {
  ServiceOptions options = Server::refusing();
  options.isolation.accounts = true;
  Server server(std::move(options));
  const Headers other = {
      {"Authorization",
       "AWS4-HMAC-SHA256 Credential=111111111111/20261010/us-east-1/dynamodb/aws4_request, "
       "SignedHeaders=host, Signature=0"}};
  REQUIRE(server.call("CreateTable", on_demand(the_table), other).status == 200);
  const Request held = write_transaction({put("a")}, "t");
  Ongoing ongoing(server, held);
  check_conflict(call(server, one_item("PutItem")));
  CHECK(server.call("PutItem", one_item("PutItem").body, other).status == 200);
  CHECK(server.call(held.operation, held.body, other).status == 200);
}

TEST_CASE("by default no request is refused because of an ongoing one") {
  Server server{ServiceOptions()};
  for (const Request& held : transactions_on_a()) {
    server.put(the_table, Server::item("a"));
    call(server, {"DeleteItem", Json{{"TableName", the_table}, {"Key", key_of("c")}}.dump()});
    Ongoing ongoing(server, held);
    CHECK(call(server, one_item("PutItem")).status == 200);
    CHECK(call(server, write_transaction({put("a"), put("c")})).status == 200);
    CHECK(call(server, read_transaction({"a"})).status == 200);
    CHECK(ongoing.release().status == 200);
  }
}

}  // namespace test::transaction_conflicts_test
