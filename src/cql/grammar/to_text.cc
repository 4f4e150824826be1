#include <span>
#include <string>

#include "cql/grammar/ast.h"

namespace dinette::cql::grammar {
namespace {

template <class... Visitors>
struct Overloaded : Visitors... {
  using Visitors::operator()...;
};
template <class... Visitors>
Overloaded(Visitors...) -> Overloaded<Visitors...>;

template <class Items, class ToText>
std::string joined(const Items& items, ToText text_of) {
  std::string out;
  for (const auto& item : items) {
    if (!out.empty()) out += ", ";
    out += text_of(item);
  }
  return out;
}

std::string text_of_all(std::span<const Term> terms) {
  return joined(terms, [](const Term& term) { return to_text(term); });
}

std::string full_name(const QualifiedName& name) {
  return name.keyspace.empty() ? name.name : name.keyspace + "." + name.name;
}

std::string text_of(const Constant& constant) {
  return constant.kind == ConstantKind::string ? "'" + constant.text + "'" : constant.text;
}

std::string text_of(const MapLiteral& map) {
  const auto entry = [](const auto& pair) { return to_text(pair.first) + ": " + to_text(pair.second); };
  return "{" + joined(map.entries, entry) + "}";
}

std::string text_of(const UserTypeLiteral& literal) {
  const auto field = [](const auto& pair) { return pair.first + ": " + to_text(pair.second); };
  return "{" + joined(literal.fields, field) + "}";
}

std::string text_of(const Operand& operand) {
  if (operand.is_list) return "(" + text_of_all(operand.terms) + ")";
  return operand.terms.empty() ? "" : to_text(operand.terms.front());
}

std::string generic_text(std::string_view name, const TypeName& type) {
  return std::string(name) + "<" +
         joined(type.arguments, [](const TypeName& argument) { return to_text(argument); }) + ">";
}

}  // namespace

std::string to_text(const Term& term) {
  return std::visit(
      Overloaded{
          [](const Null&) -> std::string { return "NULL"; },
          [](const Constant& constant) { return text_of(constant); },
          [](const Marker&) -> std::string { return "?"; },
          [](const ListLiteral& list) { return "[" + text_of_all(list.elements) + "]"; },
          [](const SetLiteral& set) { return "{" + text_of_all(set.elements) + "}"; },
          [](const MapLiteral& map) { return text_of(map); },
          [](const UserTypeLiteral& literal) { return text_of(literal); },
          [](const TupleLiteral& tuple) { return "(" + text_of_all(tuple.components) + ")"; },
          [](const FunctionCall& call) {
            return full_name(call.function) + "(" + text_of_all(call.arguments) + ")";
          },
          [](const TypeHint& hint) { return "(" + to_text(hint.type) + ")" + to_text(hint.term.front()); },
      },
      term.value);
}

std::string to_text(const Relation& relation) {
  const std::string columns = joined(relation.columns, [](const std::string& name) { return name; });
  std::string out;
  switch (relation.target) {
    case Relation::Target::column:
      out = columns;
      break;
    case Relation::Target::element:
      out = columns + "[" + to_text(relation.key.front()) + "]";
      break;
    case Relation::Target::token:
      out = "token(" + columns + ")";
      break;
    case Relation::Target::tuple:
      out = "(" + columns + ")";
      break;
  }
  out.append(" ").append(to_text(relation.comparison));
  const std::string operand = text_of(relation.operand);
  return operand.empty() ? out : out + " " + operand;
}

std::string to_text(const TypeName& type) {
  using Shape = TypeName::Shape;
  switch (type.shape) {
    case Shape::native:
      return cql::to_text(Type{.kind = type.kind});
    case Shape::list:
      return generic_text("list", type);
    case Shape::set:
      return generic_text("set", type);
    case Shape::map:
      return generic_text("map", type);
    case Shape::tuple:
      return generic_text("tuple", type);
    case Shape::frozen:
      return generic_text("frozen", type);
    case Shape::user:
      return full_name(type.name);
    case Shape::custom:
      return "'" + type.name.name + "'";
  }
  return {};
}

std::string to_text(const Selector& selector) {
  return std::visit(
      Overloaded{
          [](const ColumnSelector& column) { return column.column; },
          [](const CountAll&) -> std::string { return "count"; },
          [](const WriteTimeSelector& time) {
            return (time.time_to_live ? "ttl(" : "writetime(") + time.column + ")";
          },
          [](const FunctionSelector& call) {
            const auto argument = [](const Selector& of) { return to_text(of); };
            return full_name(call.function) + "(" + joined(call.arguments, argument) + ")";
          },
          [](const CastSelector& cast) {
            return "cast(" + to_text(cast.argument.front()) + " as " + to_text(cast.type) + ")";
          },
          [](const FieldSelector& field) { return to_text(field.of.front()) + "." + field.field; },
          [](const TermSelector& term) { return to_text(term.term); },
      },
      selector.value);
}

std::string_view to_text(Operator comparison) {
  switch (comparison) {
    case Operator::equal:
      return "=";
    case Operator::less:
      return "<";
    case Operator::less_or_equal:
      return "<=";
    case Operator::greater:
      return ">";
    case Operator::greater_or_equal:
      return ">=";
    case Operator::not_equal:
      return "!=";
    case Operator::in:
      return "IN";
    case Operator::contains:
      return "CONTAINS";
    case Operator::contains_key:
      return "CONTAINS KEY";
    case Operator::like:
      return "LIKE";
    case Operator::is_not_null:
      return "IS NOT NULL";
  }
  return {};
}

std::string_view to_text(ConstantKind kind) {
  switch (kind) {
    case ConstantKind::string:
      return "STRING";
    case ConstantKind::integer:
      return "INTEGER";
    case ConstantKind::uuid:
      return "UUID";
    case ConstantKind::floating:
      return "FLOAT";
    case ConstantKind::boolean:
      return "BOOLEAN";
    case ConstantKind::hex:
      return "HEX";
    case ConstantKind::duration:
      return "DURATION";
  }
  return {};
}

}  // namespace dinette::cql::grammar
