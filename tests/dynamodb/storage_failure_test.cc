#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "one_item.h"
#include "support/engines.h"
#include "support/faulty_engine.h"
#include "support/tables.h"

// What a client sees when the storage fails, and that nothing half-written stays behind.
namespace test::storage_failure_test {

using dinette::kv::ErrorKind;
using dinette::test::EngineCall;
using dinette::test::FaultyEngine;

namespace {

/// The service on an engine that fails on cue.
struct Faulty {
  FaultyEngine* engine = new FaultyEngine(make_test_engine());
  DynamoDb db{{}, std::unique_ptr<dinette::kv::Engine>(engine)};

  Reply call(EngineCall failing, ErrorKind kind, std::string_view operation, std::string_view members) {
    engine->plan().fail(failing, 1, kind);
    const Reply reply = call_item(db, operation, members);
    INFO(operation << " " << members << " -> " << reply.body);
    REQUIRE(engine->plan().spent());
    return reply;
  }
};

void check_internal_error(const Reply& reply) {
  CHECK(reply.status == 500);
  CHECK(reply.error() == "InternalServerError");
  CHECK_THAT(reply.body, !Catch::Contains("injected"));
}

const std::string x2 = R"("Item": {"pk": {"S": "a"}, "x": {"N": "2"}})";
const std::vector<std::pair<std::string, std::string>> writes = {
    {"PutItem", x2},
    {"PutItem", x2 + ", " + condition("x <> :v", R"(":v": {"N": "7"})")},
    {"UpdateItem", update("ADD x :v", R"(":v": {"N": "1"})")},
    {"UpdateItem", R"("AttributeUpdates": {"x": {"Value": {"N": "2"}}})"},
    {"UpdateItem", ""},
};

Json storage_of(DynamoDb& db) {
  Json table = db.ok("DescribeTable", {{"TableName", the_table}})["Table"];
  return {table["ItemCount"], table["TableSizeBytes"], db.get(the_table, key_a)};
}

}  // namespace

TEST_CASE("a write that cannot be stored is an internal error and leaves nothing") {
  for (const auto kind : {ErrorKind::io, ErrorKind::corrupt, ErrorKind::too_large}) {
    for (const auto& [operation, members] : writes) {
      Faulty faulty;
      faulty.db.create_table(the_table);
      const Json before = storage_of(faulty.db);
      check_internal_error(faulty.call(EngineCall::commit, kind, operation, members));
      CHECK(storage_of(faulty.db) == before);
      CHECK(call_item(faulty.db, operation, members).status == 200);
      CHECK_FALSE(stored_attributes(faulty.db).is_null());
    }
  }
}

TEST_CASE("a write that cannot be stored leaves the old item") {
  std::vector<std::pair<std::string, std::string>> all = writes;
  all.emplace_back("DeleteItem", "");
  all.emplace_back("DeleteItem", condition("attribute_exists(pk)"));
  for (const auto& [operation, members] : all) {
    Faulty faulty;
    faulty.db.create_table(the_table);
    store_item(faulty.db, R"("x": {"N": "1"}, "y": {"S": "old"})");
    const Json before = storage_of(faulty.db);
    check_internal_error(faulty.call(EngineCall::commit, ErrorKind::io, operation, members));
    CHECK(storage_of(faulty.db) == before);
    CHECK(call_item(faulty.db, operation, members).status == 200);
  }
}

TEST_CASE("an item that cannot be read is an internal error") {
  std::vector<std::pair<std::string, std::string>> all = writes;
  all.emplace_back("DeleteItem", "");
  all.emplace_back("GetItem", "");
  all.emplace_back("GetItem", projection("x"));
  for (const auto& [operation, members] : all) {
    Faulty faulty;
    faulty.db.create_table(the_table);
    store_item(faulty.db, R"("x": {"N": "1"})");
    const Json before = storage_of(faulty.db);
    for (const auto kind : {ErrorKind::io, ErrorKind::corrupt}) {
      check_internal_error(faulty.call(EngineCall::get, kind, operation, members));
      CHECK(storage_of(faulty.db) == before);
    }
    CHECK(call_item(faulty.db, operation, members).status == 200);
  }
}

/// Puts `damaged(record)` in place of every record of an item with the attribute `x`, in table and indexes.
void damage_records(dinette::kv::Engine& engine, const std::function<std::string(std::string)>& damaged) {
  dinette::kv::WriteBatch batch;
  const auto cursor = (*engine.snapshot())->cursor({});
  for (bool more = *(*cursor)->first(); more; more = *(*cursor)->next()) {
    const std::string value((*cursor)->value());
    if (value.ends_with("}}") && value.find(R"("x":{"N")") != std::string::npos)
      batch.put((*cursor)->key(), dinette::kv::Value::join({damaged(value)}));
  }
  REQUIRE_FALSE(batch.empty());
  REQUIRE(engine.write(batch));
}

TEST_CASE("a corrupt record is an internal error, and stays as it is") {
  const auto cut = [](const std::string& record) { return record.substr(0, 9); };
  const auto of_other_format = [](std::string record) { return record.replace(7, 1, "\2"); };
  const auto without_text = [](const std::string& record) { return record.substr(0, record.size() - 8); };
  const auto no_json = [](std::string record) { return record.replace(record.find(R"({"N")"), 4, "[[[["); };
  const std::string of_x = condition("x <> :v", R"(":v": {"N": "7"})");
  const std::string filter = expression("Filter", "x <> :v", R"(":v": {"N": "7"})");
  const std::vector<std::pair<std::string, std::string>> all = {
      {"PutItem", x2 + ", " + of_x},
      {"UpdateItem", update("ADD x :v", R"(":v": {"N": "1"})")},
      {"UpdateItem", R"("AttributeUpdates": {"x": {"Value": {"N": "2"}, "Action": "ADD"}})"},
      {"DeleteItem", of_x},
      {"GetItem", projection("x")},
      {"Scan", projection("x")},
      {"Scan", filter},
      {"Scan", filter + R"(, "Select": "COUNT")"}};
  using Damage = std::function<std::string(std::string)>;
  for (const Damage& damage : {Damage(cut), Damage(of_other_format), Damage(without_text), Damage(no_json)}) {
    Faulty faulty;
    faulty.db.leave_damage();
    faulty.db.create_table(the_table);
    store_item(faulty.db, R"("x": {"N": "1"}, "y": {"S": "old"})");
    damage_records(*faulty.engine, damage);
    for (const auto& [operation, members] : all) {
      const Reply reply = call_item(faulty.db, operation, members);
      INFO(operation << " " << members << " -> " << reply.body);
      check_internal_error(reply);
    }
  }
}

TEST_CASE("a page that cannot be read whole is an internal error") {
  Faulty faulty;
  faulty.db.ok("CreateTable",
               table_request("Tab", "pk sk:N", "n:N", {local_index("local", "n", keys_only())}));
  for (int sk = 0; sk < 3; ++sk) {
    const Json number = {{"N", std::to_string(sk)}};
    faulty.db.put(the_table, {{"pk", {{"S", "a"}}}, {"sk", number}, {"n", number}});
  }
  const std::string of_a = expression("KeyCondition", "pk = :p", R"(":p": {"S": "a"})");
  const std::string whole = R"(, "IndexName": "local", "Select": "ALL_ATTRIBUTES")";
  const std::vector<std::pair<std::string, std::string>> reads = {
      {"Query", of_a},
      {"Query", of_a + R"(, "ScanIndexForward": false)"},
      {"Query", of_a + whole},
      {"Scan", ""}};
  for (const auto& [operation, members] : reads) {
    const Json page = ok_item(faulty.db, operation, members);
    for (const EngineCall failing : {EngineCall::snapshot, EngineCall::cursor_move})
      check_internal_error(faulty.call(failing, ErrorKind::io, operation, members));
    faulty.engine->plan().fail(EngineCall::cursor_move, 3, ErrorKind::io);
    check_internal_error(call_item(faulty.db, operation, members));
    CHECK(ok_item(faulty.db, operation, members) == page);
  }
  check_internal_error(faulty.call(EngineCall::get, ErrorKind::io, "Query", of_a + whole));
}

TEST_CASE("a conflict that the storage gave up on is the client's to retry") {
  for (const auto kind : {ErrorKind::conflict, ErrorKind::timed_out}) {
    for (const auto& [operation, members] : writes) {
      Faulty faulty;
      faulty.db.create_table(the_table);
      const Reply reply = faulty.call(EngineCall::commit, kind, operation, members);
      CHECK(reply.status == 400);
      CHECK(reply.error() == "ThrottlingException");
      CHECK(stored_attributes(faulty.db).is_null());
    }
  }
}

TEST_CASE("a decision that the engine asks for twice counts once") {
  Faulty faulty;
  faulty.db.create_table(the_table);
  faulty.engine->run_transactions_twice(true);
  const auto add = [&] {
    return ok_item(faulty.db, "UpdateItem",
                   update("ADD n :one SET l = list_append(if_not_exists(l, :none), :element)",
                          R"(":one": {"N": "1"}, ":none": {"L": []}, ":element": {"L": [{"S": "e"}]})") +
                       R"(, "ReturnValues": "ALL_NEW")")["Attributes"];
  };
  for (int n = 1; n <= 3; ++n) {
    const Json attributes = add();
    CHECK(attributes["n"]["N"] == std::to_string(n));
    CHECK(attributes["l"]["L"].size() == static_cast<std::size_t>(n));
  }
  const std::string wishes = R"(, "ReturnValues": "ALL_OLD", "ReturnConsumedCapacity": "TOTAL")";
  CHECK(ok_item(faulty.db, "PutItem", x2 + wishes)["Attributes"]["n"]["N"] == "3");
  check_condition_failed(call_item(faulty.db, "PutItem", condition("attribute_not_exists(pk)")));
  CHECK(ok_item(faulty.db, "DeleteItem", R"("Key": {"pk": {"S": "a"}})" + wishes)["Attributes"]["x"]["N"] ==
        "2");
  CHECK(ok_item(faulty.db, "PutItem", condition("attribute_not_exists(pk)")) == Json::object());
}

TEST_CASE("a table that cannot be stored is not there") {
  Faulty faulty;
  const Json request = on_demand("Tab");
  faulty.engine->plan().fail(EngineCall::commit, 1, ErrorKind::io);
  check_internal_error(faulty.db.call("CreateTable", request));
  CHECK(faulty.db.ok("ListTables", Json::object())["TableNames"].empty());
  CHECK(call_item(faulty.db, "PutItem", "").error() == "ResourceNotFoundException");
  CHECK(faulty.db.call("CreateTable", request).status == 200);
}

TEST_CASE("a table that cannot be altered or deleted stays as it is") {
  Faulty faulty;
  faulty.db.create_table(the_table);
  store_item(faulty.db, R"("x": {"N": "1"})");
  const Json before = faulty.db.ok("DescribeTable", {{"TableName", the_table}});
  for (const auto& [operation, request] :
       {std::pair<std::string, Json>("UpdateTable",
                                     {{"TableName", the_table}, {"DeletionProtectionEnabled", true}}),
        {"DeleteTable", {{"TableName", the_table}}}}) {
    for (const auto& [failing, nth] :
         {std::pair(EngineCall::commit, 1), {EngineCall::get, 1}, {EngineCall::get, 2}}) {
      INFO(operation << " " << nth);
      faulty.engine->plan().fail(failing, nth, ErrorKind::io);
      check_internal_error(faulty.db.call(operation, request));
      CHECK(faulty.engine->plan().spent());
      CHECK(faulty.db.ok("DescribeTable", {{"TableName", the_table}}) == before);
      CHECK(stored_attributes(faulty.db) == Json{{"x", {{"N", "1"}}}});
    }
  }
}

}  // namespace test::storage_failure_test
