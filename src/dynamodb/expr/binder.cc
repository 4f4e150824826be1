#include "dynamodb/expr/binder.h"

#include "dinette/base/base64.h"

#include "dynamodb/expr/document.h"

namespace dinette::dynamodb::expr {

using model::Type;

base::Failure<ExpressionError> invalid(Kind kind, std::string_view problem) {
  std::string message = "Invalid ";
  message += member_name(kind);
  message += ": ";
  message += problem;
  return {ExpressionError{std::move(message)}};
}

base::Failure<ExpressionError> incorrect_operand_type(Kind kind, std::string_view op, std::string_view type) {
  return invalid(kind, "Incorrect operand type for operator or function; operator or function: " +
                           std::string(op) + ", operand type: " + std::string(type));
}

Binder::Binder(const Parsed& parsed, Placeholders& placeholders)
    : parsed_(parsed), placeholders_(placeholders) {
  bindings_.names.resize(parsed.names.size());
  bindings_.values.resize(parsed.values.size(), nullptr);
  for (std::size_t slot = 0; slot < parsed.names.size(); ++slot) {
    if (!parsed.names[slot].placeholder) bindings_.names[slot] = parsed.names[slot].text;
  }
}

Checked Binder::path(Path path) {
  for (std::size_t i = path.first; i < std::size_t{path.first} + path.count; ++i) {
    const PathElement& element = parsed_.elements[i];
    if (element.index || bindings_.names[element.number].data() != nullptr) continue;
    const std::string& key = parsed_.names[element.number].text;
    const std::string* name = placeholders_.name(key, parsed_.kind);
    if (name == nullptr) {
      return invalid(
          parsed_.kind,
          "An expression attribute name used in the document path is not defined; attribute name: " + key);
    }
    bindings_.names[element.number] = *name;
  }
  if (path.count > 1) bindings_.reached_into.push_back(root_name(parsed_, bindings_, path));
  return {};
}

Checked Binder::value(Slot slot) {
  if (bindings_.values[slot] != nullptr) return {};
  const std::string& key = parsed_.values[slot];
  bindings_.values[slot] = placeholders_.value(key, parsed_.kind);
  if (bindings_.values[slot] == nullptr) {
    return invalid(
        parsed_.kind,
        "An expression attribute value used in expression is not defined; attribute value: " + key);
  }
  return {};
}

Checked Binder::operands(std::span<const Operand> operands) {
  for (const Operand& one : operands) {
    if (one.kind == Operand::Kind::path || one.kind == Operand::Kind::size_of_path)
      DINETTE_CHECK(path(parsed_.paths[one.slot]));
  }
  for (const Operand& one : operands) {
    if (one.kind == Operand::Kind::value || one.kind == Operand::Kind::size_of_value)
      DINETTE_CHECK(value(one.slot));
  }
  return {};
}

std::optional<Type> Binder::static_type(const Operand& operand) const {
  switch (operand.kind) {
    case Operand::Kind::path:
      return std::nullopt;
    case Operand::Kind::value:
      return bindings_.values[operand.slot]->type();
    case Operand::Kind::size_of_path:
    case Operand::Kind::size_of_value:
      return Type::number;
    case Operand::Kind::condition:
      return Type::boolean;
  }
  return std::nullopt;
}

Checked Binder::operand_type(std::string_view op, const Operand& operand, TypeSet allowed) const {
  const auto type = static_type(operand);
  if (!type || contains(allowed, *type)) return {};
  return incorrect_operand_type(parsed_.kind, op, type_name(*type));
}

std::string printed(const model::AttributeValue& value) {
  std::string text = "AttributeValue: {" + std::string(type_name(value.type())) + ":";
  if (const auto* string = value.get_if<std::string>()) {
    text += *string;
  } else if (const auto* number = value.get_if<model::Number>()) {
    number->append_to(text);
  } else if (const auto* binary = value.get_if<model::Binary>()) {
    base::append_base64(text, binary->bytes);
  }
  return text + "}";
}

}  // namespace dinette::dynamodb::expr
