#pragma once

#include <deque>
#include <string_view>
#include <vector>

#include "dinette/definitions/node.h"

#include "hcl_body.h"

namespace dinette::definitions::hcl {

/// Blocks and attributes of a configuration in Terraform's JSON syntax. They refer to the file's values,
/// which must outlive them.
class JsonBody {
 public:
  /// Reads the blocks of a configuration that matter here: resources, variables, locals, providers, modules.
  static JsonBody configuration(const Node& root);
  /// Reads values of variables.
  static JsonBody values(const Node& root);

  const Body& body() const { return body_; }

 private:
  struct Context {
    bool has_blocks = false;     ///< objects are blocks and not values
    std::string_view bare = {};  ///< the attribute whose text is an expression
  };

  void add_blocks(std::string_view type, int labels_left, const Node& from,
                  const std::vector<std::string_view>& labels, const Context& context, Body& to);
  Body body_of(const Node& from, const Context& context);
  std::vector<Token> expression_of(const Node::Member& member, const Context& context);

  Body body_;
  std::deque<std::vector<Token>> expressions_;
};

}  // namespace dinette::definitions::hcl
