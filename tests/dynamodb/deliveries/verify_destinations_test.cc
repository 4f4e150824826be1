#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "dinette/dynamodb/verify.h"

#include "dynamodb/deliveries/destination_log.h"
#include "dynamodb/deliveries/destinations.h"

// What `dinette check` finds of Kinesis destinations: each test damages one thing that the store keeps.
namespace test::verify_destinations_test {

using dinette::dynamodb::write_entry;
using dinette::dynamodb::api::DestinationLog;

namespace {

using Faults = std::vector<std::string>;

const std::string arn = kinesis_arn("changes");

/// A table `Music` with a destination, for which nothing goes on.
struct Damaged {
  Destinations t;
  DestinationLog log;

  Damaged() {
    t.db.ok("CreateTable", on_demand());
    t.enable(arn);
    t.db.leave_damage();
    world().lanes().stop();
    const dinette::store::View view = store().view().value();
    const auto note = [&](const DestinationLog& found) {
      log = found;
      return true;
    };
    REQUIRE(dinette::dynamodb::for_each_entry<DestinationLog>(view, {}, note).ok());
  }

  dinette::tenancy::World& world() { return *t.db.worlds().find(""); }
  dinette::store::Store& store() { return world().store(dinette::dynamodb::face().id); }

  Faults faults() {
    Faults found;
    const auto report = [&](std::string fault) { found.push_back(std::move(fault)); };
    REQUIRE(dinette::dynamodb::verify_data(world(), report, [](const auto&) {}).ok());
    return found;
  }
};

}  // namespace

TEST_CASE("a table with a destination is without fault") {
  Damaged d;
  d.t.db.put("Music", {{"pk", {{"S", "a"}}}});
  CHECK(d.faults() == Faults{});
}

TEST_CASE("a destination without its log") {
  Damaged d;
  REQUIRE(write_entry(d.store(), dinette::dynamodb::erasure_of(d.log)).ok());
  CHECK(d.faults() == Faults{"the Kinesis destination " + arn + " of Music has no log that can be read"});
}

TEST_CASE("a log that has ended although writes append to it, and one to which none does") {
  Damaged d;
  d.log.ended = true;
  REQUIRE(write_entry(d.store(), dinette::dynamodb::write_of(d.log)).ok());
  const std::string name = " of Music for " + arn;
  CHECK(d.faults() ==
        Faults{"the log " + std::to_string(d.log.log_id) + name + " has ended, but is written to"});
  d.log.ended = false;
  REQUIRE(write_entry(d.store(), dinette::dynamodb::write_of(d.log)).ok());
  d.log.log_id = 1'000'000;
  REQUIRE(write_entry(d.store(), dinette::dynamodb::write_of(d.log)).ok());
  CHECK(d.faults() == Faults{"the log 1000000" + name + " is not written to"});
}

TEST_CASE("a record of a log that cannot be read") {
  Damaged d;
  const dinette::store::WriteTarget nothing =
      dinette::store::WriteTarget::entry(dinette::store::SpaceId{255}, "nothing");
  const auto append = [&](const dinette::store::Rows&, dinette::store::RowChanges changes) {
    changes[0].records.push_back(
        {dinette::dynamodb::records_of(d.log), dinette::kv::Value(std::string_view("\x03"))});
    return true;
  };
  REQUIRE(d.store().write(std::span(&nothing, 1), append).ok());
  CHECK(d.faults() == Faults{"a record of the log " + std::to_string(d.log.log_id) + " of Music for " + arn +
                             " cannot be read"});
}

}  // namespace test::verify_destinations_test
