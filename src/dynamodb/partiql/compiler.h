#pragma once

#include <string>

#include "dynamodb/partiql/statement.h"

/// The parts of compile(): each turns a part of the syntax tree into what expressions are made of.
namespace dinette::dynamodb::partiql {

/// Converts the literals of a statement, all of them before anything else is looked at, and hands out the
/// slots of its constants.
class Constants {
 public:
  Constants(const Tree& tree, Statement& statement) : tree_(tree), statement_(statement) {}

  /// Converts the node and all below it, in written order.
  Checked<void> convert(NodeId id);
  /// The slot of a literal or parameter.
  expr::Slot slot(NodeId id) const { return static_cast<expr::Slot>(slots_[id]); }

 private:
  void keep(NodeId id, Constant constant);

  const Tree& tree_;
  Statement& statement_;
  std::vector<std::uint32_t> slots_;  ///< by node
};

/// What the compiling of one expression works with.
struct Source {
  const Tree& tree;
  const Constants& constants;
  Statement& statement;

  const std::string& text(const Node& node) const { return tree.token(node).text; }
  std::string place(const Node& node) const { return tree.token(node).position.text(); }
};

/// Names and paths of an expression that is being made.
class Paths {
 public:
  Paths(const Source& source, expr::Parsed& parsed) : source_(source), parsed_(parsed) {}

  /// Returns true for a name or a path of names and positions.
  bool is_path(const Node& node) const;
  Checked<expr::Path> path(const Node& node);
  /// The same, put into the table of paths.
  Checked<expr::Slot> slot(const Node& node);

 private:
  Checked<void> add_step(const Node& step);
  Checked<void> add_name(const std::string& name);

  const Source& source_;
  expr::Parsed& parsed_;
};

/// Returns true if the two paths, of names and positions, are the same.
bool same_path(const Tree& tree, const Node& a, const Node& b);

/// `Incorrect number of operands for operator or function; operator or function: <op>, number of operands:
/// <count>`
base::Failure<std::string> operand_count(std::string_view op, std::size_t count);
base::Failure<std::string> unrecognized(const Source& source, const Node& call);

Checked<expr::ParsedRef> compile_condition(const Source& source, NodeId root);
Checked<expr::ParsedRef> compile_update(const Source& source, const Node& update);
/// The columns of a select list, with their names.
Checked<expr::ParsedRef> compile_columns(const Source& source, const Node& list);

}  // namespace dinette::dynamodb::partiql
