#include "dynamodb/partiql/bound.h"

#include <utility>

#include "dynamodb/expr/document.h"
#include "dynamodb/request/request_checks.h"

namespace dinette::dynamodb::partiql {
namespace {

Answer<void> check_operand(const OperandCheck& check, model::Type type) {
  if (expr::contains(check.allowed, type)) return {};
  if (!check.sentence.empty()) return validation(check.sentence);
  return validation("Incorrect operand type for operator or function; operator or function: " + check.op +
                    ", operand type: " + std::string(model::type_name(type)));
}

Answer<void> check_type_name(const std::string& name) {
  if (model::type_from_name(name)) return {};
  return validation("Invalid attribute type name found; type: " + name +
                    ", valid types: {N,BS,L,B,NULL,M,S,SS,NS,BOOL}");
}

}  // namespace

Bound::Bound(StatementRef statement, const Parameters& parameters) : statement_(std::move(statement)) {
  values_.reserve(statement_->constants.size());
  for (const Constant& constant : statement_->constants)
    values_.push_back(constant.parameter ? &(*parameters)[*constant.parameter].value : &constant.literal);
}

expr::Bindings Bound::bindings(const expr::Parsed& parsed) const {
  expr::Bindings bindings;
  bindings.names.assign(parsed.names.size(), {});
  for (std::size_t i = 0; i < parsed.names.size(); ++i) bindings.names[i] = parsed.names[i].text;
  bindings.values = values_;
  for (const auto* paths : {&parsed.targets, &parsed.paths}) {
    for (const expr::Path path : *paths) {
      if (path.count > 1) bindings.reached_into.push_back(expr::root_name(parsed, bindings, path));
    }
  }
  return bindings;
}

Answer<void> check_parameters(const Parameters& parameters) {
  if (!parameters) return {};
  for (const codec::AttributeValueInput& parameter : *parameters)
    DINETTE_CHECK(check_problem(Envelope::none, parameter.problem));
  return {};
}

Answer<Bound> bind(const Context& context, const std::string& text, const Parameters& parameters) {
  DINETTE_CHECK(check_parameters(parameters));
  auto statement = context.expressions.statement(text, compile);
  if (!statement) return validation(std::move(statement).error());
  if ((*statement)->parameters > (parameters ? parameters->size() : 0))
    return validation("Number of parameters in request and statement don't match.");
  Bound bound(*std::move(statement), parameters);
  for (const OperandCheck& check : bound.statement().checks)
    DINETTE_CHECK(check_operand(check, bound.value(check.constant).type()));
  for (const expr::Slot name : bound.statement().type_names)
    DINETTE_CHECK(check_type_name(bound.value(name).get<std::string>()));
  return bound;
}

}  // namespace dinette::dynamodb::partiql
