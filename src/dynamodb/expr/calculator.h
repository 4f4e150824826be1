#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dynamodb/api/limits.h"
#include "dynamodb/expr/path_set.h"
#include "dynamodb/model/value_checks.h"

namespace dinette::dynamodb::expr {

/// Refusals that show only when an update runs; they stand without envelope (facts: README.md).
inline base::Failure<ExpressionError> runtime_error(std::string_view message) {
  return {ExpressionError{std::string(message), true}};
}
inline base::Failure<ExpressionError> wrong_type() {
  return runtime_error("An operand in the update expression has an incorrect data type");
}
inline base::Failure<ExpressionError> missing_attribute() {
  return runtime_error("The provided expression refers to an attribute that does not exist in the item");
}

inline base::Result<model::AttributeValue, ExpressionError> number_result(
    base::Result<model::Number, model::NumberProblem> result) {
  if (result.ok()) return model::AttributeValue(*result);
  return runtime_error(model::message(result.error(), {}, model::Generation::current));
}

/// Operands may be copies of much that is stored, any number of them: once they are more than an item may
/// have, nobody needs the rest.
inline base::Failure<ExpressionError> too_large() {
  return runtime_error(model::update_too_large);
}

/// A value that lies somewhere else or was made here.
class Read {
 public:
  static Read found(const model::AttributeValue& value) {
    Read read;
    read.found_ = &value;
    return read;
  }
  static Read made(model::AttributeValue value) {
    Read read;
    read.made_ = std::move(value);
    return read;
  }

  const model::AttributeValue& operator*() const { return found_ != nullptr ? *found_ : made_; }
  const model::AttributeValue* operator->() const { return &**this; }
  model::AttributeValue take() && { return found_ != nullptr ? *found_ : std::move(made_); }

 private:
  const model::AttributeValue* found_ = nullptr;
  model::AttributeValue made_;
};
using ReadResult = base::Result<Read, ExpressionError>;

/// Computes the right sides of an update's SET actions, always from the old image (facts: expressions.md
/// section 7).
class Calculator {
 public:
  /// Both must outlive the calculator and what it reads.
  Calculator(const PathSet& targets, const model::Item& old);

  /// The value of a node; the depth is at most the number of operators an expression may have.
  ReadResult read(Slot slot) const;

  /// Returns true if the value of a node comes from the item, be it by way of a function or sum.
  bool takes_from_item(Slot slot) const;

 private:
  ReadResult list_append(const ValueNode& node) const;
  ReadResult arithmetic(const ValueNode& node) const;

  const Parsed& parsed_;
  const std::vector<ValueNode>& nodes_;
  const Bindings& bindings_;
  const model::Item& old_;
};

inline Calculator::Calculator(const PathSet& targets, const model::Item& old)
    : parsed_(*targets.parsed),
      nodes_(std::get<UpdateAst>(targets.parsed->form).nodes),
      bindings_(targets.bindings),
      old_(old) {}

inline ReadResult Calculator::read(Slot slot) const {
  const ValueNode& node = nodes_[slot];
  switch (node.op) {
    case ValueOp::path: {
      const model::AttributeValue* value = find(parsed_, bindings_, parsed_.paths[node.a], &old_);
      if (value == nullptr) return missing_attribute();
      return Read::found(*value);
    }
    case ValueOp::value:
      return Read::found(*bindings_.values[node.a]);
    case ValueOp::if_not_exists: {
      const model::AttributeValue* value = find(parsed_, bindings_, parsed_.paths[node.a], &old_);
      return value != nullptr ? ReadResult(Read::found(*value)) : read(node.b);
    }
    case ValueOp::list_append:
      return list_append(node);
    case ValueOp::add:
    case ValueOp::subtract:
      return arithmetic(node);
  }
  return wrong_type();
}

inline bool Calculator::takes_from_item(Slot slot) const {
  const ValueNode& node = nodes_[slot];
  if (node.op == ValueOp::value) return false;
  if (node.op != ValueOp::if_not_exists) return true;
  return find(parsed_, bindings_, parsed_.paths[node.a], &old_) != nullptr || takes_from_item(node.b);
}

inline ReadResult Calculator::list_append(const ValueNode& node) const {
  DINETTE_TRY(Read front, read(node.a));
  DINETTE_TRY(const Read back, read(node.b));
  const auto* tail = back->get_if<model::List>();
  if (front->get_if<model::List>() == nullptr || tail == nullptr) return wrong_type();
  if (model::size_in_bytes(*front) + model::size_in_bytes(*back) > std::size_t{model::limits::item_bytes})
    return too_large();
  model::AttributeValue joined = std::move(front).take();
  model::List& list = joined.get<model::List>();
  list.insert(list.end(), tail->begin(), tail->end());
  return Read::made(std::move(joined));
}

inline ReadResult Calculator::arithmetic(const ValueNode& node) const {
  DINETTE_TRY(const Read left, read(node.a));
  DINETTE_TRY(const Read right, read(node.b));
  const auto* a = left->get_if<model::Number>();
  const auto* b = right->get_if<model::Number>();
  if (a == nullptr || b == nullptr) return wrong_type();
  DINETTE_TRY(model::AttributeValue result,
              number_result(node.op == ValueOp::add ? model::add(*a, *b) : model::subtract(*a, *b)));
  return Read::made(std::move(result));
}

}  // namespace dinette::dynamodb::expr
