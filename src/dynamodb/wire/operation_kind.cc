#include "dynamodb/wire/operation_kind.h"

#include <algorithm>
#include <array>
#include <utility>

namespace dinette::dynamodb::wire {
namespace {

using Named = std::pair<std::string_view, OperationKind>;

constexpr OperationKind of_stream{};
constexpr OperationKind read{.data = true};
constexpr OperationKind write{.data = true, .writes = true};
constexpr OperationKind table_change{.control = true, .changes_table = true};

/// Those that are not of the control plane alone.
constexpr std::array<Named, 20> kinds = {{
    {"BatchExecuteStatement", {.data = true, .writes = true, .batch = true}},
    {"BatchGetItem", {.data = true, .batch = true}},
    {"BatchWriteItem", {.data = true, .writes = true, .batch = true}},
    {"CreateTable", table_change},
    {"DeleteItem", write},
    {"DeleteTable", table_change},
    {"DescribeStream", of_stream},
    {"ExecuteStatement", write},
    {"ExecuteTransaction", {.data = true, .writes = true, .transaction = true}},
    {"GetItem", read},
    {"GetRecords", of_stream},
    {"GetShardIterator", of_stream},
    {"ListStreams", of_stream},
    {"PutItem", write},
    {"Query", read},
    {"Scan", read},
    {"TransactGetItems", {.data = true, .transaction = true}},
    {"TransactWriteItems", {.data = true, .writes = true, .transaction = true}},
    {"UpdateItem", write},
    {"UpdateTable", table_change},
}};

}  // namespace

OperationKind kind_of(std::string_view operation) {
  const auto* const found = std::ranges::find(kinds, operation, &Named::first);
  return found == kinds.end() ? OperationKind{.control = true} : found->second;
}

}  // namespace dinette::dynamodb::wire
