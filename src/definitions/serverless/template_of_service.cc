#include "template_of_service.h"

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "../cloudformation/resource_types.h"
#include "../node_members.h"

namespace dinette::definitions::serverless {
namespace {

void merge_into(Node& to, const Node& from) {
  if (!to.is_map() || !from.is_map()) {
    to = from;
    return;
  }
  std::unordered_map<std::string_view, const Node*> added;
  for (const Node::Member& member : from.members()) added.emplace(member.key, &member.value);
  for (Node::Member& member : to.members()) {
    const auto same = added.find(member.key);
    if (same == added.end()) continue;
    merge_into(member.value, *same->second);
    added.erase(same);
  }
  for (const Node::Member& member : from.members()) {
    if (added.contains(member.key)) to.members().push_back(member);
  }
}

/// Returns true for a resource of which a table, or something of Keyspaces, is made.
bool is_made(std::string_view type) {
  return cloudformation::is_table_type(type) || cloudformation::is_keyspaces_type(type);
}

/// Gathers the parts of a template from all documents that `resources` has.
class TemplateMaker {
 public:
  TemplateMaker(Variables& variables, Definitions& to) : variables_(variables), to_(to) {}

  void add(const Node& document) {
    const Node* const written = look(document, "resources");
    if (written == nullptr) return;
    for (const Node& element : written->elements()) add_document(element);
    if (written->is_map()) add_sections(*written);
  }

  Node take() {
    extend();
    return std::move(template_);
  }

 private:
  void add_document(const Node& element) {
    const Node* const document = look(element, "resources");
    if (document != nullptr && document->is_map()) add_sections(*document);
  }

  void add_sections(const Node& document) {
    for (const Node::Member& section : document.members()) {
      if (section.key == "Resources") {
        add_resources(section.value);
      } else if (section.key == "extensions") {
        add_resolved(section.value, extensions_);
      } else {
        Node resolved = Node::map();
        add_resolved(section.value, resolved);
        if (!template_.has(section.key)) template_.set(section.key, Node::map());
        merge_into(*template_.find(section.key), resolved);
      }
    }
  }

  /// What is not of a table may have variables that have no value here.
  void add_resolved(const Node& section, Node& to) {
    auto resolved = variables_.resolve(section);
    if (resolved) merge_into(to, *resolved);
  }

  void add_resources(const Node& section) {
    const Node* const resources = look(section, "Resources");
    if (resources == nullptr) return;
    for (const Node::Member& member : resources->members()) add_resource(member.key, member.value);
  }

  void add_resource(const std::string& id, const Node& written) {
    const Node* const resource = look(written, "resource \"" + id + '"');
    if (resource == nullptr) return;
    auto resolved = variables_.resolve(*resource);
    if (resolved) {
      Node& all = resources();
      if (all.members().size() >= most_resources) return too_many(written);
      if (!all.has(id)) all.set(id, Node::map());
      merge_into(*all.find(id), *resolved);
      if (!all.find(id)->place().file) all.find(id)->set_place(resolved->place());
    } else if (const std::string type = text_at(*resource, "Type"); is_made(type)) {
      const std::string kind(cloudformation::kind_of_resource(type));
      to_.errors.push_back({resource->place(), kind + " \"" + id + "\": " + resolved.error()});
    } else if (type == cloudformation::mapping_type) {
      to_.warnings.push_back({resource->place(), "trigger \"" + id + "\" is left out: " + resolved.error()});
    }
  }

  void too_many(const Node& resource) {
    if (!too_many_)
      to_.errors.push_back(
          {resource.place(), "there are more than " + std::to_string(most_resources) + " resources"});
    too_many_ = true;
  }

  Node& resources() {
    if (!template_.has("Resources")) template_.set("Resources", Node::map());
    return *template_.find("Resources");
  }

  void extend() {
    for (const Node::Member& extension : extensions_.members()) {
      if (Node* const resource = resources().find(extension.key)) merge_into(*resource, extension.value);
    }
  }

  /// Returns what a value means, or null and an error.
  const Node* look(const Node& value, const std::string& what) {
    auto found = variables_.look(value);
    if (found) return *found;
    to_.errors.push_back({value.place(), what + ": " + found.error()});
    return nullptr;
  }

  Variables& variables_;
  Definitions& to_;
  Node template_ = Node::map();
  Node extensions_ = Node::map();
  bool too_many_ = false;
};

}  // namespace

Node template_of(const Node& service, Variables& variables, Definitions& to) {
  TemplateMaker maker(variables, to);
  if (const Node* const resources = service.find("resources")) maker.add(*resources);
  return maker.take();
}

}  // namespace dinette::definitions::serverless
