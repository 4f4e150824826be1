#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/definitions/node.h"

namespace dinette::definitions {

/// A resource of Terraform with what is known of it. Its values may be secrets, so messages have only its
/// address, and names of tables and attributes.
struct Resource {
  std::string address;  ///< `module.audit.aws_dynamodb_table.this[0]`
  std::string type;     ///< `aws_dynamodb_table`
  Node values;          ///< attributes; blocks are lists of maps
  /// By attribute, what its value refers to: addresses from the root, perhaps with attributes of these.
  std::map<std::string, std::vector<std::string>, std::less<>> references;
  std::string region;  ///< empty: not known
  Place place;
};

/// The commands that make what is known of a configuration only by evaluating it.
inline constexpr std::string_view plan_commands =
    "terraform plan -out plan && terraform show -json plan > plan.json";

/// Returns true for the types of resources that may be read.
bool may_be_read(std::string_view type);

/// Returns the address without the keys of instances: `module.a["x"].t.n[0]` becomes `module.a.t.n`.
std::string without_keys(std::string_view address);

/// Returns the key of the address's last part with its brackets, `["x"]` or `[0]`; empty if it has none.
std::string_view key_of_instance(std::string_view address);

/// Returns the names of an address's parts, split at dots that are not within keys.
std::vector<std::string> parts_of(std::string_view address);

/// Returns the value of the first element of a block; null if there is none.
const Node* block_of(const Node& values, std::string_view name);

/// Returns the region that the attributes of a resource tell, by `region` or `arn`; empty if they do not.
std::string region_of_values(const Node& values);

/// Returns the values of a state without warm throughput, which states have also where none is configured.
Node without_warm_throughput(Node values);

}  // namespace dinette::definitions
