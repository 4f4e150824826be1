#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "cql/error.h"
#include "cql/frames/body_reader.h"
#include "cql/grammar/ast.h"
#include "cql/statements/checker.h"
#include "cql/statements/functions.h"
#include "cql/statements/term_value.h"

namespace dinette::cql::statements {

/// What terms are evaluated with.
struct Bindings {
  std::span<const frames::Value> values;  ///< one per bind marker
  CallContext call;
};

/// A term of a checked statement, which has a type.
class Term {
 public:
  /// Checks a term against what it is for (docs/service-keyspaces/grammar.md section 5, types.md sections 3,
  /// 5 and 6).
  static Answer<Term> check(Checker& checker, const grammar::Term& term, const Receiver& receiver);
  /// Checks a term that must tell its type itself: a function, a term with a type hint, a literal of a text
  /// or number in lenient statements. Nothing if it does not. `name`: of binds and in messages.
  static Answer<std::optional<Term>> check_alone(Checker& checker, const grammar::Term& term,
                                                 const std::string& name);
  /// Checks a tuple that columns in parentheses are compared with: each component as one of its column
  /// (docs/service-keyspaces/dml.md section 4). There are as many as columns.
  static Answer<Term> check_tuple_of_columns(Checker& checker, const grammar::TupleLiteral& tuple,
                                             const Receiver& receiver, std::span<const Receiver> columns);
  /// A bind marker of a type.
  static Term marker(Checker& checker, std::size_t index, const Receiver& receiver);
  /// One of the list of IN, whose elements may be null.
  static Term marker_of_in(Checker& checker, std::size_t index, const Receiver& receiver);

  /// A value that is known.
  static Term constant(Receiver receiver, TermValue value);

  /// Returns its value, checked.
  Answer<TermValue> evaluate(const Bindings& bindings) const;

  const Type& type() const { return receiver_.type; }
  const std::string& name() const { return receiver_.name; }
  bool is_marker() const { return kind_ == Kind::marker; }
  bool is_null_literal() const { return kind_ == Kind::constant && constant_.is_null(); }
  std::size_t marker_index() const { return marker_; }
  /// Returns true if its value depends on what is bound.
  bool has_markers() const;

 private:
  enum class Kind : std::uint8_t { constant, marker, list, set, map, components, function, from_json };
  friend class TermCheck;

  Answer<TermValue> evaluate_marker(const Bindings& bindings) const;
  Answer<TermValue> evaluate_function(const Bindings& bindings) const;
  Answer<TermValue> evaluate_from_json(const Bindings& bindings) const;
  Answer<TermValue> evaluate_collection(const Bindings& bindings) const;
  Answer<TermValue> evaluate_components(const Bindings& bindings) const;

  Kind kind_ = Kind::constant;
  Receiver receiver_{};
  TermValue constant_{};
  std::size_t marker_ = 0;
  bool is_list_of_in_ = false;
  std::vector<Term> parts_{};  ///< of a map keys and values in turn
  const Function* function_ = nullptr;
};

/// How well a term fits a type.
enum class Fit : std::uint8_t { none, weak, exact };
Fit fit_of(Checker& checker, const grammar::Term& term, const Type& type);

/// Returns true if values of the one type are values of the other.
bool is_compatible(const Type& type, const Type& other);

/// Chooses one of the signatures of a function. `fits`: for each of them how well each argument fits; those
/// with another number of arguments have none. `arguments`: their texts, for messages.
Answer<const Function*> choose_signature(std::span<const Function> signatures,
                                         std::span<const std::vector<Fit>> fits,
                                         std::span<const std::string> arguments);
/// Fails if the only signature that there is has another number of arguments.
Answer<void> check_argument_count(std::span<const Function> signatures, std::size_t count);

/// Returns true of COUNT, MIN, MAX, SUM and AVG.
bool is_aggregate(const grammar::QualifiedName& function);

/// token(), whose arguments are the columns of the partition key.
const Function& token_function();

/// Appends [bytes] of the protocol.
void append_part(std::string& out, std::string_view part);
void append_null_part(std::string& out);

}  // namespace dinette::cql::statements
