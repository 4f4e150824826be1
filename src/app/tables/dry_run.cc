#include "app/tables/dry_run.h"

#include <utility>

#include "dinette/definitions/read_node.h"

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
  return operation.starts_with("Describe") || operation.starts_with("List");
}

}  // namespace

Result<OperationReply, NoReply> DryRun::read(std::string_view operation, std::string_view request) {
  if (operation == "DescribeTable") {
    const std::string table = table_in(request);
    if (created_.contains(table)) return OperationReply{succeeded, R"({"Table":{"TableStatus":"ACTIVE"}})"};
    if (real_ == nullptr || deleted_.contains(table)) return OperationReply{refused, std::string(no_table)};
  }
  if (real_ == nullptr) return OperationReply{succeeded, R"({"TableNames":[]})"};
  return real_->call(operation, request);
}

Result<OperationReply, NoReply> DryRun::call(std::string_view operation, std::string_view request) {
  if (only_reads(operation)) return read(operation, request);
  report_(operation, request);
  if (operation == "CreateTable") created_.insert(table_in(request));
  if (operation == "DeleteTable") deleted_.insert(table_in(request));
  return OperationReply{succeeded, "{}"};
}

}  // namespace dinette::app
