#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dinette/base/clock.h"
#include "dinette/base/ids.h"
#include "dinette/definitions/definitions.h"
#include "dinette/definitions/read_node.h"

#include "app/tables/apply_definitions.h"
#include "app/transfer/moving_tables.h"
#include "app/transfer/transfer.h"

namespace test {

inline dinette::definitions::Node node(std::string_view json) {
  auto read = dinette::definitions::read_json(json, "test");
  REQUIRE(read.ok());
  return *read;
}

/// A table with these members of CreateTable besides its name; without any, an on-demand table with the key
/// `id`.
inline dinette::definitions::TableDefinition table(const std::string& name, std::string_view members = "{}") {
  dinette::definitions::TableDefinition made{
      .id = name, .name = name, .create = node(members), .follow_ups = {}, .items = {}, .place = {}};
  made.create.set("TableName", dinette::definitions::Node::text(name));
  const auto set_default = [&made](std::string_view member, std::string_view json) {
    if (!made.create.has(member)) made.create.set(member, node(json));
  };
  set_default("KeySchema", R"([{"AttributeName":"id","KeyType":"HASH"}])");
  set_default("AttributeDefinitions", R"([{"AttributeName":"id","AttributeType":"S"}])");
  if (!made.create.has("ProvisionedThroughput")) set_default("BillingMode", R"("PAY_PER_REQUEST")");
  return made;
}

/// The same with operations that follow: their names and inputs.
inline dinette::definitions::TableDefinition table(
    const std::string& name, std::string_view members,
    const std::vector<std::pair<std::string, std::string>>& follow_ups) {
  auto made = table(name, members);
  for (const auto& [operation, input] : follow_ups) made.follow_ups.push_back({operation, node(input)});
  return made;
}

inline dinette::definitions::Definitions definitions_of(
    std::vector<dinette::definitions::TableDefinition> tables) {
  dinette::definitions::Definitions made;
  made.tables = std::move(tables);
  return made;
}

/// A server, and definitions that are applied to it.
struct ApplyingTables {
  DynamoDb db;
  TestOperations operations{db};

  std::vector<dinette::app::AppliedResource> applied(const dinette::definitions::Definitions& definitions,
                                                     dinette::app::ApplySettings settings = {}) {
    return applied_by(operations, definitions, settings);
  }
  dinette::app::AppliedResource applied(const dinette::definitions::TableDefinition& table,
                                        dinette::app::ApplySettings settings = {}) {
    return applied(definitions_of({table}), settings).front();
  }
  std::vector<dinette::app::AppliedResource> applied_by(dinette::app::Operations& by,
                                                        const dinette::definitions::Definitions& definitions,
                                                        dinette::app::ApplySettings settings = {}) {
    return dinette::app::apply_definitions(transfer(by), definitions, settings);
  }

  /// Waits by doing what goes on in the background, such as filling indexes.
  dinette::app::Transfer transfer(dinette::app::Operations& by) {
    return {by,
            clock_,
            ids_,
            progress_,
            {[] { return false; }, [this](std::chrono::milliseconds) { db.jobs().run_due(); }}};
  }

  Json described(std::string_view name) { return db.ok("DescribeTable", {{"TableName", name}})["Table"]; }
  Json names() { return db.ok("ListTables", Json::object())["TableNames"]; }

 private:
  dinette::base::SystemClock clock_;
  dinette::base::SystemIds ids_;
  dinette::app::TransferProgress progress_{dinette::app::TransferProgress::Shown::log};
};

}  // namespace test
