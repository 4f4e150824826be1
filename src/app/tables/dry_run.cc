#include "app/tables/dry_run.h"

#include <algorithm>
#include <utility>

#include "dinette/definitions/read_node.h"
#include "dinette/http/query_string.h"

#include "app/tables/members.h"

namespace dinette::app {
namespace {

using base::Result;

constexpr int succeeded = 200;
constexpr int refused = 400;

constexpr std::string_view no_table =
    R"({"__type":"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException","message":"Requested resource not found"})";

std::string table_in(std::string_view request) {
  const auto input = definitions::read_json(request, "");
  return input ? std::string(scalar_of(input->find("TableName"))) : "";
}

bool only_reads(std::string_view operation) {
  return operation.starts_with("Describe") || operation.starts_with("List") || operation.starts_with("Get");
}

/// Stands for the part of an ARN that only a stream that exists has.
constexpr std::string_view no_region = ":REGION:ACCOUNT:";

/// Returns the answer about a table that was created, with a stream if anything asks for one.
std::string created_table(const std::string& table) {
  definitions::Node description =
      definitions::Node::map({{"TableStatus", definitions::Node::text("ACTIVE")}});
  description.set("LatestStreamArn", definitions::Node::text("arn:aws:dynamodb" + std::string(no_region) +
                                                             "table/" + table + "/stream/LABEL"));
  return definitions::to_json(definitions::Node::map({{"Table", std::move(description)}}));
}

/// Returns "Table shop.baskets" for an operation about a table of Amazon Keyspaces.
std::string keyspaces_name(const ServiceCall& call) {
  std::string name =
      call.operation.substr(std::min(call.operation.find_first_of("KT"), call.operation.size()));
  const auto input = definitions::read_json(call.body, "");
  if (!input) return name;
  for (const std::string_view member : {"keyspaceName", "typeName", "tableName"}) {
    if (const definitions::Node* const part = input->find(member)) name += ' ' + part->scalar();
  }
  return name;
}

}  // namespace

void DryRun::note(std::string_view operation, const std::string& name) {
  if (operation.starts_with("Create")) created_.insert(name);
  if (operation.starts_with("Delete")) deleted_.insert(name);
}

Result<OperationReply, NoReply> DryRun::read(std::string_view operation, std::string_view request) {
  if (operation == "DescribeTable") {
    const std::string table = table_in(request);
    if (created_.contains(table)) return OperationReply{succeeded, created_table(table)};
    if (real_ == nullptr || deleted_.contains(table)) return OperationReply{refused, std::string(no_table)};
  }
  if (real_ == nullptr) return OperationReply{succeeded, R"({"TableNames":[]})"};
  return real_->call(operation, request);
}

Result<OperationReply, NoReply> DryRun::call(std::string_view operation, std::string_view request) {
  if (only_reads(operation)) return read(operation, request);
  report_({{}, operation, {}, request});
  note(operation, table_in(request));
  return OperationReply{succeeded, "{}"};
}

Result<OperationReply, NoReply> DryRun::read_service(const ServiceCall& call) {
  const std::string name = keyspaces_name(call);
  if (created_.contains(name)) return OperationReply{succeeded, R"({"status":"ACTIVE"})"};
  const bool lists = call.operation.starts_with("List");
  const bool is_new = call.path.find(http::percent_encode(no_region)) != std::string::npos;
  if (lists && (real_ == nullptr || is_new)) return OperationReply{succeeded, "{}"};
  if (real_ == nullptr || deleted_.contains(name)) return OperationReply{refused, std::string(no_table)};
  return real_->call_service(call);
}

Result<OperationReply, NoReply> DryRun::call_service(const ServiceCall& call) {
  if (only_reads(call.operation)) return read_service(call);
  const bool is_rest = call.target.empty();
  report_(
      {call.service, call.operation, is_rest ? std::string_view(call.path) : std::string_view(), call.body});
  if (!is_rest) note(call.operation, keyspaces_name(call));
  return OperationReply{succeeded, "{}"};
}

}  // namespace dinette::app
