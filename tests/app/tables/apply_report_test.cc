#include "app/tables/apply_report.h"

#include <string>

#include <catch2/catch.hpp>

#include "app/tables/applying_tables.h"

namespace dinette::app::apply_report_test {
namespace {

using Outcome = AppliedTable::Outcome;

TEST_CASE("a table is reported in a line, with what it has, and indented lines for the rest") {
  AppliedTable made{.id = "Plants",
                    .name = "dev-plants",
                    .outcome = Outcome::created,
                    .parts = {"2 indexes", "stream"},
                    .differences = {},
                    .remarks = {"X was left out"},
                    .errors = {}};
  CHECK(report_of(made) == "created    dev-plants (Plants): 2 indexes, stream\n  X was left out\n");
  made = {.id = "beds",
          .name = "beds",
          .outcome = Outcome::failed,
          .parts = {},
          .differences = {{"BillingMode", "A", "B", false}},
          .remarks = {},
          .errors = {"it failed"}};
  CHECK(report_of(made) == "failed     beds\n  it failed\n  BillingMode: A in the table, B in the file\n");
  CHECK(summary_of({made, made}) == "2 tables: 2 failed");
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
