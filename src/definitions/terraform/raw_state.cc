#include <string>
#include <utility>

#include "../node_members.h"
#include "read_resources.h"
#include "terraform.h"

namespace dinette::definitions {
namespace {

bool is_raw_state(const Node& root) {
  const Node* const resources = root.find("resources");
  return root.has("version") && resources != nullptr && resources->is_list() &&
         (root.has("terraform_version") || root.has("lineage") || root.has("serial"));
}

/// Returns `[0]` or `["x"]`; empty if an instance has no key.
std::string key_of_state(const Node& instance) {
  const Node* const key = instance.find("index_key");
  return key == nullptr || key->is_null() ? std::string() : '[' + to_json(*key) + ']';
}

void add_instances(const Node& from, std::vector<Resource>& resources) {
  const Node* const instances = from.find("instances");
  const std::string module = text_at(from, "module");
  if (text_at(from, "mode") == "data" || instances == nullptr) return;
  for (const Node& instance : instances->elements()) {
    const Node* const attributes = instance.find("attributes");
    if (attributes == nullptr) continue;
    Resource resource;
    resource.type = text_at(from, "type");
    resource.address = (module.empty() ? "" : module + '.') + resource.type + '.' + text_at(from, "name") +
                       key_of_state(instance);
    resource.values = without_warm_throughput(*attributes);
    resource.place = from.place();
    resource.region = region_of_values(resource.values);
    resources.push_back(std::move(resource));
  }
}

void read_raw_state(const Node& root, const Input& input, Definitions& to) {
  const Node& version = *root.find("version");
  if (version.scalar() != "4") {
    to.errors.push_back({version.place(), "version " + version.scalar() +
                                              " of a state is not known, only 4; run terraform show -json"});
    return;
  }
  std::vector<Resource> resources;
  for (const Node& resource : root.find("resources")->elements()) {
    const std::string type = text_at(resource, "type");
    if (may_be_read(type)) add_instances(resource, resources);
  }
  read_resources(resources, input, to);
}

}  // namespace

constinit const Format terraform_state_format = {"a state of Terraform", is_raw_state, read_raw_state};

}  // namespace dinette::definitions
