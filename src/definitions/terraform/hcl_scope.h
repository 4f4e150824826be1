#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "dinette/definitions/node.h"

#include "hcl_body.h"

namespace dinette::definitions::hcl {

/// Which instance of a resource an expression is evaluated for.
struct Instance {
  std::optional<Node> key;  ///< of `for_each` or `count`
  Node value;               ///< `each.value`

  /// Returns `["x"]`, `[0]` or nothing, as addresses have it.
  std::string address_key() const { return key ? '[' + to_json(*key) + ']' : std::string(); }
};

/// What the names in expressions mean. All blocks are of one module.
struct Scope {
  std::map<std::string, std::string, std::less<>> given;  ///< variables that the user gives
  std::map<std::string_view, const Attribute*> values;    ///< of variables, by files of them
  std::map<std::string_view, const Block*> variables;
  std::map<std::string_view, const Attribute*> locals;
  std::map<std::string, const Block*, std::less<>> resources;  ///< by `type.name`
};

/// A value, or what it will be known by when it is made.
struct Value {
  Node node;
  std::string reference;  ///< `aws_kms_key.main.arn`; empty: the value is known
};

}  // namespace dinette::definitions::hcl
