#include "dynamodb/api/examples.h"

#include <algorithm>
#include <set>

#include <catch2/catch.hpp>

#include "support/tables.h"

// The examples of api-specs/dynamodb/operations, each on a fresh server with one table.
namespace test::examples_test {

namespace api = dinette::dynamodb::api;

namespace {

/// Returns true if `answer` has everything that `part` has: members of objects at any depth; lists whole.
bool contains(const Json& answer, const Json& part) {
  if (!part.is_object() || !answer.is_object()) return answer == part;
  return std::ranges::all_of(part.items(), [&](const auto& member) {
    return answer.contains(member.key()) && contains(answer.at(member.key()), member.value());
  });
}

}  // namespace

TEST_CASE("every example of the specs is answered as it says", "[own engine]") {
  for (const api::Example& example : api::examples) {
    DynamoDb db;
    create_music(db);
    const Reply reply = db.call(example.operation, example.request);
    INFO(example.operation << ", " << example.title << ": " << example.request << " -> " << reply.body);
    CHECK(reply.status == example.status);
    const Json answer = reply.body.empty() ? Json::object() : reply.json();
    CHECK(contains(answer, Json::parse(example.answer)));
  }
}

TEST_CASE("every served operation has an example that succeeds") {
  // These need a backup, an export, an import, a bulk operation, a destination, a policy, a global table, a
  // vector index, or a table with recovery, which only another request makes: tests/dynamodb/access, backups,
  // bulk, deliveries, exports, imports, replicas and vectors.
  std::set<std::string_view> shown = {"CancelBulkOperation",
                                      "CreateGlobalTable",
                                      "DeleteBackup",
                                      "DescribeBackup",
                                      "DescribeBulkOperation",
                                      "DescribeExport",
                                      "DescribeGlobalTable",
                                      "DescribeGlobalTableSettings",
                                      "DescribeImport",
                                      "DescribeTableReplicaAutoScaling",
                                      "DisableKinesisStreamingDestination",
                                      "ExportTableToPointInTime",
                                      "GetResourcePolicy",
                                      "RestoreTableFromBackup",
                                      "RestoreTableToPointInTime",
                                      "SearchVectors",
                                      "UpdateGlobalTable",
                                      "UpdateGlobalTableSettings",
                                      "UpdateKinesisStreamingDestination",
                                      "UpdateTableReplicaAutoScaling"};
  for (const api::Example& example : api::examples) {
    if (example.status == 200) shown.insert(example.operation);
  }
  for (const auto& operation : api::specified_operations) {
    INFO(operation.target);
    if (operation.served) CHECK(shown.contains(operation.target.substr(operation.target.find('.') + 1)));
  }
}

}  // namespace test::examples_test
