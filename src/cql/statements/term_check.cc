#include <algorithm>
#include <array>
#include <utility>

#include "dinette/base/ascii.h"

#include "cql/statements/term.h"
#include "cql/types/token.h"
#include "cql/values/from_text.h"
#include "cql/values/numbers.h"

namespace dinette::cql::statements {
namespace {

using grammar::Constant;
using grammar::ConstantKind;

template <class... Visitors>
struct Cases : Visitors... {
  using Visitors::operator()...;
};
template <class... Visitors>
Cases(Visitors...) -> Cases<Visitors...>;

bool takes_strings(Kind kind) {
  switch (kind) {
    case Kind::ascii:
    case Kind::text:
    case Kind::inet:
    case Kind::date:
    case Kind::time:
    case Kind::timestamp:
    case Kind::duration:
      return true;
    default:
      return false;
  }
}

bool takes_integers(Kind kind) {
  return is_number(kind) || kind == Kind::date || kind == Kind::time || kind == Kind::timestamp;
}

/// docs/service-keyspaces/types.md section 3.
bool takes(Kind kind, ConstantKind constant) {
  switch (constant) {
    case ConstantKind::string:
      return takes_strings(kind);
    case ConstantKind::integer:
      return takes_integers(kind);
    case ConstantKind::floating:
      return kind == Kind::decimal || kind == Kind::float_ || kind == Kind::double_;
    case ConstantKind::boolean:
      return kind == Kind::boolean;
    case ConstantKind::uuid:
      return kind == Kind::uuid || kind == Kind::timeuuid;
    case ConstantKind::hex:
      return kind == Kind::blob || kind == Kind::custom;
    case ConstantKind::duration:
      return kind == Kind::duration;
  }
  return false;
}

std::string shown_name(const grammar::QualifiedName& name) {
  return name.keyspace.empty() ? name.name : name.keyspace + "." + name.name;
}

Answer<Returned> call_token(const Function&, const CallContext&, std::span<const Argument> arguments) {
  std::vector<std::string_view> values;
  for (const Argument& argument : arguments) values.push_back(*argument);
  return Returned(fixed_bytes(murmur3_token(partition_key_bytes(values)), 8));
}

/// Signatures that are meant: those of the keyspace `system`, which need not be named.
std::span<const Function> signatures_of(const grammar::QualifiedName& name) {
  if (!name.keyspace.empty() && name.keyspace != "system") return {};
  return find_functions(name.name);
}

/// Returns true if this calls a function of the keyspace `system`, which need not be named.
bool is_native(const grammar::FunctionCall& call, std::string_view name) {
  return call.function.name == name && (call.function.keyspace.empty() || call.function.keyspace == "system");
}

bool is_token(const grammar::FunctionCall& call) {
  return is_native(call, "token");
}

}  // namespace

bool is_compatible(const Type& type, const Type& other) {
  if (type == other) return true;
  switch (type.kind) {
    case Kind::text:
      return other.kind == Kind::ascii;
    case Kind::uuid:
      return other.kind == Kind::timeuuid;
    case Kind::blob:
      return other.arguments.empty();
    case Kind::bigint:
      return other.kind == Kind::timestamp;
    case Kind::timestamp:
      return other.kind == Kind::bigint;
    case Kind::varint:
      return other.kind == Kind::int_ || other.kind == Kind::bigint;
    default:
      return false;
  }
}

bool is_aggregate(const grammar::QualifiedName& function) {
  constexpr auto names = std::to_array<std::string_view>({"count", "countrows", "min", "max", "sum", "avg"});
  const bool native = function.keyspace.empty() || function.keyspace == "system";
  return native && std::ranges::find(names, function.name) != names.end();
}

const Function& token_function() {
  static const Function function{"token", {}, {.kind = Kind::bigint}, call_token};
  return function;
}

/// Checks one kind of term after the other.
class TermCheck {
 public:
  TermCheck(Checker& checker, const Receiver& receiver) : checker_(checker), receiver_(receiver) {}

  Answer<Term> check(const grammar::Term& term) {
    return std::visit(Cases{
                          [&](const grammar::Null&) -> Answer<Term> { return term_of(Term::Kind::constant); },
                          [&](const Constant& constant) { return check_constant(constant); },
                          [&](const grammar::Marker& marker) -> Answer<Term> {
                            return Term::marker(checker_, marker.index, receiver_);
                          },
                          [&](const grammar::ListLiteral& list) {
                            return check_elements(list.elements, Kind::list, Term::Kind::list, "list");
                          },
                          [&](const grammar::SetLiteral& set) { return check_set(set); },
                          [&](const grammar::MapLiteral& map) { return check_map(map); },
                          [&](const grammar::UserTypeLiteral& literal) { return check_user_type(literal); },
                          [&](const grammar::TupleLiteral& tuple) { return check_tuple(tuple); },
                          [&](const grammar::FunctionCall& call) { return check_call(call); },
                          [&](const grammar::TypeHint& hint) { return check_hint(hint); },
                      },
                      term.value);
  }

  /// A function of which only one signature may be meant, whatever it returns.
  Answer<Term> check_call_alone(const grammar::FunctionCall& call) {
    DINETTE_TRY(const Function* const function, choose(call));
    return arguments_of(call, *function);
  }

  Answer<Term> check_tuple_of_columns(const grammar::TupleLiteral& tuple, std::span<const Receiver> columns) {
    Term out = term_of(Term::Kind::components);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      DINETTE_TRY(out.parts_.emplace_back(), Term::check(checker_, tuple.components[i], columns[i]));
    }
    return out;
  }

 private:
  const Type& type() const { return receiver_.type; }

  Term term_of(Term::Kind kind) const {
    Term term;
    term.kind_ = kind;
    term.receiver_ = receiver_;
    return term;
  }

  base::Failure<Error> wrong_literal(std::string_view what) const {
    return invalid("Invalid " + std::string(what) + " literal for " + receiver_.name + " of type " +
                   to_text(type()));
  }

  Answer<Term> check_constant(const Constant& constant) const {
    if (!takes(type().kind, constant.kind)) {
      return invalid("Invalid " + std::string(grammar::to_text(constant.kind)) + " constant (" +
                     constant.text + ") for \"" + receiver_.name + "\" of type " + to_text(type()));
    }
    Term term = term_of(Term::Kind::constant);
    DINETTE_TRY(auto bytes, value_from_text(type(), constant.text));
    term.constant_ = TermValue::of(std::move(bytes));
    return term;
  }

  /// Checks a part of a collection's literal.
  Answer<void> add_element(Term& out, const grammar::Term& element, std::string_view what,
                           std::string_view part, std::size_t argument) {
    const Receiver receiver{std::string(part) + "(" + receiver_.name + ")", type().arguments[argument]};
    if (fit_of(checker_, element, receiver.type) == Fit::none) {
      return invalid("Invalid " + std::string(what) + " literal for " + receiver_.name + ": " +
                     std::string(what == "map" ? part : "value") + " " + grammar::to_text(element) +
                     " is not of type " + to_text(receiver.type));
    }
    DINETTE_TRY(Term term, Term::check(checker_, element, receiver));
    if (term.has_markers()) {
      return invalid("Invalid " + std::string(what) + " literal for " + receiver_.name +
                     ": bind variables are not supported inside collection literals");
    }
    if (term.is_null_literal()) return invalid("null is not supported inside collections");
    out.parts_.push_back(std::move(term));
    return {};
  }

  Answer<Term> check_elements(const std::vector<grammar::Term>& elements, Kind wanted, Term::Kind kind,
                              std::string_view what) {
    if (type().kind != wanted) return wrong_literal(what);
    Term out = term_of(kind);
    for (const grammar::Term& element : elements) {
      DINETTE_CHECK(add_element(out, element, what, "value", 0));
    }
    return out;
  }

  Answer<Term> check_set(const grammar::SetLiteral& set) {
    if (set.elements.empty() && type().kind == Kind::map) return term_of(Term::Kind::map);
    return check_elements(set.elements, Kind::set, Term::Kind::set, "set");
  }

  Answer<Term> check_map(const grammar::MapLiteral& map) {
    if (type().kind != Kind::map) return wrong_literal("map");
    Term out = term_of(Term::Kind::map);
    for (const auto& [key, value] : map.entries) {
      DINETTE_CHECK(add_element(out, key, "map", "key", 0));
      DINETTE_CHECK(add_element(out, value, "map", "value", 1));
    }
    return out;
  }

  Answer<Term> check_user_type(const grammar::UserTypeLiteral& literal) {
    if (type().kind != Kind::udt) {
      return invalid("Invalid user type literal for " + receiver_.name + " of type " + to_text(type()));
    }
    for (const auto& [field, value] : literal.fields) {
      if (std::ranges::find(type().fields, field) == type().fields.end()) {
        return invalid("Unknown field '" + field + "' in value of user defined type " + type().name);
      }
    }
    Term out = term_of(Term::Kind::components);
    for (std::size_t i = 0; i < type().fields.size(); ++i) {
      DINETTE_TRY(out.parts_.emplace_back(), check_field(literal, i));
    }
    return out;
  }

  Answer<Term> check_field(const grammar::UserTypeLiteral& literal, std::size_t place) {
    static const grammar::Term missing{grammar::Null{}};
    const std::string& name = type().fields[place];
    const Receiver receiver{receiver_.name + "." + name, type().arguments[place]};
    const auto given = std::find_if(literal.fields.rbegin(), literal.fields.rend(),
                                    [&](const auto& field) { return field.first == name; });
    const grammar::Term& value = given == literal.fields.rend() ? missing : given->second;
    if (fit_of(checker_, value, receiver.type) == Fit::none) {
      return invalid("Invalid user type literal for " + receiver_.name + ": field " + name +
                     " is not of type " + to_text(receiver.type));
    }
    return Term::check(checker_, value, receiver);
  }

  Answer<Term> check_tuple(const grammar::TupleLiteral& tuple) {
    if (type().kind != Kind::tuple) {
      return invalid("Invalid tuple type literal for " + receiver_.name + " of type " + to_text(type()));
    }
    if (tuple.components.size() > type().arguments.size()) {
      return invalid("Invalid tuple literal for " + receiver_.name + ": too many elements. Type " +
                     to_text(type()) + " expects " + std::to_string(type().arguments.size()) + " but got " +
                     std::to_string(tuple.components.size()));
    }
    Term out = term_of(Term::Kind::components);
    for (std::size_t i = 0; i < tuple.components.size(); ++i) {
      const Receiver receiver{receiver_.name + "[" + std::to_string(i) + "]", type().arguments[i]};
      if (fit_of(checker_, tuple.components[i], receiver.type) == Fit::none) {
        return invalid("Invalid tuple literal for " + receiver_.name + ": component " + std::to_string(i) +
                       " is not of type " + to_text(receiver.type));
      }
      DINETTE_TRY(out.parts_.emplace_back(), Term::check(checker_, tuple.components[i], receiver));
    }
    return out;
  }

  Answer<const Function*> choose(const grammar::FunctionCall& call) {
    if (is_token(call)) return &token_function();
    if (is_aggregate(call.function))
      return invalid("Aggregation function are not supported in the where clause");
    const auto signatures = signatures_of(call.function);
    if (signatures.empty()) return invalid("Unknown function " + shown_name(call.function) + " called");
    DINETTE_CHECK(check_argument_count(signatures, call.arguments.size()));
    std::vector<std::vector<Fit>> fits;
    for (const Function& signature : signatures) {
      std::vector<Fit>& fit = fits.emplace_back();
      if (signature.arguments.size() != call.arguments.size()) continue;
      for (std::size_t i = 0; i < call.arguments.size(); ++i) {
        fit.push_back(fit_of(checker_, call.arguments[i], signature.arguments[i]));
      }
    }
    std::vector<std::string> texts;
    for (const grammar::Term& argument : call.arguments) texts.push_back(grammar::to_text(argument));
    return choose_signature(signatures, fits, texts);
  }

  /// The signature of token() is that of the table.
  std::string signature_of_token() const {
    Function function = token_function();
    for (std::size_t i = 0; i < checker_.table().partition_key_size(); ++i)
      function.arguments.push_back(checker_.table().columns[i].type);
    return signature_of(function);
  }

  Answer<Term> arguments_of(const grammar::FunctionCall& call, const Function& function) {
    const bool token = &function == &token_function();
    const std::size_t wanted = token ? checker_.table().partition_key_size() : function.arguments.size();
    if (call.arguments.size() != wanted) {
      return invalid("Incorrect number of arguments specified for function " + signature_of_token() +
                     " (expected " + std::to_string(wanted) + ", found " +
                     std::to_string(call.arguments.size()) + ")");
    }
    Term out;
    out.kind_ = Term::Kind::function;
    out.receiver_ = {receiver_.name, function.returns};
    out.function_ = &function;
    for (std::size_t i = 0; i < wanted; ++i) {
      const Receiver receiver{"arg" + std::to_string(i) + "(system." + function.name + ")",
                              token ? checker_.table().columns[i].type : function.arguments[i]};
      DINETTE_TRY(out.parts_.emplace_back(), Term::check(checker_, call.arguments[i], receiver));
    }
    return out;
  }

  Answer<Term> check_from_json(const grammar::FunctionCall& call) {
    if (call.arguments.size() != 1)
      return invalid("fromJson() accepts one argument, but got " + std::to_string(call.arguments.size()));
    Term out = term_of(Term::Kind::from_json);
    const Receiver text{"arg0(system.fromjson)", {.kind = Kind::text}};
    DINETTE_TRY(out.parts_.emplace_back(), Term::check(checker_, call.arguments.front(), text));
    return out;
  }

  Answer<Term> check_call(const grammar::FunctionCall& call) {
    if (is_native(call, "fromjson")) return check_from_json(call);
    if (is_native(call, "tojson")) {
      return invalid("toJson() may only be used within the selection clause of SELECT statements");
    }
    DINETTE_TRY(const Function* const function, choose(call));
    if (!is_compatible(type(), function->returns)) {
      return invalid("Type error: cannot assign result of function system." + function->name + " (type " +
                     to_text(function->returns) + ") to " + receiver_.name + " (type " + to_text(type()) +
                     ")");
    }
    return arguments_of(call, *function);
  }

  Answer<Term> check_hint(const grammar::TypeHint& hint) {
    DINETTE_TRY(Type hinted, checker_.resolve(hint.type));
    if (fit_of(checker_, hint.term.front(), hinted) == Fit::none) {
      return invalid("Cannot cast value " + grammar::to_text(hint.term.front()) + " to type " +
                     to_text(hinted));
    }
    if (!is_compatible(type(), hinted)) {
      return invalid("Cannot assign value " + grammar::to_text(grammar::Term{hint}) + " to " +
                     receiver_.name + " of type " + to_text(type()));
    }
    return Term::check(checker_, hint.term.front(), {receiver_.name, std::move(hinted)});
  }

  Checker& checker_;
  const Receiver& receiver_;
};

Answer<Term> Term::check(Checker& checker, const grammar::Term& term, const Receiver& receiver) {
  return TermCheck(checker, receiver).check(term);
}

Answer<Term> Term::check_tuple_of_columns(Checker& checker, const grammar::TupleLiteral& tuple,
                                          const Receiver& receiver, std::span<const Receiver> columns) {
  return TermCheck(checker, receiver).check_tuple_of_columns(tuple, columns);
}

Answer<std::optional<Term>> Term::check_alone(Checker& checker, const grammar::Term& term,
                                              const std::string& name) {
  const Receiver receiver{name, {}};
  if (const auto* const call = std::get_if<grammar::FunctionCall>(&term.value)) {
    DINETTE_TRY(Term checked, TermCheck(checker, receiver).check_call_alone(*call));
    return std::optional(std::move(checked));
  }
  if (const auto* const hint = std::get_if<grammar::TypeHint>(&term.value)) {
    DINETTE_TRY(Type type, checker.resolve(hint->type));
    DINETTE_TRY(Term checked, check(checker, term, {receiver.name, std::move(type)}));
    return std::optional(std::move(checked));
  }
  return std::optional<Term>();
}

Fit fit_of(Checker& checker, const grammar::Term& term, const Type& type) {
  const auto all_fit = [&](const std::vector<grammar::Term>& terms, const Type& element) {
    const bool fit = std::ranges::all_of(
        terms, [&](const grammar::Term& one) { return fit_of(checker, one, element) != Fit::none; });
    return fit ? Fit::weak : Fit::none;
  };
  return std::visit(
      Cases{
          [&](const grammar::Null&) { return Fit::weak; },
          [&](const Constant& constant) { return takes(type.kind, constant.kind) ? Fit::weak : Fit::none; },
          [&](const grammar::Marker&) { return Fit::weak; },
          [&](const grammar::ListLiteral& list) {
            return type.kind == Kind::list ? all_fit(list.elements, type.arguments[0]) : Fit::none;
          },
          [&](const grammar::SetLiteral& set) {
            if (type.kind == Kind::map && set.elements.empty()) return Fit::weak;
            return type.kind == Kind::set ? all_fit(set.elements, type.arguments[0]) : Fit::none;
          },
          [&](const grammar::MapLiteral& map) {
            if (type.kind != Kind::map) return Fit::none;
            const bool fits = std::ranges::all_of(map.entries, [&](const auto& entry) {
              return fit_of(checker, entry.first, type.arguments[0]) != Fit::none &&
                     fit_of(checker, entry.second, type.arguments[1]) != Fit::none;
            });
            return fits ? Fit::weak : Fit::none;
          },
          [&](const grammar::UserTypeLiteral&) { return type.kind == Kind::udt ? Fit::weak : Fit::none; },
          [&](const grammar::TupleLiteral& tuple) {
            const bool fits = type.kind == Kind::tuple && tuple.components.size() <= type.arguments.size();
            return fits ? Fit::weak : Fit::none;
          },
          [&](const grammar::FunctionCall& call) {
            if (is_token(call)) return is_compatible(type, token_function().returns) ? Fit::exact : Fit::none;
            Fit best = Fit::none;
            for (const Function& signature : signatures_of(call.function)) {
              if (signature.returns == type) return Fit::exact;
              if (is_compatible(type, signature.returns)) best = Fit::weak;
            }
            // An unknown function is refused by its own message.
            return signatures_of(call.function).empty() ? Fit::weak : best;
          },
          [&](const grammar::TypeHint& hint) {
            const auto hinted = checker.resolve(hint.type);
            if (!hinted || !is_compatible(type, *hinted)) return Fit::none;
            return *hinted == type ? Fit::exact : Fit::weak;
          },
      },
      term.value);
}

Answer<void> check_argument_count(std::span<const Function> signatures, std::size_t count) {
  if (signatures.size() > 1 || signatures.front().arguments.size() == count) return {};
  return invalid("Invalid number of arguments in call to function system." + signatures.front().name + ": " +
                 std::to_string(signatures.front().arguments.size()) + " required but " +
                 std::to_string(count) + " provided");
}

namespace {

/// Of a function with one signature the message says which argument is wrong.
Answer<void> check_arguments(const Function& function, std::span<const Fit> fits,
                             std::span<const std::string> arguments) {
  const auto wrong = std::ranges::find(fits, Fit::none);
  if (wrong == fits.end()) return {};
  const auto place = static_cast<std::size_t>(wrong - fits.begin());
  return invalid("Type error: " + arguments[place] + " cannot be passed as argument " +
                 std::to_string(place) + " of function system." + function.name + " of type " +
                 to_text(function.arguments[place]));
}

}  // namespace

Answer<const Function*> choose_signature(std::span<const Function> signatures,
                                         std::span<const std::vector<Fit>> fits,
                                         std::span<const std::string> arguments) {
  if (signatures.size() == 1) {
    DINETTE_CHECK(check_arguments(signatures.front(), fits.front(), arguments));
    return &signatures.front();
  }
  std::vector<const Function*> possible;
  for (std::size_t i = 0; i < signatures.size(); ++i) {
    if (signatures[i].arguments.size() != fits[i].size()) continue;
    if (std::ranges::find(fits[i], Fit::none) != fits[i].end()) continue;
    if (std::ranges::find(fits[i], Fit::weak) == fits[i].end()) return &signatures[i];
    possible.push_back(&signatures[i]);
  }
  if (possible.size() == 1) return possible.front();
  std::string known;
  if (possible.empty()) {
    for (const Function& signature : signatures) {
      known.append(known.empty() ? "" : ", ").append(signature_of(signature));
    }
    return invalid("Invalid call to function system." + signatures.front().name +
                   ", none of its type signatures match (known type signatures: " + known + ")");
  }
  for (const Function* const signature : possible) {
    known.append(known.empty() ? "" : ", ").append(signature_of(*signature));
  }
  return invalid("Ambiguous call to function system." + signatures.front().name +
                 " (can be matched by following signatures: " + known + "): use type casts to disambiguate");
}

}  // namespace dinette::cql::statements
