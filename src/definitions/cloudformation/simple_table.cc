#include "simple_table.h"

#include <string>
#include <string_view>
#include <utility>

namespace dinette::definitions::cloudformation {
namespace {

/// Returns S of "String"; empty for what SAM does not take.
std::string attribute_type(const std::string& type) {
  if (type == "String") return "S";
  if (type == "Number") return "N";
  return type == "Binary" ? "B" : "";
}

bool refuse_key(const NamedResource& table, const std::string& reason, Definitions& to) {
  to.errors.push_back({table.place, "table \"" + table.name + "\": PrimaryKey " + reason});
  return false;
}

bool convert_key(NamedResource& table, Definitions& to) {
  std::string name = "id";
  std::string type = "S";
  if (const Node* const key = table.properties.find("PrimaryKey")) {
    const Node* const given_name = key->find("Name");
    const Node* const given_type = key->find("Type");
    if (given_name == nullptr || given_type == nullptr) return refuse_key(table, "needs Name and Type", to);
    name = given_name->scalar();
    type = attribute_type(given_type->scalar());
    if (type.empty())
      return refuse_key(table, "has the Type \"" + given_type->scalar() + "\", not String, Number or Binary",
                        to);
    table.properties.erase("PrimaryKey");
  }
  const Node attribute = Node::text(std::move(name));
  Node element = Node::map({{"AttributeName", attribute}, {"KeyType", Node::text("HASH")}});
  Node definition = Node::map({{"AttributeName", attribute}, {"AttributeType", Node::text(std::move(type))}});
  table.properties.set("KeySchema", Node::list({std::move(element)}));
  table.properties.set("AttributeDefinitions", Node::list({std::move(definition)}));
  return true;
}

/// SAM has a map of tags, the service a list.
void convert_tags(Node& properties) {
  const Node* const tags = properties.find("Tags");
  if (tags == nullptr || !tags->is_map()) return;
  Node list = Node::list();
  for (const Node::Member& tag : tags->members()) {
    list.append(Node::map({{"Key", Node::text(tag.key)}, {"Value", tag.value}}));
  }
  properties.set("Tags", std::move(list));
}

/// Adds the encryption that Globals have; the table's own members win.
void merge_encryption(const Node& globals, Node& properties) {
  constexpr std::string_view name = "SSESpecification";
  const Node* const of_globals = globals.find(name);
  if (of_globals == nullptr) return;
  const Node* const own = properties.find(name);
  Node merged = Node::map();
  for (const std::string_view member : {"SSEEnabled", "SSEType", "KMSMasterKeyId"}) {
    const Node* value = own == nullptr ? nullptr : own->find(member);
    if (value == nullptr) value = of_globals->find(member);
    if (value != nullptr) merged.set(member, *value);
  }
  properties.set(name, std::move(merged));
}

}  // namespace

bool convert_simple_table(NamedResource& table, const Node* globals, Definitions& to) {
  if (!convert_key(table, to)) return false;
  if (globals != nullptr) merge_encryption(*globals, table.properties);
  convert_tags(table.properties);
  if (!table.properties.has("ProvisionedThroughput"))
    table.properties.set("BillingMode", Node::text("PAY_PER_REQUEST"));
  return true;
}

}  // namespace dinette::definitions::cloudformation
