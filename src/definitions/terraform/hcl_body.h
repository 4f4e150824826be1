#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "hcl_tokens.h"

namespace dinette::definitions::hcl {

struct Block;

/// `name = expression`. The expression is read only where its value is needed.
struct Attribute {
  std::string_view name;
  std::span<const Token> expression;
  unsigned line;
};

struct Body {
  std::vector<Attribute> attributes;
  std::vector<Block> blocks;

  /// Returns the attribute of that name, or null.
  const Attribute* find(std::string_view name) const;
};

/// `type "label" { ... }`.
struct Block {
  std::string_view type;
  std::vector<std::string_view> labels;
  Body body;
  unsigned line;
};

/// Reads the blocks and attributes of a configuration. The tokens must outlive them.
base::Result<Body, SyntaxError> body_of(std::span<const Token> tokens);

}  // namespace dinette::definitions::hcl
