#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "dinette/definitions/node.h"

namespace dinette::definitions {

/// The member `configuration` of a plan: how values that a plan does not know are written.
class ModuleConfiguration {
 public:
  /// `configuration` may be null. It must outlive this.
  explicit ModuleConfiguration(const Node* configuration);

  /// Returns the addresses, from the root, that the expression of an attribute refers to, followed through
  /// variables and outputs of modules.
  std::vector<std::string> references(std::string_view address, std::string_view attribute);

  /// Returns the constant region of a resource's provider; empty if it is not known.
  std::string region(std::string_view address) const;

 private:
  friend class ReferenceFollower;

  void add_module(const Node& module, const std::string& prefix);

  std::unordered_map<std::string, const Node*> modules_;    ///< by `module.a.module.b.`; the root by nothing
  std::unordered_map<std::string, const Node*> calls_;      ///< by the same
  std::unordered_map<std::string, const Node*> resources_;  ///< by address without keys
  const Node* providers_ = nullptr;
  std::size_t steps_ = 0;  ///< members and references that were looked at, which are limited
};

}  // namespace dinette::definitions
