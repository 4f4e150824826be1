#include "app/tables/keyspaces_calls.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "dinette/definitions/read_node.h"

#include "app/tables/members.h"

namespace dinette::app {
namespace {

using base::Failure;
using definitions::KeyspacesResource;
using definitions::Node;
using ResourceKind = KeyspacesResource::Kind;

// docs/service-keyspaces/control-plane.md section 1.
constexpr std::string_view keyspaces_target = "KeyspacesService.";
constexpr std::string_view keyspaces_signing_name = "cassandra";
constexpr std::string_view no_such_keyspaces_resource = "ResourceNotFoundException";
constexpr std::chrono::milliseconds keyspaces_interval{100};
constexpr int most_tags = 1000;

bool is_settled(const Node& description) {
  const auto settled = [](const Node* status) { return status == nullptr || status->scalar() == "ACTIVE"; };
  const auto& regions = elements_of(description.find("replicationGroupStatuses"));
  return settled(description.find("status")) && std::ranges::all_of(regions, [&](const Node& region) {
           return settled(region.find("keyspaceStatus"));
         });
}

base::Result<Node, std::string> output_of_keyspaces(const Transfer& transfer, const std::string& operation,
                                                    const Node& input) {
  const auto output = transfer.call(keyspaces_call(operation, input));
  if (!output) return Failure{output.error().message};
  auto node = definitions::read_json(*output, "the output of " + operation);
  if (!node) return Failure{node.error().text()};
  return *std::move(node);
}

}  // namespace

ServiceCall keyspaces_call(std::string operation, const Node& input) {
  ServiceCall call{.service = std::string(keyspaces_signing_name), .operation = std::move(operation)};
  call.target = std::string(keyspaces_target) + call.operation;
  call.body = definitions::to_json(input);
  return call;
}

Node naming(const KeyspacesResource& resource) {
  Node names = Node::map({{"keyspaceName", Node::text(resource.keyspace)}});
  if (resource.kind == ResourceKind::type) names.set("typeName", Node::text(resource.name));
  if (resource.kind == ResourceKind::table) names.set("tableName", Node::text(resource.name));
  return names;
}

std::string operation_about(const KeyspacesResource& resource, const std::string& verb) {
  if (resource.kind == ResourceKind::keyspace) return verb + "Keyspace";
  return verb + (resource.kind == ResourceKind::type ? "Type" : "Table");
}

base::Result<std::optional<Node>, std::string> describe_if_there(const Transfer& transfer,
                                                                 const KeyspacesResource& resource) {
  const auto output = transfer.call(keyspaces_call(operation_about(resource, "Get"), naming(resource)));
  if (!output && output.error().type == no_such_keyspaces_resource) return std::optional<Node>();
  if (!output && output.error().not_served)
    return Failure{std::string("the server does not serve Amazon Keyspaces")};
  if (!output) return Failure{output.error().message};
  auto node = definitions::read_json(*output, "the output of Amazon Keyspaces");
  if (!node) return Failure{node.error().text()};
  return std::optional<Node>(*std::move(node));
}

base::Result<void, std::string> complete_description(const Transfer& transfer,
                                                     const KeyspacesResource& resource, Node& description) {
  if (resource.create.has("tags")) {
    const Node input =
        Node::map({{"resourceArn", Node::text(std::string(scalar_of(description.find("resourceArn"))))},
                   {"maxResults", Node::number(std::to_string(most_tags))}});
    DINETTE_TRY(const Node output, output_of_keyspaces(transfer, "ListTagsForResource", input));
    if (const Node* const tags = output.find("tags")) description.set("tags", *tags);
  }
  constexpr std::string_view scaling = "autoScalingSpecification";
  if (resource.create.has(scaling)) {
    DINETTE_TRY(const Node output,
                output_of_keyspaces(transfer, "GetTableAutoScalingSettings", naming(resource)));
    if (const Node* const found = output.find(scaling)) description.set(scaling, *found);
  }
  return {};
}

base::Result<void, std::string> wait_until_active(const Transfer& transfer,
                                                  const KeyspacesResource& resource) {
  for (;;) {
    DINETTE_TRY(const auto description, describe_if_there(transfer, resource));
    if (description && is_settled(*description)) return {};
    transfer.patience.wait(keyspaces_interval);
  }
}

base::Result<void, std::string> wait_until_gone(const Transfer& transfer, const KeyspacesResource& resource) {
  for (;;) {
    DINETTE_TRY(const auto description, describe_if_there(transfer, resource));
    if (!description) return {};
    transfer.patience.wait(keyspaces_interval);
  }
}

}  // namespace dinette::app
