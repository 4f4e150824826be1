#include "app/tables/server_tables.h"

#include <optional>
#include <utility>

#include "dinette/definitions/read_node.h"
#include "dinette/dynamodb/item_files/table_file.h"

#include "app/tables/members.h"
#include "app/transfer/described_tables.h"
#include "app/transfer/table_states.h"

namespace dinette::app {
namespace {

using base::Failure;
using definitions::FollowUp;
using definitions::Node;
using definitions::TableDefinition;

base::Result<Node, std::string> output_node(std::string_view output, std::string_view operation) {
  auto node = definitions::read_json(output, "the output of " + std::string(operation));
  if (!node) return Failure{node.error().text()};
  return std::move(node).value();
}

/// Returns the follow-up that turns recovery on; nothing if it is off, or the server does not have it.
base::Result<std::optional<FollowUp>, std::string> recovery_of(const Transfer& transfer,
                                                               const std::string& table) {
  DINETTE_TRY(const auto output, output_if_known(transfer, "DescribeContinuousBackups", naming(table)));
  if (output.empty()) return std::optional<FollowUp>();
  DINETTE_TRY(const auto answer, output_node(output, "DescribeContinuousBackups"));
  const Node* const found = answer.find("ContinuousBackupsDescription", "PointInTimeRecoveryDescription");
  if (found == nullptr || scalar_of(found->find("PointInTimeRecoveryStatus")) != "ENABLED")
    return std::optional<FollowUp>();
  Node specification = Node::map({{"PointInTimeRecoveryEnabled", Node::boolean(true)}});
  if (const Node* const days = found->find("RecoveryPeriodInDays"))
    specification.set("RecoveryPeriodInDays", *days);
  return std::optional(FollowUp{"UpdateContinuousBackups",
                                Node::map({{"PointInTimeRecoverySpecification", std::move(specification)}})});
}

}  // namespace

base::Result<TableDefinition, std::string> definition_of(const Transfer& transfer, const std::string& table,
                                                         const std::string& description) {
  DINETTE_TRY(const auto text, table_file_of(transfer, table, description));
  DINETTE_TRY(const auto file, dynamodb::item_files::read_table_file(text));
  TableDefinition made{.id = table, .name = table, .create = {}, .follow_ups = {}, .items = {}, .place = {}};
  DINETTE_TRY(made.create, output_node(file.create_table, "DescribeTable"));
  if (file.update_table) {  // the stream
    DINETTE_TRY(const auto update, output_node(*file.update_table, "DescribeTable"));
    for (const Node::Member& member : update.members()) made.create.set(member.key, member.value);
  }
  if (file.update_time_to_live) {
    DINETTE_TRY(auto update, output_node(*file.update_time_to_live, "DescribeTimeToLive"));
    update.erase("TableName");
    made.follow_ups.push_back({"UpdateTimeToLive", std::move(update)});
  }
  DINETTE_TRY(auto recovery, recovery_of(transfer, table));
  if (recovery) made.follow_ups.push_back(*std::move(recovery));
  return made;
}

base::Result<std::vector<TableDefinition>, std::string> server_tables(const Transfer& transfer,
                                                                      std::vector<std::string> names) {
  if (names.empty()) {
    DINETTE_TRY(names, all_tables(transfer));
  }
  std::vector<TableDefinition> tables;
  for (const std::string& name : names) {
    DINETTE_TRY(const auto description, describe_if_there(transfer, name));
    if (!description) return Failure{"there is no table " + name};
    DINETTE_TRY(auto table, definition_of(transfer, name, *description));
    tables.push_back(std::move(table));
  }
  return tables;
}

std::string arn_in(const std::string& description) {
  const auto node = definitions::read_json(description, "");
  return node ? std::string(scalar_of(node->find("Table", "TableArn"))) : "";
}

}  // namespace dinette::app
