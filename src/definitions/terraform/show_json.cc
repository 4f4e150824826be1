#include <utility>

#include "../node_members.h"
#include "module_configuration.h"
#include "read_resources.h"
#include "terraform.h"

namespace dinette::definitions {
namespace {

/// Returns the module that the resources of a plan or a state are in; null if there is none.
const Node* root_module(const Node& root) {
  const Node* const planned = root.find("planned_values", "root_module");
  return planned != nullptr ? planned : root.find("values", "root_module");
}

bool is_shown(const Node& root) {
  return root.has("format_version") && (root.has("planned_values") || root.has("values"));
}

/// Attributes of which it matters what they refer to.
constexpr std::string_view linking_attributes[] = {"event_source_arn", "function_name", "table_name",
                                                   "resource_arn",     "table_arn",     "global_table_arn",
                                                   "keyspace_name"};

/// Collects the resources of a module and of those in it.
class ShownResources {
 public:
  explicit ShownResources(const Node& root)
      : configuration_(root.find("configuration")), is_plan_(root.has("planned_values")) {}

  void module(const Node& module) {
    if (const Node* const resources = module.find("resources")) {
      for (const Node& resource : resources->elements()) one(resource);
    }
    if (const Node* const children = module.find("child_modules")) {
      for (const Node& child : children->elements()) this->module(child);  // as deep as the file was read
    }
  }
  const std::vector<Resource>& resources() const { return resources_; }

 private:
  void one(const Node& from) {
    const Node* const values = from.find("values");
    const std::string type = text_at(from, "type");
    if (text_at(from, "mode") == "data" || values == nullptr || !may_be_read(type)) return;
    if (resources_.size() > most_resources) return;
    Resource resource;
    resource.address = text_at(from, "address");
    resource.type = type;
    resource.values = is_plan_ ? *values : without_warm_throughput(*values);
    resource.place = from.place();
    resource.region = region_of(resource);
    for (const std::string_view attribute : linking_attributes) {
      if (is_set_at(*values, attribute)) continue;
      auto references = configuration_.references(resource.address, attribute);
      if (!references.empty()) resource.references.emplace(attribute, std::move(references));
    }
    resources_.push_back(std::move(resource));
  }

  std::string region_of(const Resource& resource) {
    const std::string region = region_of_values(resource.values);
    return region.empty() ? configuration_.region(resource.address) : region;
  }

  ModuleConfiguration configuration_;
  const bool is_plan_;
  std::vector<Resource> resources_;
};

void read_shown(const Node& root, const Input& input, Definitions& to) {
  const Node& version = *root.find("format_version");
  // 0.1 and 0.2 are those of Terraform before 1.1, which have the same members.
  if (!version.scalar().starts_with("1.") && !version.scalar().starts_with("0.")) {
    to.errors.push_back(
        {version.place(), "format_version " + version.scalar() + " is not known, only 0 and 1"});
    return;
  }
  if (text_at(root, "errored") == "true")
    to.warnings.push_back({root.place(), "the plan has an error, so it may be incomplete"});
  const Node* const module = root_module(root);
  if (module == nullptr) return;  // nothing is planned
  ShownResources shown(root);
  shown.module(*module);
  read_resources(shown.resources(), input, to);
}

}  // namespace

constinit const Format terraform_json_format = {"a plan or state of terraform show -json", is_shown,
                                                read_shown};

}  // namespace dinette::definitions
