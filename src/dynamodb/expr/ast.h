#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "dynamodb/expr/placeholders.h"

/// The parsed forms. They hold no pointers but positions in flat tables, so that a parsed expression is a
/// handful of allocations, never recursive to destroy, and the names and values of a request are two separate
/// arrays.
namespace dinette::dynamodb::expr {

/// Position in one of the tables; an expression of 4096 bytes cannot fill it.
using Slot = std::uint16_t;

/// A name written in the text, or the `#placeholder` of one.
struct Name {
  std::string text;
  bool placeholder;
};

struct PathElement {
  bool index;            // a list position, else a name
  std::uint32_t number;  // the position, or the name's slot
};
struct Path {
  Slot first;  // in Parsed::elements
  Slot count;  // at least one
};

/// What a condition compares.
struct Operand {
  enum class Kind : std::uint8_t {
    path,
    value,
    size_of_path,
    size_of_value,
    condition,  // BOOL: what a condition comes to, as PartiQL may compare it
  };
  Kind kind = Kind::path;
  Slot slot = 0;  // in Parsed::paths, Parsed::values or ConditionAst::nodes
};

enum class ConditionOp : std::uint8_t {
  logical_and,  // a, b: nodes
  logical_or,
  logical_not,  // a: node
  equal,        // a: the first of two operands; likewise below
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  between,           // three operands
  in,                // b: how many operands, the first being what is looked for
  attribute_exists,  // one operand
  attribute_not_exists,
  attribute_type,  // two operands
  begins_with,
  contains,
};

struct ConditionNode {
  ConditionOp op;
  Slot a = 0;
  Slot b = 0;
};

/// A condition, filter or key condition. Children come before their parents; the root is the last node.
struct ConditionAst {
  std::vector<ConditionNode> nodes;
  std::vector<Operand> operands;
};

enum class ValueOp : std::uint8_t {
  path,           // a: path
  value,          // a: value
  add,            // a, b: nodes
  subtract,       // a, b: nodes
  if_not_exists,  // a: path, b: node
  list_append,    // a, b: nodes
};

struct ValueNode {
  ValueOp op;
  Slot a = 0;
  Slot b = 0;
};

enum class Clause : std::uint8_t { set, remove, add, erase };

struct Action {
  Clause clause;
  Slot value = 0;  // SET: node; ADD, DELETE: value
};

/// An update; action i writes to target i.
struct UpdateAst {
  std::vector<Action> actions;
  std::vector<ValueNode> nodes;
};

struct ProjectionAst {};

struct Parsed {
  Kind kind;
  std::vector<Name> names;          // each text once, in order of first appearance
  std::vector<std::string> values;  // `:placeholders`, likewise
  std::vector<PathElement> elements;
  std::vector<Path> paths;
  std::vector<Path> targets;  // of an update or projection, in written order
  std::variant<ConditionAst, UpdateAst, ProjectionAst> form;

  /// Bytes of memory, roughly.
  std::size_t footprint() const;
};

}  // namespace dinette::dynamodb::expr
