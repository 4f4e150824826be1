#include <string>

#include <catch2/catch.hpp>

#include "tablestore/table.h"

// tablestore/transactions.md sections 1 to 4, tablestore/rows.md section 9.
namespace dinette::tablestore::transactions_test {

using namespace test;

const std::vector<CellChange> one{{.name = "c", .value = Value::integer(1)}};
const std::vector<CellChange> two{{.name = "c", .value = Value::integer(2)}};

const std::string gone = "OTSSessionNotExist: Session not exist or may be timeout.";
const std::string invalid = "OTSParameterInvalid: TransactionID is invalid.";

TEST_CASE("a transaction sees its writes, and others see them when it commits") {
  Server server;
  Table table(server);
  table.put(key(1, "a"), one);
  const std::string id = table.start(1);
  CHECK(table.put(key(1, "a"), two, {.transaction = id}) == "200");
  CHECK(table.put(key(1, "b"), two, {.transaction = id}) == "200");
  CHECK(table.get(key(1, "a")) == "1,a c=1");
  CHECK(table.get(key(1, "a"), {.transaction = id}) == "1,a c=2");
  CHECK(table.range(key(1, ""), key(1, "z"), {.transaction = id}) == "1,a c=2; 1,b c=2");
  CHECK(table.range(key(1, ""), key(1, "z")) == "1,a c=1");
  CHECK(table.commit(id) == "200");
  CHECK(table.range(key(1, ""), key(1, "z")) == "1,a c=2; 1,b c=2");
  CHECK(table.commit(id) == gone);
  CHECK(table.get(key(1, "a"), {.transaction = id}) == gone);
}

TEST_CASE("an aborted transaction has written nothing") {
  Server server;
  Table table(server);
  const std::string id = table.start(1);
  table.put(key(1, "a"), one, {.transaction = id});
  CHECK(table.abort(id) == "200");
  CHECK(table.get(key(1, "a")).empty());
  CHECK(table.put(key(1, "a"), one) == "200");
  CHECK(table.abort(id) == gone);
}

TEST_CASE("others cannot write what a transaction holds") {
  Server server;
  Table table(server);
  const std::string id = table.start(1);
  const std::string conflict = "OTSRowOperationConflict: Data is being modified by the other request.";
  CHECK(table.put(key(1, "a"), one) == conflict);
  CHECK(table.erase(key(1, "a")) == conflict);
  CHECK(table.start(1) == conflict);
  CHECK(table.put(key(2, "a"), one) == "200");
  CHECK(table.get(key(1, "a")).empty());
  table.commit(id);
  CHECK(table.put(key(1, "a"), one) == "200");
}

TEST_CASE("a transaction stays within its partition") {
  Server server;
  Table table(server);
  const std::string id = table.start(1);
  const std::string scope =
      "OTSDataOutOfRange: Data out of scope of transaction. Transaction PartKey:1. Data PartKey:2";
  CHECK(table.put(key(2, "a"), one, {.transaction = id}) == scope);
  CHECK(table.get(key(2, "a"), {.transaction = id}) == scope);
  CHECK(table.put(key(1, "a"), one, {.transaction = id}) == "200");  // it goes on
}

TEST_CASE("a transaction ends after 60 seconds by the world's clock") {
  Server server;
  Table table(server);
  const std::string id = table.start(1);
  table.put(key(1, "a"), one, {.transaction = id});
  server.advance(std::chrono::seconds(61));
  CHECK(table.commit(id) == gone);
  CHECK(table.get(key(1, "a")).empty());
  CHECK(table.put(key(1, "a"), two) == "200");
}

TEST_CASE("ids are recognised, also after the end") {
  Server server;
  Table table(server);
  for (const std::string id : {"not existed transaction id", "x"}) {
    CHECK(table.commit(id) == invalid);
    CHECK(table.get(key(1, "a"), {.transaction = id}) == invalid);
  }
  CHECK(table.commit("") == invalid);
}

TEST_CASE("transactions are on unless the table says otherwise") {
  Server server;
  for (const bool enabled : {false, true}) {
    const std::string name = enabled ? "on" : "off";
    api::CreateTableRequest request = table_of(name);
    request.enable_local_txn = enabled;
    server.ok<api::CreateTableResponse>("CreateTable", request);
    const std::string partition = row_bytes({{"gid", Value::integer(1)}});
    const api::StartLocalTransactionRequest start{.table_name = name, .key = partition};
    CHECK(server.refusal("StartLocalTransaction", start) ==
          (enabled ? "200"
                   : "OTSParameterInvalid: Try to call method using explicit transaction on "
                     "explicit-transaction-disabled table."));
  }
}

TEST_CASE("a transaction is on a partition key alone") {
  Server server;
  Table table(server);
  const std::string whole = row_bytes(key(1, "a"));
  const api::StartLocalTransactionRequest start{.table_name = "T", .key = whole};
  CHECK(server.refusal("StartLocalTransaction", start) ==
        "OTSParameterInvalid: StartLocalTransaction support only one primary key.");
}

}  // namespace dinette::tablestore::transactions_test
