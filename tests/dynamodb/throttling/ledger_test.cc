#include "dynamodb/throttling/ledger.h"

#include <chrono>

#include <catch2/catch.hpp>

#include "dynamodb/throttling/demand.h"
#include "dynamodb/throttling/stock.h"

// docs/service/throttling.md sections 1 and 3: what tables and indexes have left, and how on-demand ones
// grow.
namespace test::ledger_test {
namespace {

using namespace std::chrono_literals;
using namespace dinette::dynamodb::throttling;
using dinette::base::TimePoint;
using dinette::dynamodb::Axis;
using dinette::dynamodb::Limit;

constexpr TimePoint start{1000h};

Supply provisioned(std::int64_t units, TimePoint since = {}) {
  return {.on_demand = false,
          .sides = {Supply::Side{Limit::provisioned, units, units},
                    Supply::Side{Limit::provisioned, units, units}},
          .since = since};
}

Supply on_demand() {
  return {
      .on_demand = true,
      .sides = {Supply::Side{Limit::account, 40'000, 12'000}, Supply::Side{Limit::account, 40'000, 4'000}}};
}

bool has(Stock& stock, const Supply& supply, double units, TimePoint now) {
  stock.update(supply, now);
  return !stock.look(Axis::write, units);
}

}  // namespace

TEST_CASE("provisioned units and maxima save up five minutes, an account one second") {
  CHECK(size_of_bucket(Limit::provisioned, 7) == 2100);
  CHECK(size_of_bucket(Limit::maximum, 7) == 2100);
  CHECK(size_of_bucket(Limit::account, 40'000) == 40'000);
  CHECK(size_of_bucket(Limit::partition, 1'000) == 1'000);
}

TEST_CASE("reads and writes have buckets apart") {
  Stock stock(provisioned(1), start);
  stock.take(0, Axis::write, 300, start);
  CHECK(stock.look(Axis::write, 1) == Limit::provisioned);
  CHECK_FALSE(stock.look(Axis::read, 300));
}

TEST_CASE("an account gives 40,000 units per second, over all partitions") {
  Stock stock(on_demand(), start);
  stock.take(0, Axis::write, 39'999, start);
  CHECK_FALSE(stock.look(Axis::write, 1));
  stock.take(0, Axis::write, 1, start);
  CHECK(stock.look(Axis::write, 1) == Limit::account);
  CHECK(has(stock, on_demand(), 40'000, start + 1s));
}

TEST_CASE("a bucket fills at the old rate until the new one is in force") {
  const Supply slow = provisioned(1);
  Stock stock(slow, start);
  stock.take(0, Axis::write, 300, start);
  const Supply fast = provisioned(10, start + 60s);
  CHECK_FALSE(has(stock, fast, 160.5, start + 70s));  // 60 * 1 + 10 * 10
  CHECK(has(stock, fast, 160, start + 70s));
}

TEST_CASE("a lower rate cuts the bucket to its size") {
  Stock stock(provisioned(10), start);
  const Supply slow = provisioned(1, start + 1s);
  CHECK(has(stock, slow, 300, start + 1s));
  CHECK_FALSE(has(stock, slow, 301, start + 1s));
}

TEST_CASE("a full bucket whose rate is raised has what it had") {
  Stock stock(provisioned(1), start);
  const Supply fast = provisioned(10, start + 60s);
  CHECK_FALSE(has(stock, fast, 301, start + 60s));
  CHECK(has(stock, fast, 310, start + 61s));
}

TEST_CASE("another kind of limit begins with a full bucket") {
  Stock stock(provisioned(1), start);
  stock.take(0, Axis::write, 300, start);
  CHECK(has(stock, on_demand(), 40'000, start));
  stock.take(0, Axis::write, 40'000, start);
  Supply limited = on_demand();
  limited.sides[1] = {Limit::maximum, 2, 4'000};
  CHECK(has(stock, limited, 600, start));
  CHECK_FALSE(has(stock, limited, 601, start));
  CHECK(has(stock, provisioned(2), 600, start));
}

TEST_CASE("partitions are enough for warm throughput and for the size") {
  CHECK(partitions_for(provisioned(1)) == 1);
  CHECK(partitions_for(provisioned(1000)) == 1);
  CHECK(partitions_for(provisioned(1001)) == 2);
  CHECK(partitions_for(on_demand()) == 4);
  Supply supply = on_demand();
  supply.sides[0].warm = 15'001;
  CHECK(partitions_for(supply) == 6);
  constexpr std::uint64_t gigabyte = std::uint64_t{1} << 30;
  supply.bytes = 60 * gigabyte;
  CHECK(partitions_for(supply) == 6);
  supply.bytes += 1;
  CHECK(partitions_for(supply) == 7);
}

TEST_CASE("partitions follow a raised supply, and stay when it falls") {
  Stock stock(provisioned(1), start);
  stock.update(provisioned(3'500), start);
  CHECK(stock.partitions() == 4);
  stock.update(provisioned(1), start);
  CHECK(stock.partitions() == 4);
}

TEST_CASE("demand peaks in the minute with the most, once it is half an hour old") {
  Demand demand;
  demand.add(6'000, start);
  demand.add(600, start + 59s);
  demand.add(1'200, start + 1min);
  CHECK(demand.peak(start + 30min + 59s) == 0);
  CHECK(demand.peak(start + 31min) == 110);
  CHECK_FALSE(demand.settled());
  CHECK(demand.peak(start + 32min) == 110);
  CHECK(demand.settled());
}

TEST_CASE("an on-demand table grows for twice its former peak, a provisioned one does not") {
  for (const bool grows : {true, false}) {
    const Supply supply = grows ? on_demand() : provisioned(1);
    Stock stock(supply, start);
    for (auto second = 0s; second < 60s; ++second) stock.take(0, Axis::write, 3'001, start + second);
    stock.update(supply, start + 30min);
    CHECK(stock.partitions() == (grows ? 4 : 1));
    stock.update(supply, start + 31min);
    CHECK(stock.partitions() == (grows ? 7 : 1));
  }
}

TEST_CASE("tables and indexes are kept apart") {
  Ledger ledger;
  const Supply supply = provisioned(1);
  ledger.take({1, 0}, supply, 0, Axis::write, 300, start);
  CHECK(ledger.look({1, 0}, supply, Axis::write, 1, start) == Limit::provisioned);
  CHECK_FALSE(ledger.look({1, 1}, supply, Axis::write, 1, start));
  CHECK_FALSE(ledger.look({2, 0}, supply, Axis::write, 1, start));
  ledger.forget(1);
  CHECK_FALSE(ledger.look({1, 0}, supply, Axis::write, 1, start));
}

TEST_CASE("what is full again is forgotten") {
  Ledger ledger;
  const Supply supply = provisioned(1);
  for (unsigned table = 0; table < 1000; ++table)
    ledger.take({table, 0}, supply, 0, Axis::write, 1, start + std::chrono::seconds(table));
  CHECK(ledger.size() < 200);
  CHECK(ledger.look({999, 0}, supply, Axis::write, 300, start + 999s) == Limit::provisioned);
}

TEST_CASE("an account calls the control plane 2,500 times per second") {
  Ledger ledger;
  for (int i = 0; i < 2500; ++i) CHECK(ledger.take_control_call("a", start));
  CHECK_FALSE(ledger.take_control_call("a", start));
  CHECK(ledger.take_control_call("b", start));
  CHECK_FALSE(ledger.take_control_call("a", start + 399us));
  CHECK(ledger.take_control_call("a", start + 400us));
  CHECK_FALSE(ledger.take_control_call("a", start + 400us));
}

}  // namespace test::ledger_test
