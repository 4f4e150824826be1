#include "dynamodb/items/key_text.h"

#include "dinette/base/base64.h"

namespace dinette::dynamodb {
namespace {

using expr::KeyOperator;

void append_quoted(std::string& out, std::string_view text) {
  out += '\'';
  for (const char c : text) {
    if (c == '\'') out += c;
    out += c;
  }
  out += '\'';
}

std::string_view sign_of(KeyOperator op) {
  switch (op) {
    case KeyOperator::less:
      return " < ";
    case KeyOperator::less_equal:
      return " <= ";
    case KeyOperator::greater:
      return " > ";
    case KeyOperator::greater_equal:
      return " >= ";
    case KeyOperator::between:
      return " BETWEEN ";
    default:
      return " = ";
  }
}

void append_clause(std::string& out, const expr::KeyClause& clause) {
  if (clause.op == KeyOperator::begins_with) {
    out.append("begins_with(").append(clause.attribute).append(", ");
    append_key_value(out, *clause.value);
    out += ')';
    return;
  }
  out.append(clause.attribute).append(sign_of(clause.op));
  append_key_value(out, *clause.value);
  if (clause.op != KeyOperator::between) return;
  out += " AND ";
  append_key_value(out, *clause.high);
}

}  // namespace

std::string key_text(std::span<const expr::KeyClause> clauses) {
  std::string text;
  for (const expr::KeyClause& clause : clauses) {
    if (!text.empty()) text += " AND ";
    append_clause(text, clause);
  }
  return text;
}

std::string key_text(const TableSchema& schema, const model::Item& key) {
  expr::KeyClauses clauses;
  const auto add = [&](const KeyAttribute& attribute) {
    clauses.push_back({attribute.name, KeyOperator::equal, key.find(attribute.name)});
  };
  add(schema.hash_key());
  if (schema.range_key()) add(*schema.range_key());
  return key_text(clauses);
}

void append_key_value(std::string& out, const model::AttributeValue& value) {
  if (const auto* text = value.get_if<std::string>())
    append_quoted(out, *text);
  else if (const auto* number = value.get_if<model::Number>())
    number->append_to(out);
  else
    append_quoted(out, base::base64_encode(value.get<model::Binary>().bytes));
}

std::string plain_key_value(const model::AttributeValue& value) {
  if (const auto* const text = value.get_if<std::string>()) return *text;
  if (const auto* const bytes = value.get_if<model::Binary>()) return base::base64_encode(bytes->bytes);
  std::string text;
  if (const auto* const number = value.get_if<model::Number>()) number->append_to(text);
  return text;
}

}  // namespace dinette::dynamodb
