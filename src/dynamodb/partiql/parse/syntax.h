#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <boost/container/small_vector.hpp>

#include "dynamodb/partiql/parse/lexer.h"

namespace dinette::dynamodb::partiql {

/// Position of a node in Tree::nodes.
using NodeId = std::uint32_t;

enum class NodeKind : std::uint8_t {
  name,
  string,
  number,  // negated: written with a minus in front
  boolean,
  null,
  missing,
  parameter,
  list,
  bag,
  structure,  // children: members
  member,     // key, value
  unary,      // token: the operator; one child
  binary,     // token: the operator; two children
  between,    // token: `between` or `not_between`; three children
  is_type,    // token: `is` or `is_not`; children: operand, type
  type,
  path,  // children: a name, steps
  step_name,
  step_index,  // child: an expression
  step_wildcard,
  call,       // token: the name; children: arguments
  call_star,  // COUNT(*)
  alias,      // child: what has it
  join,
  unsupported,  // a clause that parses and is refused; token: where it is said to be; `word`: its keyword
  select,       // children: select_list or select_all, source, then where, order_by, unsupported
  select_all,
  select_list,
  where,
  order_by,           // children: sort
  sort,               // child: an expression; negated: DESC
  update,             // children: target, then set, remove, insert, where, returning
  erase,              // DELETE: target, then where, returning
  insert,             // target, value; then unsupported, returning
  set,                // children: assignments
  assignment,         // target, value
  remove,             // child: target
  returning,          // children: returning_element
  returning_element,  // token: the pair of words; child: select_all or an expression
};

struct Node {
  NodeKind kind = NodeKind::null;
  std::uint32_t token = 0;  ///< in Tree::tokens
  bool negated = false;
  std::uint16_t ordinal = 0;  ///< of a parameter, from 0
  std::uint32_t word = 0;     ///< token
  boost::container::small_vector<NodeId, 3> children = {};
};

/// A statement as its grammar has it. Flat, so that no depth of nesting makes its destruction recursive.
struct Tree {
  std::vector<Token> tokens;
  std::vector<Node> nodes;
  NodeId root = 0;
  std::uint16_t parameters = 0;

  const Node& at(NodeId id) const { return nodes[id]; }
  const Token& token(const Node& node) const { return tokens[node.token]; }
  const Node& child(const Node& node, std::size_t index) const { return nodes[node.children[index]]; }
};

}  // namespace dinette::dynamodb::partiql
