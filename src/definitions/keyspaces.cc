#include "keyspaces.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "dinette/base/ascii.h"

namespace dinette::definitions {
namespace {

using Kind = KeyspacesResource::Kind;

// docs/service-keyspaces/control-plane.md section 2.
constexpr std::size_t longest_keyspaces_name = 48;

bool may_be_in_keyspaces_name(char c) {
  return base::is_letter(c) || base::is_digit(c) || c == '_';
}

bool is_keyspaces_name(std::string_view name) {
  return !name.empty() && name.size() <= longest_keyspaces_name && name.front() != '_' &&
         std::ranges::all_of(name, may_be_in_keyspaces_name);
}

std::string_view kind_for_messages(Kind kind) {
  switch (kind) {
    case Kind::keyspace:
      return "keyspace";
    case Kind::type:
      return "Keyspaces type";
    case Kind::table:
      return "Keyspaces table";
  }
  return {};
}

/// Returns the member that the operation needs besides names, and what messages call it.
std::pair<std::string_view, std::string_view> needed_member(Kind kind) {
  if (kind == Kind::type) return {"fieldDefinitions", "fields"};
  if (kind == Kind::table) return {"schemaDefinition", "schema"};
  return {};
}

void settle_names(KeyspacesResource& resource) {
  if (resource.kind == Kind::keyspace) resource.keyspace = resource.name;
  if (resource.kind == Kind::type)
    std::ranges::transform(resource.name, resource.name.begin(), base::to_lower);
  resource.create.set("keyspaceName", Node::text(resource.keyspace));
  if (resource.kind == Kind::type) resource.create.set("typeName", Node::text(resource.name));
  if (resource.kind == Kind::table) resource.create.set("tableName", Node::text(resource.name));
  if (resource.id.empty()) resource.id = resource.full_name();
}

/// Returns why it cannot be made; empty if it can.
std::string reason_against_resource(const KeyspacesResource& resource, const Definitions& to) {
  if (resource.keyspace.empty() && resource.kind != Kind::keyspace) return " has no keyspace";
  for (const std::string& name : {resource.keyspace, resource.name}) {
    if (!is_keyspaces_name(name))
      return ": \"" + name + "\" is no name of 1 to 48 of the characters a-z, A-Z, 0-9 and _, the first no _";
  }
  const auto [member, its_name] = needed_member(resource.kind);
  if (!member.empty() && !resource.create.has(member)) return " has no " + std::string(its_name);
  const auto same = to.keyspaces_positions.find(keyspaces_key(resource));
  if (same == to.keyspaces_positions.end()) return {};
  const std::string other = to.keyspaces[same->second].place.text();
  return " is defined twice" + (other.empty() ? "" : ", also at " + other);
}

}  // namespace

std::string keyspaces_key(const KeyspacesResource& resource) {
  return std::string(kind_for_messages(resource.kind)) + ' ' + resource.full_name();
}

std::string label_of(const KeyspacesResource& resource) {
  return std::string(kind_for_messages(resource.kind)) + " \"" + resource.full_name() + '"';
}

void add_keyspaces_resource(KeyspacesResource resource, Definitions& to) {
  settle_names(resource);
  if (std::string reason = reason_against_resource(resource, to); !reason.empty()) {
    to.errors.push_back({resource.place, label_of(resource) + reason});
  } else {
    to.keyspaces_positions.emplace(keyspaces_key(resource), to.keyspaces.size());
    to.keyspaces.push_back(std::move(resource));
  }
}

void share_client_side_timestamps(Definitions& definitions) {
  std::unordered_set<std::string_view> keyspaces;
  for (const KeyspacesResource& resource : definitions.keyspaces) {
    if (resource.client_side_timestamps) keyspaces.insert(resource.keyspace);
  }
  for (KeyspacesResource& resource : definitions.keyspaces) {
    if (resource.kind == Kind::table && keyspaces.contains(resource.keyspace))
      resource.create.set("clientSideTimestamps", Node::map({{"status", Node::text("ENABLED")}}));
  }
}

}  // namespace dinette::definitions
