#include "app/tables/apply_report.h"

#include <string>

#include <catch2/catch.hpp>

#include "app/tables/applying_tables.h"

namespace dinette::app::apply_report_test {
namespace {

using Outcome = AppliedResource::Outcome;

TEST_CASE("a table is reported in a line, with what it has, and indented lines for the rest") {
  AppliedResource made{.kind = AppliedResource::Kind::table,
                       .id = "Plants",
                       .name = "dev-plants",
                       .outcome = Outcome::created,
                       .parts = {"2 indexes", "stream"},
                       .differences = {},
                       .remarks = {"X was left out"},
                       .errors = {}};
  CHECK(report_of(made) == "created    dev-plants (Plants): 2 indexes, stream\n  X was left out\n");
  made = {.kind = AppliedResource::Kind::table,
          .id = "beds",
          .name = "beds",
          .outcome = Outcome::failed,
          .parts = {},
          .differences = {{"BillingMode", "A", "B", false}},
          .remarks = {},
          .errors = {"it failed"}};
  CHECK(report_of(made) == "failed     beds\n  it failed\n  BillingMode: A in the table, B in the file\n");
  CHECK(summary_of({made, made}) == "2 tables: 2 failed");
}

TEST_CASE("what is no table of DynamoDB is called what it is, and counted by itself") {
  const auto made = [](AppliedResource::Kind kind, const std::string& name) {
    AppliedResource resource;
    resource.kind = kind;
    resource.id = resource.name = name;
    resource.outcome = Outcome::created;
    return resource;
  };
  AppliedResource keyspace = made(AppliedResource::Kind::keyspace, "shop");
  keyspace.id = "Shop";
  keyspace.differences = {{"replicationSpecification", "A", "B", false}};
  CHECK(report_of(keyspace) ==
        "created    keyspace shop (Shop)\n  replicationSpecification: A in the keyspace, B in the file\n");
  const AppliedResource type = made(AppliedResource::Kind::type, "shop.address");
  CHECK(report_of(type) == "created    type shop.address\n");
  const AppliedResource basket = made(AppliedResource::Kind::keyspaces_table, "shop.baskets");
  CHECK(report_of(basket) == "created    shop.baskets\n");
  const AppliedResource trigger = made(AppliedResource::Kind::trigger, "On: plants -> on-plant");
  CHECK(report_of(trigger) == "created    trigger On: plants -> on-plant\n");
  CHECK(summary_of({keyspace, type, basket, basket, made(AppliedResource::Kind::table, "plants"), trigger}) ==
        "1 table: 1 created; 1 keyspace: 1 created; 1 type of Amazon Keyspaces: 1 created; "
        "2 tables of Amazon Keyspaces: 2 created; 1 trigger: 1 created");
}

TEST_CASE("variables of the environment are called after logical IDs, each once") {
  auto plants = test::table("dev-plants");
  plants.id = "PlantsTable";
  auto beds = test::table("beds");
  beds.id = "aws_dynamodb_table.beds[\"x\"]";
  CHECK(environment_lines({plants, plants, beds, test::table("2nd")}) ==
        "PLANTS_TABLE=dev-plants\nPLANTS_TABLE_2=dev-plants\nAWS_DYNAMODB_TABLE_BEDS__X___TABLE=beds\n"
        "_2ND_TABLE=2nd\n");
}

}  // namespace
}  // namespace dinette::app::apply_report_test
