#pragma once

#include <cstddef>
#include <span>

#include "dynamodb/expr/binder.h"
#include "dynamodb/expr/document.h"

namespace dinette::dynamodb::expr {

/// Sorts the targets of `parsed` whose names are all bound, and refuses two that overlap or conflict,
/// whichever pair comes first in written order (docs/service/expressions.md sections 2 and 6).
base::Result<PathSet, ExpressionError> arrange_targets(ParsedRef parsed, Bindings bindings);

/// A run of targets that agree in their first `depth` steps.
struct TargetRun {
  const PathSet* set;
  std::span<const std::uint16_t> targets;
  std::size_t depth;

  static TargetRun all(const PathSet& set) { return {&set, {set.order.data(), set.order.size()}, 0}; }

  Step step() const { return expr::step(*set->parsed, set->bindings, path(), depth); }
  Path path() const { return set->parsed->targets[targets.front()]; }
  /// Returns true if the run is one target that ends here: then it has no part deeper down, since targets
  /// never overlap.
  bool ends() const { return path().count == depth; }
  std::size_t target() const { return targets.front(); }

  /// The first part of the run whose members agree in their next step too, one step deeper; the run loses it.
  TargetRun take_group();

  /// The run, whose next steps are names, loses those before `name`.
  void skip_before(std::string_view name);
};

/// The parts of `item` that the targets select, nesting kept, list elements closed up in ascending order.
model::Item select(const PathSet& targets, const model::Item& item);

}  // namespace dinette::dynamodb::expr
