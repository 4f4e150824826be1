#include "module_configuration.h"

#include <utility>

#include "../node_members.h"
#include "resource.h"

namespace dinette::definitions {
namespace {

constexpr int most_followed_modules = 50;
constexpr std::size_t most_references = 100;    // that one attribute leads to
constexpr std::size_t most_steps = 50'000'000;  // for all attributes together

/// Returns the prefix of the module that an address is in: `module.a.module.b.`.
std::string module_prefix(std::string_view address) {
  const std::vector<std::string> parts = parts_of(without_keys(address));
  std::string prefix;
  for (std::size_t at = 0; at + 1 < parts.size() && parts[at] == "module"; at += 2)
    prefix += "module." + parts[at + 1] + '.';
  return prefix;
}

}  // namespace

/// Follows references from module to module.
class ReferenceFollower {
 public:
  explicit ReferenceFollower(ModuleConfiguration& configuration) : configuration_(configuration) {}

  void follow(const Node* expression, const std::string& prefix, int depth) {
    const Node* const references = expression == nullptr ? nullptr : expression->find("references");
    if (references == nullptr || depth > most_followed_modules) return;
    for (const Node& reference : references->elements()) {
      if (++followed_ > most_references || !charge(1)) return;
      one(reference.scalar(), prefix, depth);
    }
  }
  std::vector<std::string> take() { return std::move(found_); }

 private:
  static const Node* look_up(const std::unordered_map<std::string, const Node*>& in, const std::string& key) {
    const auto found = in.find(key);
    return found == in.end() ? nullptr : found->second;
  }

  void one(const std::string& reference, const std::string& prefix, int depth) {
    const std::vector<std::string> parts = parts_of(reference);
    if (parts.size() >= 2 && parts[0] == "var" && !prefix.empty()) {
      argument(parts[1], prefix, depth);
    } else if (parts.size() >= 3 && parts[0] == "module") {
      output(prefix + "module." + without_keys(parts[1]) + '.', without_keys(parts[2]), depth);
    } else {
      found_.push_back(prefix + reference);
    }
  }

  /// A variable of a module is an argument of its call, in the module around it.
  void argument(const std::string& name, const std::string& prefix, int depth) {
    const Node* const call = look_up(configuration_.calls_, prefix);
    const std::size_t around = prefix.rfind("module.", prefix.size() - 2);
    const Node* const arguments = call == nullptr ? nullptr : call->find("expressions");
    if (arguments != nullptr && charge(arguments->members().size()))
      follow(arguments->find(name), prefix.substr(0, around), depth + 1);
  }

  void output(const std::string& prefix, const std::string& name, int depth) {
    const Node* const module = look_up(configuration_.modules_, prefix);
    const Node* const outputs = module == nullptr ? nullptr : module->find("outputs");
    if (outputs != nullptr && charge(outputs->members().size()))
      follow(outputs->find(name, "expression"), prefix, depth + 1);
  }

  bool charge(std::size_t steps) {
    configuration_.steps_ += steps;
    return configuration_.steps_ <= most_steps;
  }

  ModuleConfiguration& configuration_;
  std::vector<std::string> found_;
  std::size_t followed_ = 0;
};

ModuleConfiguration::ModuleConfiguration(const Node* configuration) {
  if (configuration == nullptr) return;
  providers_ = configuration->find("provider_config");
  if (const Node* const root = configuration->find("root_module")) add_module(*root, {});
}

/// Recurses as deep as the file was read.
void ModuleConfiguration::add_module(const Node& module, const std::string& prefix) {
  modules_.emplace(prefix, &module);
  if (const Node* const resources = module.find("resources")) {
    for (const Node& resource : resources->elements())
      resources_.emplace(prefix + text_at(resource, "address"), &resource);
  }
  const Node* const calls = module.find("module_calls");
  if (calls == nullptr) return;
  for (const Node::Member& call : calls->members()) {
    const std::string inner = prefix + "module." + call.key + '.';
    calls_.emplace(inner, &call.value);
    if (const Node* const called = call.value.find("module")) add_module(*called, inner);
  }
}

std::vector<std::string> ModuleConfiguration::references(std::string_view address,
                                                         std::string_view attribute) {
  const auto resource = resources_.find(without_keys(address));
  if (resource == resources_.end()) return {};
  ReferenceFollower follower(*this);
  follower.follow(resource->second->find("expressions", attribute), module_prefix(address), 0);
  return follower.take();
}

std::string ModuleConfiguration::region(std::string_view address) const {
  const auto resource = resources_.find(without_keys(address));
  if (resource == resources_.end() || providers_ == nullptr) return {};
  const Node* const region = providers_->find(text_at(*resource->second, "provider_config_key"),
                                              "expressions", "region", "constant_value");
  return region == nullptr ? std::string() : region->scalar();
}

}  // namespace dinette::definitions
