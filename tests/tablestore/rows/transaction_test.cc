#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

#include <catch2/catch.hpp>

#include "dinette/base/waiting.h"

#include "tablestore/api/abort_transaction.h"
#include "tablestore/api/commit_transaction.h"
#include "tablestore/api/delete_table.h"
#include "tablestore/api/start_local_transaction.h"
#include "tablestore/rows/instance.h"
#include "tablestore/rows/local_transactions.h"
#include "tablestore/transactions/open_transaction.h"

// tablestore/transactions.md
namespace dinette::tablestore::transaction_test {

using namespace test;
using Lines = std::vector<std::string>;
using namespace std::chrono_literals;

namespace {

constexpr std::string_view unknown = "OTSSessionNotExist: Session not exist or may be timeout.";
constexpr std::string_view locked = "OTSRowOperationConflict: Data is being modified by the other request.";

struct Transactions {
  Instance in;

  Transactions() { in.create("t", {.max_versions = 2}); }

  Answer<api::StartLocalTransactionResponse> start(const PrimaryKey& key, std::string_view table = "t") {
    const std::string bytes = bytes_of(key);
    return ops::start_local_transaction(in.context(), {.table_name = table, .key = bytes});
  }
  std::string begin(std::string_view k) {
    auto started = start({{"k", Value::string(k)}});
    REQUIRE(started);
    return started->transaction_id;
  }
  std::string commit(const std::string& id) {
    return outcome(ops::commit_transaction(in.context(), {.transaction_id = id}));
  }
  std::string abort(const std::string& id) {
    return outcome(ops::abort_transaction(in.context(), {.transaction_id = id}));
  }
  Lines rows(std::string_view k, const std::optional<std::string>& id, bool backward = false) {
    const PrimaryKey least = bound(Value::string(k), Value::inf_min());
    const PrimaryKey greatest = bound(Value::string(k), Value::inf_max());
    return in
        .range("t", backward ? greatest : least, backward ? least : greatest, {.transaction = id}, {},
               backward ? api::Direction::backward : api::Direction::forward)
        .rows;
  }
};

}  // namespace

TEST_CASE_METHOD(Transactions, "a transaction sees what it has written, others when it is committed") {
  for (const int n : {1, 3, 5}) in.put("t", key("a", n), {number("x", n)});
  const std::string id = begin("a");
  CHECK(in.put("t", key("a", 2), {number("x", 2)}, {.transaction = id}) == "ok");
  CHECK(in.update("t", key("a", 3), {add("x", Value::integer(10)), number("y", 1)}, {.transaction = id}) ==
        "ok");
  CHECK(in.remove("t", key("a", 5), {.transaction = id}) == "ok");
  CHECK(in.put("t", key("a", 9), {},
               {.expectation = api::RowExistenceExpectation::expect_exist, .transaction = id})
            .starts_with("OTSConditionCheckFail"));
  const Lines before = {"k=a n=1 | x=1@0", "k=a n=3 | x=3@0", "k=a n=5 | x=5@0"};
  const Lines after = {"k=a n=1 | x=1@0", "k=a n=2 | x=2@0", "k=a n=3 | x=13@0 y=1@0"};
  CHECK(rows("a", {}) == before);
  CHECK(rows("a", id) == after);
  CHECK(rows("a", id, true) == Lines(after.rbegin(), after.rend()));
  CHECK(in.get("t", key("a", 5), {.transaction = id}) == "none");
  CHECK(in.get("t", key("a", 5)) != "none");
  CHECK(commit(id) == "ok");
  CHECK(rows("a", {}) == after);
  CHECK(commit(id) == unknown);
  CHECK(in.get("t", key("a", 1), {.transaction = id}) == unknown);
}

TEST_CASE_METHOD(Transactions, "an aborted transaction leaves nothing") {
  const std::string id = begin("a");
  CHECK(in.put("t", key("a", 1), {}, {.transaction = id}) == "ok");
  CHECK(abort(id) == "ok");
  CHECK(abort(id) == unknown);
  CHECK(rows("a", {}).empty());
  CHECK(in.put("t", key("a", 1), {}) == "ok");
}

TEST_CASE_METHOD(Transactions, "others may not write to the partition until the transaction ends") {
  const std::string id = begin("a");
  CHECK(in.put("t", key("a", 1), {}) == locked);
  CHECK(in.update("t", key("a", 1), {number("x", 1)}) == locked);
  CHECK(in.remove("t", key("a", 1)) == locked);
  CHECK(outcome(start({{"k", Value::string("a")}})) == locked);
  CHECK(in.put("t", key("b", 1), {}) == "ok");
  in.advance(std::chrono::seconds(60) - 1us);
  CHECK(in.put("t", key("a", 1), {}) == locked);
  in.advance(1us);
  CHECK(in.put("t", key("a", 1), {}) == "ok");
  CHECK(in.put("t", key("a", 1), {}, {.transaction = id}) == unknown);
}

TEST_CASE_METHOD(Transactions, "a transaction is of one partition of one table") {
  in.create("u");
  const std::string id = begin("key1");
  const std::string out_of_scope =
      "OTSDataOutOfRange: Data out of scope of transaction. Transaction PartKey:key1. Data PartKey:key2";
  CHECK(in.put("t", key("key2", 1), {}, {.transaction = id}) == out_of_scope);
  CHECK(in.get("t", key("key2", 1), {.transaction = id}) == out_of_scope);
  CHECK(in.range("t", key("key1", 1), key("key2", 1), {.transaction = id}).next == out_of_scope);
  const std::string before_scope =
      "OTSDataOutOfRange: Data out of scope of transaction. Transaction PartKey:key1. Data PartKey:key0";
  CHECK(in.range("t", key("key0", 1), key("key1", 1), {.transaction = id}).next == before_scope);
  const auto backward = [&](const PrimaryKey& start, const PrimaryKey& end) {
    return in.range("t", start, end, {.transaction = id}, {}, api::Direction::backward);
  };
  CHECK(backward(key("key2", 1), key("key1", 1)).next == out_of_scope);
  CHECK(backward(key("key1", 1), key("key0", 1)).next == before_scope);
  CHECK(backward(key("key1", 2), key("key1", 1)).next.empty());
  CHECK(in.put("u", key("key1", 1), {}, {.transaction = id}).starts_with("OTSParameterInvalid"));
}

TEST_CASE_METHOD(Transactions, "infinite bounds are out of the scope of every transaction") {
  const std::string id = begin("");
  const PrimaryKey least = bound(Value::inf_min(), Value::inf_min());
  const PrimaryKey greatest = bound(Value::inf_max(), Value::inf_max());
  CHECK(in.range("t", least, greatest, {.transaction = id}).next.starts_with("OTSDataOutOfRange"));
  CHECK(in.range("t", key("", 1), greatest, {.transaction = id}).next.starts_with("OTSDataOutOfRange"));
  CHECK(in.range("t", least, key("", 1), {.transaction = id}).next.starts_with("OTSDataOutOfRange"));
  CHECK(rows("", id).empty());
  CHECK(in.put("t", key("", 1), {}, {.transaction = id}) == "ok");
  CHECK(rows("", id) == Lines{"k= n=1 |"});
}

TEST_CASE_METHOD(Transactions,
                 "a transaction ends with its table, also if there is another one of that name") {
  const std::string id = begin("a");
  CHECK(in.put("t", key("a", 1), {number("x", 1)}, {.transaction = id}) == "ok");
  REQUIRE(ops::delete_table(in.context(), {.table_name = "t"}));
  in.create("t");
  CHECK(in.put("t", key("a", 2), {}) == "ok");  // which nothing holds
  CHECK(in.put("t", key("a", 3), {}, {.transaction = id}) == unknown);
  CHECK(in.get("t", key("a", 1), {.transaction = id}) == unknown);
  CHECK(in.range("t", key("a", 1), key("a", 9), {.transaction = id}).next == unknown);
  CHECK(commit(id) == unknown);
  CHECK(rows("a", {}) == Lines{"k=a n=2 |"});
}

TEST_CASE_METHOD(Transactions, "a transaction begins with the partition key of a table that has them") {
  CHECK(outcome(start(key("a", 1))) ==
        "OTSParameterInvalid: StartLocalTransaction support only one primary key.");
  CHECK(outcome(start({{"k", Value::integer(1)}})) ==
        "OTSInvalidPK: Validate PK type fail. Input: VT_INTEGER, Meta: VT_STRING.");
  CHECK(outcome(start({{"n", Value::string("a")}})) ==
        "OTSInvalidPK: Validate PK name fail. Input: n, Meta: k.");
  CHECK(outcome(start({{"k", Value::string("a")}}, "")) == "OTSParameterInvalid: Invalid table name: ''.");
  TableMeta off;
  off.name = "off";
  off.local_transactions = false;
  in.create(off);
  CHECK(outcome(start({{"k", Value::string("a")}}, "off")) ==
        "OTSParameterInvalid: Try to call method using explicit transaction on explicit-transaction-disabled "
        "table.");
  for (const char* id : {"", "not existed transaction id"})
    CHECK(commit(id) == "OTSParameterInvalid: TransactionID is invalid.");
}

TEST_CASE_METHOD(Transactions, "cells have the time of their write, not that of the commit") {
  const std::string id = begin("a");
  CHECK(in.put("t", key("a", 1), {number("x", 1)}, {.transaction = id}) == "ok");
  in.advance(5ms);
  CHECK(in.update("t", key("a", 1), {number("y", 1)}, {.transaction = id}) == "ok");
  in.advance(5ms);
  CHECK(commit(id) == "ok");
  CHECK(in.get("t", key("a", 1)) == "k=a n=1 | x=1@0 y=1@5");
}

TEST_CASE_METHOD(Transactions, "a transaction is used by one request at a time") {
  const std::string id = begin("a");
  const std::string busy = "OTSSessionBusy: Session is busy.";
  {
    const auto open = take_transaction(in.context(), std::string_view(id));
    REQUIRE(open);
    CHECK(in.put("t", key("a", 1), {}, {.transaction = id}) == busy);
    CHECK(in.get("t", key("a", 1), {.transaction = id}) == busy);
    CHECK(commit(id) == busy);
  }
  CHECK(commit(id) == "ok");
}

TEST_CASE_METHOD(Transactions, "tables with numbered keys have no transactions") {
  // tablestore/tables.md section 7.
  TableMeta meta;
  meta.name = "numbered";
  meta.key = {{"k", ValueType::string}, {"n", ValueType::integer, true}};
  in.create(meta);
  CHECK(outcome(start({{"k", Value::string("a")}}, "numbered")) ==
        "OTSParameterInvalid: Try to call method using explicit transaction on explicit-transaction-disabled "
        "table.");
}

TEST_CASE_METHOD(Transactions, "a transaction writes up to 4 MB") {
  const std::string id = begin("a");
  const std::string large(2'000'000, 'x');
  for (int n = 0; n < 2; ++n)
    CHECK(in.put("t", key("a", n), {text("x", large)}, {.transaction = id}) == "ok");
  CHECK(in.put("t", key("a", 2), {text("x", large)}, {.transaction = id})
            .starts_with("OTSOutOfTransactionDataSizeLimit"));
  CHECK(commit(id) == "ok");
  CHECK(rows("a", {}).size() == 2);
}

TEST_CASE("a transaction begins when writes to its partition are done, and keeps others out") {
  LocalTransactions transactions;
  const base::TimePoint now;
  const Partition partition{1, "a"};
  const auto transaction = std::make_shared<LocalTransaction>(LocalTransaction{
      .id = "x", .table_name = "t", .partition = partition, .partition_text = "a", .ends = now + 1min});
  auto pass = transactions.enter(partition, now);
  REQUIRE(pass);
  CHECK(transactions.enter(partition, now));  // writes do not wait for each other
  {
    const base::WaitingScope must_not_wait(false);
    CHECK(transactions.begin(transaction, now) == LocalTransactions::Begun::busy);
  }
  CHECK(transactions.enter(partition, now));
  std::atomic<bool> begun = false;
  std::thread beginning([&] {
    CHECK(transactions.begin(transaction, now) == LocalTransactions::Begun::yes);
    begun = true;
  });
  while (transactions.enter(partition, now)) std::this_thread::yield();
  CHECK_FALSE(begun);
  pass.reset();
  beginning.join();
  CHECK(begun);
  CHECK_FALSE(transactions.enter(partition, now));
  CHECK(transactions.enter({1, "b"}, now));
  CHECK(transactions.begin(transaction, now) == LocalTransactions::Begun::locked);
  CHECK(transactions.enter(partition, now + 1min));
}

}  // namespace dinette::tablestore::transaction_test
