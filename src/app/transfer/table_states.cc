#include "app/transfer/table_states.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "dinette/definitions/read_node.h"

namespace dinette::app {
namespace {

using base::Failure;
using definitions::Node;

constexpr std::string_view not_found = "ResourceNotFoundException";
constexpr std::chrono::milliseconds state_interval{100};
/// Those that are made and deleted while their table stays.
constexpr std::array<std::string_view, 2> kinds_of_indexes{"GlobalSecondaryIndexes", "VectorIndexes"};

bool is_active(const Node* status) {
  return status == nullptr || status->scalar() == "ACTIVE";
}

/// `description`: the output of DescribeTable.
bool has_settled(const Node& description) {
  const Node* const table = description.find("Table");
  if (table == nullptr || !table->has("TableStatus") || !is_active(table->find("TableStatus"))) return false;
  return std::ranges::all_of(kinds_of_indexes, [table](std::string_view kind) {
    const Node* const indexes = table->find(kind);
    return indexes == nullptr || std::ranges::all_of(indexes->elements(), [](const Node& index) {
             return is_active(index.find("IndexStatus"));
           });
  });
}

}  // namespace

base::Result<std::optional<std::string>, std::string> describe_if_there(const Transfer& transfer,
                                                                        const std::string& table) {
  auto described = transfer.call("DescribeTable", naming(table));
  if (described) return std::optional(std::move(described).value());
  if (described.error().type == not_found) return std::optional<std::string>();
  return Failure{described.error().message};
}

base::Result<void, std::string> wait_until_active(const Transfer& transfer, const std::string& table) {
  for (;;) {
    const auto output = transfer.call("DescribeTable", naming(table));
    if (!output) return Failure{output.error().message};
    const auto description = definitions::read_json(*output, "the output of DescribeTable");
    if (!description) return Failure{description.error().text()};
    if (has_settled(*description)) return {};
    transfer.patience.wait(state_interval);
  }
}

base::Result<void, std::string> wait_until_gone(const Transfer& transfer, const std::string& table) {
  for (;;) {
    DINETTE_TRY(const auto description, describe_if_there(transfer, table));
    if (!description) return {};
    transfer.patience.wait(state_interval);
  }
}

}  // namespace dinette::app
