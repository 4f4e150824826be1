#include "cql/grammar/terms.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "dinette/base/ascii.h"

namespace dinette::cql::grammar {
namespace {

/// The rest of a duration in the form of ISO 8601 after its digits: "1Y2M" with designators in order.
bool are_designated(std::string_view& text, std::string_view designators) {
  bool any = false;
  while (!text.empty() && base::is_digit(text.front())) {
    const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    if (digits == text.size()) return false;
    const std::size_t place = designators.find(base::to_upper(text[digits]));
    if (place == std::string_view::npos) return false;
    designators.remove_prefix(place + 1);
    text.remove_prefix(digits + 1);
    any = true;
  }
  return any;
}

/// Returns true of a word that is a duration: "P1Y2M3DT4H5M6S", "P3W".
bool is_iso_duration(std::string_view word) {
  if (word.size() < 3 || base::to_upper(word.front()) != 'P') return false;
  std::string_view rest = word.substr(1);
  const bool dates = are_designated(rest, "YMWD");
  if (rest.empty()) return dates;
  if (base::to_upper(rest.front()) != 'T') return false;
  rest.remove_prefix(1);
  return are_designated(rest, "HMS") && rest.empty();
}

bool at_number_word(const Cursor& in, std::size_t ahead = 0) {
  return in.at_word("nan", ahead) || in.at_word("infinity", ahead);
}

std::optional<ConstantKind> constant_kind(TokenKind kind) {
  switch (kind) {
    case TokenKind::string:
      return ConstantKind::string;
    case TokenKind::integer:
      return ConstantKind::integer;
    case TokenKind::floating:
      return ConstantKind::floating;
    case TokenKind::boolean:
      return ConstantKind::boolean;
    case TokenKind::uuid:
      return ConstantKind::uuid;
    case TokenKind::hex:
      return ConstantKind::hex;
    case TokenKind::duration:
      return ConstantKind::duration;
    default:
      return std::nullopt;
  }
}

/// The length in tokens of a function's name at `ahead` that a parenthesis follows, or 0.
std::size_t function_name_length(const Cursor& in, std::size_t ahead = 0) {
  const auto is_name = [&](std::size_t at) { return in.at_name(at) || in.at_word("token", at); };
  if (!is_name(ahead)) return 0;
  if (in.at_symbol("(", ahead + 1)) return 1;
  return in.at_symbol(".", ahead + 1) && is_name(ahead + 2) && in.at_symbol("(", ahead + 3) ? 3 : 0;
}

bool at_iso_duration(const Cursor& in, std::size_t ahead = 0) {
  return in.at(TokenKind::name, ahead) && !in.at_symbol("(", ahead + 1) && !in.at_symbol(".", ahead + 1) &&
         is_iso_duration(in.token(ahead).text);
}

Answer<Term> read_constant(Cursor& in) {
  if (const auto kind = constant_kind(in.token().kind)) {
    const Token token = in.take();
    return Term{Constant{*kind, *kind == ConstantKind::string ? token.text : std::string(token.source)}};
  }
  if (in.at_symbol("-") && at_number_word(in, 1)) {
    in.take();
    return Term{Constant{ConstantKind::floating, "-" + std::string(in.take().source)}};
  }
  if (at_number_word(in)) return Term{Constant{ConstantKind::floating, std::string(in.take().source)}};
  if (at_iso_duration(in)) return Term{Constant{ConstantKind::duration, std::string(in.take().source)}};
  // A negative duration: the sign is a token of its own before a letter.
  if (in.at_symbol("-") && at_iso_duration(in, 1)) {
    in.take();
    return Term{Constant{ConstantKind::duration, "-" + std::string(in.take().source)}};
  }
  return in.no_viable();
}

Answer<std::vector<Term>> read_terms(Cursor& in, std::string_view end) {
  std::vector<Term> terms;
  if (in.take_symbol(end)) return terms;
  const auto read = [&]() -> Answer<void> {
    DINETTE_TRY(terms.emplace_back(), read_term(in));
    return {};
  };
  DINETTE_CHECK(read_list(in, read));
  DINETTE_CHECK(in.expect_symbol(end));
  return terms;
}

/// Of a map, after its first key.
Answer<Term> read_map(Cursor& in, Term first_key) {
  MapLiteral map;
  Term key = std::move(first_key);
  for (;;) {
    DINETTE_CHECK(in.expect_symbol(":"));
    DINETTE_TRY(Term value, read_term(in));
    map.entries.emplace_back(std::move(key), std::move(value));
    if (!in.take_symbol(",")) break;
    DINETTE_TRY(key, read_term(in));
  }
  DINETTE_CHECK(in.expect_symbol("}"));
  return Term{std::move(map)};
}

Answer<Term> read_user_type_literal(Cursor& in) {
  UserTypeLiteral literal;
  const auto read = [&]() -> Answer<void> {
    DINETTE_TRY(std::string field, in.read_name());
    DINETTE_CHECK(in.expect_symbol(":"));
    DINETTE_TRY(Term value, read_term(in));
    literal.fields.emplace_back(std::move(field), std::move(value));
    return {};
  };
  DINETTE_CHECK(read_list(in, read));
  DINETTE_CHECK(in.expect_symbol("}"));
  return Term{std::move(literal)};
}

/// A set, a map or a value of a user type, after its brace.
Answer<Term> read_braces(Cursor& in) {
  if (in.take_symbol("}")) return Term{SetLiteral{}};
  const bool field = in.at_name() && in.at_symbol(":", 1);
  if (field) return read_user_type_literal(in);
  DINETTE_TRY(Term first, read_term(in));
  if (in.at_symbol(":")) return read_map(in, std::move(first));
  SetLiteral set;
  set.elements.push_back(std::move(first));
  while (in.take_symbol(",")) {
    DINETTE_TRY(set.elements.emplace_back(), read_term(in));
  }
  DINETTE_CHECK(in.expect_symbol("}"));
  return Term{std::move(set)};
}

Answer<Term> read_marker(Cursor& in) {
  if (in.take_symbol("?")) return Term{in.add_marker("")};
  DINETTE_CHECK(in.expect_symbol(":"));
  DINETTE_TRY(std::string name, in.read_name());
  return Term{in.add_marker(std::move(name))};
}

/// A tuple, or a term with a type hint, after `(`.
Answer<Term> read_parentheses(Cursor& in) {
  const bool hint = at_type_hint(in);
  DINETTE_CHECK(in.expect_symbol("("));
  if (hint) {
    TypeHint out;
    DINETTE_TRY(out.type, read_type(in));
    DINETTE_CHECK(in.expect_symbol(")"));
    DINETTE_TRY(out.term.emplace_back(), read_term(in));
    return Term{std::move(out)};
  }
  if (in.at_symbol(")")) return in.no_viable();
  DINETTE_TRY(auto components, read_terms(in, ")"));
  return Term{TupleLiteral{std::move(components)}};
}

Answer<Term> read_function(Cursor& in) {
  FunctionCall call;
  if (in.at_symbol(".", 1)) {
    call.function.keyspace = in.take().text;
    in.take();
  }
  call.function.name = in.take().text;
  DINETTE_CHECK(in.expect_symbol("("));
  DINETTE_TRY(call.arguments, read_terms(in, ")"));
  return Term{std::move(call)};
}

std::optional<TypeName::Shape> generic_shape(const Cursor& in) {
  if (!in.at_symbol("<", 1)) return std::nullopt;
  if (in.at_word("list")) return TypeName::Shape::list;
  if (in.at_word("set")) return TypeName::Shape::set;
  if (in.at_word("map")) return TypeName::Shape::map;
  if (in.at_word("tuple")) return TypeName::Shape::tuple;
  if (in.at_word("frozen")) return TypeName::Shape::frozen;
  return std::nullopt;
}

/// The names that user types cannot have without quotes, besides those of native types.
constexpr auto reserved_types =
    std::to_array<std::string_view>({"byte", "complex", "enum", "date", "interval", "macaddr", "bitstring"});

Answer<TypeName> read_generic(Cursor& in, TypeName::Shape shape) {
  TypeName type{.shape = shape};
  in.take();
  in.take();
  const auto read = [&]() -> Answer<void> {
    DINETTE_TRY(type.arguments.emplace_back(), read_type(in));
    return {};
  };
  DINETTE_CHECK(read());
  if (shape == TypeName::Shape::map) {
    DINETTE_CHECK(in.expect_symbol(","));
    DINETTE_CHECK(read());
  }
  while (shape == TypeName::Shape::tuple && in.take_symbol(",")) DINETTE_CHECK(read());
  DINETTE_CHECK(in.expect_symbol(">"));
  return type;
}

bool is_reserved_type(std::string_view name) {
  return native_kind(name).has_value() || std::ranges::find(reserved_types, name) != reserved_types.end();
}

}  // namespace

bool at_type_hint(const Cursor& in) {
  if (!in.at_symbol("(")) return false;
  // Of names, only those of functions begin terms. SET is reserved.
  const bool name = in.at_name(1) || (in.at_word("set", 1) && in.at_symbol("<", 2));
  return name && function_name_length(in, 1) == 0 && !at_iso_duration(in, 1);
}

bool at_value(const Cursor& in) {
  if (constant_kind(in.token().kind) || at_number_word(in) || at_iso_duration(in)) return true;
  if (in.at_symbol("-")) return at_number_word(in, 1) || at_iso_duration(in, 1);
  return in.at_word("null") || in.at_symbol("?") || in.at_symbol(":") || in.at_symbol("[") ||
         in.at_symbol("{") || in.at_symbol("(");
}

Answer<Term> read_term(Cursor& in) {
  const Nesting nesting(in);
  DINETTE_CHECK(nesting.check());
  if (in.take_word("null")) return Term{Null{}};
  if (in.at_symbol("?") || in.at_symbol(":")) return read_marker(in);
  if (in.take_symbol("[")) {
    DINETTE_TRY(auto elements, read_terms(in, "]"));
    return Term{ListLiteral{std::move(elements)}};
  }
  if (in.take_symbol("{")) return read_braces(in);
  if (in.at_symbol("(")) return read_parentheses(in);
  if (function_name_length(in) > 0) return read_function(in);
  return read_constant(in);
}

Answer<Term> read_number(Cursor& in) {
  if (in.at_symbol("?") || in.at_symbol(":")) return read_marker(in);
  if (!in.at(TokenKind::integer)) return in.no_viable();
  return read_constant(in);
}

Answer<TypeName> read_type(Cursor& in) {
  const Nesting nesting(in);
  DINETTE_CHECK(nesting.check());
  if (in.at(TokenKind::string)) {
    return TypeName{.shape = TypeName::Shape::custom, .name = {.name = in.take().text}};
  }
  if (const auto shape = generic_shape(in)) return read_generic(in, *shape);
  if (in.at(TokenKind::name) && !in.at_symbol(".", 1)) {
    if (const auto kind = native_kind(in.token().text)) {
      in.take();
      return TypeName{.shape = TypeName::Shape::native, .kind = *kind};
    }
  }
  TypeName type{.shape = TypeName::Shape::user};
  DINETTE_TRY(type.name, read_user_type_name(in));
  return type;
}

Answer<QualifiedName> read_user_type_name(Cursor& in) {
  const bool quoted = in.at(TokenKind::quoted_name, in.at_symbol(".", 1) ? 2 : 0);
  DINETTE_TRY(QualifiedName name, in.read_qualified_name());
  if (quoted || !is_reserved_type(name.name)) return name;
  return in.refused("Invalid (reserved) user type name " + name.name);
}

}  // namespace dinette::cql::grammar
