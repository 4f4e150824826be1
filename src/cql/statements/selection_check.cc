#include <algorithm>
#include <array>
#include <utility>

#include "cql/statements/selection.h"

namespace dinette::cql::statements {
namespace {

struct AggregateName {
  std::string_view name;
  Aggregate aggregate;
};

/// The name of all terms of a selection, as binds and messages show it
/// (docs/service-keyspaces/grammar.md section 6).
constexpr auto name_of_selected_terms = "[selection]";

/// In the order in which Cassandra shows the signatures of sum and avg.
constexpr auto summed_kinds =
    std::to_array<Kind>({Kind::tinyint, Kind::smallint, Kind::int_, Kind::bigint, Kind::float_, Kind::double_,
                         Kind::decimal, Kind::varint, Kind::counter});

/// The error of sum and avg of what is no number (docs/service-keyspaces/grammar.md section 6).
base::Failure<Error> not_summed(const std::string& name) {
  std::string signatures;
  for (const Kind kind : summed_kinds) {
    const Type type{.kind = kind};
    signatures.append(signatures.empty() ? "" : ", ")
        .append(signature_of({.name = name, .arguments = {type}, .returns = type}));
  }
  return invalid("Invalid call to function system." + name +
                 ", none of its type signatures match (known type signatures: " + signatures + ")");
}

/// Returns true of COUNT(1) and the like: any constant counts rows, as `*` does, but null
/// (docs/service-keyspaces/grammar.md section 6).
bool counts_rows(const grammar::FunctionSelector& selector) {
  if (selector.function.name != "count" || selector.arguments.size() != 1) return false;
  const auto* const term = std::get_if<grammar::TermSelector>(&selector.arguments.front().value);
  return term != nullptr && std::holds_alternative<grammar::Constant>(term->term.value);
}

constexpr auto aggregate_names = std::to_array<AggregateName>({{"count", Aggregate::count},
                                                               {"min", Aggregate::min},
                                                               {"max", Aggregate::max},
                                                               {"sum", Aggregate::sum},
                                                               {"avg", Aggregate::avg}});

class Selections {
 public:
  explicit Selections(Checker& checker) : checker_(checker) {}

  Answer<SelectionCheck> run(const std::vector<grammar::Selection>& selections) {
    if (selections.empty()) select_all();
    for (const grammar::Selection& selection : selections) {
      DINETTE_TRY(Selected selected, check(selection.selector));
      if (selection.alias) selected.name = *selection.alias;
      out_.columns.push_back(std::move(selected));
    }
    return std::move(out_);
  }

 private:
  void select_all() {
    const auto& columns = checker_.table().columns;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      out_.columns.push_back({.type = columns[i].type, .name = columns[i].name, .column = i});
      out_.used.push_back(i);
    }
  }

  Answer<Selected> check(const grammar::Selector& selector) {
    return std::visit([&](const auto& one) { return check_one(one); }, selector.value);
  }

  Answer<Selected> check_one(const grammar::ColumnSelector& selector) {
    DINETTE_TRY(const schema::Column* const column, checker_.column(selector.column));
    const std::size_t place = checker_.place_of(*column);
    out_.used.push_back(place);
    return Selected{.type = column->type, .name = column->name, .column = place};
  }

  Answer<Selected> check_one(const grammar::CountAll&) {
    if (checker_.strict()) return invalid("countRows is not yet supported.");
    return Selected{.kind = Selected::Kind::aggregate,
                    .type = {.kind = Kind::bigint},
                    .name = "count",
                    .aggregate = Aggregate::count_rows,
                    .index = out_.aggregates++};
  }

  Answer<Selected> check_one(const grammar::WriteTimeSelector& selector) {
    DINETTE_TRY(const schema::Column* const column, checker_.column(selector.column));
    const std::string function = selector.time_to_live ? "ttl" : "writeTime";
    if (column->in_key()) {
      return invalid("Cannot use selection function " + function + " on PRIMARY KEY part " + column->name);
    }
    if (column->has_parts()) return invalid("Cannot use selection function " + function + " on collections");
    const schema::TableOptions& options = checker_.table().options;
    if (checker_.strict() && !selector.time_to_live && !options.client_side_timestamps) {
      return invalid("writetime is not yet supported.");
    }
    if (checker_.strict() && selector.time_to_live && !options.time_to_live) {
      return invalid("TTL is not yet supported.");
    }
    const std::size_t place = checker_.place_of(*column);
    out_.used.push_back(place);
    return Selected{.kind = selector.time_to_live ? Selected::Kind::time_to_live : Selected::Kind::write_time,
                    .type = {.kind = selector.time_to_live ? Kind::int_ : Kind::bigint},
                    .name = (selector.time_to_live ? "ttl(" : "writetime(") + column->name + ")",
                    .column = place};
  }

  static std::string name_of_call(const std::string& function, const std::vector<Selected>& arguments) {
    std::string name = "system." + function + "(";
    for (std::size_t i = 0; i < arguments.size(); ++i)
      name.append(i > 0 ? ", " : "").append(arguments[i].name);
    return name + ")";
  }

  Answer<Selected> check_one(const grammar::FunctionSelector& selector) {
    const std::string& name = selector.function.name;
    const bool native = selector.function.keyspace.empty() || selector.function.keyspace == "system";
    const auto aggregate = std::ranges::find(aggregate_names, name, &AggregateName::name);
    if (native && counts_rows(selector)) return check_one(grammar::CountAll{});
    if (native && aggregate != aggregate_names.end()) return check_aggregate(selector, aggregate->aggregate);
    if (native && name == "tojson") return check_to_json(selector);
    if (native && name == "fromjson") {
      return invalid("fromJson() cannot be used in the selection clause of a SELECT statement");
    }
    if (native && name == "token") return check_token(selector);
    const auto signatures = native ? find_functions(name) : std::span<const Function>();
    if (signatures.empty()) {
      return invalid("Unknown function " + grammar_name(selector.function) + " called in selection clause");
    }
    return check_native(selector, signatures);
  }

  static std::string grammar_name(const grammar::QualifiedName& name) {
    return name.keyspace.empty() ? name.name : name.keyspace + "." + name.name;
  }

  Answer<Selected> check_native(const grammar::FunctionSelector& selector,
                                std::span<const Function> signatures) {
    DINETTE_CHECK(check_argument_count(signatures, selector.arguments.size()));
    std::vector<Selected> arguments;
    std::vector<std::vector<Fit>> fits(signatures.size());
    for (const grammar::Selector& argument : selector.arguments) {
      DINETTE_TRY(Selected checked, check_argument(argument, signatures));
      for (std::size_t i = 0; i < signatures.size(); ++i) {
        if (signatures[i].arguments.size() != selector.arguments.size()) continue;
        const Type& wanted = signatures[i].arguments[arguments.size()];
        fits[i].push_back(fit_of_argument(argument, checked, wanted));
      }
      arguments.push_back(std::move(checked));
    }
    std::vector<std::string> texts;
    for (const Selected& argument : arguments) texts.push_back(argument.name);
    DINETTE_TRY(const Function* const function, choose_signature(signatures, fits, texts));
    DINETTE_CHECK(check_terms(selector, *function, arguments));
    Selected out{.kind = Selected::Kind::function,
                 .type = function->returns,
                 .name = name_of_call(function->name, arguments),
                 .function = function};
    out.arguments = std::move(arguments);
    return out;
  }

  /// A term in the place of an argument gets its type from the signature.
  Answer<Selected> check_argument(const grammar::Selector& argument, std::span<const Function>) {
    const auto* const term = std::get_if<grammar::TermSelector>(&argument.value);
    if (term == nullptr) return check(argument);
    return Selected{.kind = Selected::Kind::term, .name = grammar::to_text(term->term)};
  }

  Fit fit_of_argument(const grammar::Selector& argument, const Selected& checked, const Type& wanted) {
    const auto* const term = std::get_if<grammar::TermSelector>(&argument.value);
    if (term != nullptr) return fit_of(checker_, term->term, wanted);
    if (checked.type == wanted) return Fit::exact;
    return is_compatible(wanted, checked.type) ? Fit::weak : Fit::none;
  }

  Answer<void> check_terms(const grammar::FunctionSelector& selector, const Function& function,
                           std::vector<Selected>& arguments) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const auto* const term = std::get_if<grammar::TermSelector>(&selector.arguments[i].value);
      if (term == nullptr) continue;
      arguments[i].type = function.arguments[i];
      const Receiver receiver{name_of_selected_terms, function.arguments[i]};
      DINETTE_TRY(arguments[i].term.emplace(), Term::check(checker_, term->term, receiver));
    }
    return {};
  }

  Answer<Selected> check_token(const grammar::FunctionSelector& selector) {
    const std::size_t columns = checker_.table().partition_key_size();
    if (selector.arguments.size() != columns) {
      return invalid(
          "Invalid number of arguments in call to function system.token: " + std::to_string(columns) +
          " required but " + std::to_string(selector.arguments.size()) + " provided");
    }
    Selected out{
        .kind = Selected::Kind::function, .type = token_function().returns, .function = &token_function()};
    for (std::size_t i = 0; i < columns; ++i) {
      const auto* const term = std::get_if<grammar::TermSelector>(&selector.arguments[i].value);
      const Type& type = checker_.table().columns[i].type;
      if (term != nullptr) {
        Selected constant{.kind = Selected::Kind::term, .type = type, .name = grammar::to_text(term->term)};
        DINETTE_TRY(constant.term.emplace(),
                    Term::check(checker_, term->term, {name_of_selected_terms, type}));
        out.arguments.push_back(std::move(constant));
        continue;
      }
      DINETTE_TRY(out.arguments.emplace_back(), check(selector.arguments[i]));
      if (!is_compatible(type, out.arguments.back().type)) {
        return invalid("Type error: " + out.arguments.back().name + " cannot be passed as argument " +
                       std::to_string(i) + " of function system.token of type " + to_text(type));
      }
    }
    out.name = name_of_call("token", out.arguments);
    return out;
  }

  Answer<Selected> check_to_json(const grammar::FunctionSelector& selector) {
    if (selector.arguments.size() != 1) {
      return invalid("toJson() accepts one argument, but got " + std::to_string(selector.arguments.size()));
    }
    Selected out{.kind = Selected::Kind::to_json, .type = {.kind = Kind::text}};
    DINETTE_TRY(out.arguments.emplace_back(), check(selector.arguments.front()));
    out.name = name_of_call("tojson", out.arguments);
    return out;
  }

  Answer<Selected> check_aggregate(const grammar::FunctionSelector& selector, Aggregate aggregate) {
    const std::string& name = selector.function.name;
    if (checker_.strict()) return invalid(name + " is not yet supported.");
    if (selector.arguments.size() != 1) {
      return invalid("Invalid number of arguments in call to function system." + name + ": 1 required but " +
                     std::to_string(selector.arguments.size()) + " provided");
    }
    Selected out{.kind = Selected::Kind::aggregate, .aggregate = aggregate};
    const std::size_t before = out_.aggregates;
    DINETTE_TRY(out.arguments.emplace_back(), check(selector.arguments.front()));
    const Type& argument = out.arguments.front().type;
    if ((aggregate == Aggregate::sum || aggregate == Aggregate::avg) && !is_number(argument.kind)) {
      return not_summed(name);
    }
    if (out_.aggregates > before)
      return invalid("aggregate functions cannot be used as arguments of aggregate functions");
    out.type = aggregate == Aggregate::count ? Type{.kind = Kind::bigint} : argument;
    if (argument.kind == Kind::counter) out.type = {.kind = Kind::bigint};
    out.name = name_of_call(name, out.arguments);
    out.index = out_.aggregates++;
    return out;
  }

  Answer<Selected> check_one(const grammar::CastSelector& selector) {
    Selected out{.kind = Selected::Kind::cast};
    DINETTE_TRY(out.arguments.emplace_back(), check(selector.argument.front()));
    DINETTE_TRY(out.type, checker_.resolve(selector.type));
    const Selected& argument = out.arguments.front();
    if (!can_cast(argument.type, out.type)) {
      return invalid(to_text(argument.type) + " cannot be cast to " + to_text(out.type));
    }
    // A cast to the type that it has does nothing.
    if (argument.type == out.type) {
      Selected same = argument;
      return same;
    }
    out.name = "cast(" + argument.name + " as " + grammar::to_text(selector.type) + ")";
    return out;
  }

  Answer<Selected> check_one(const grammar::FieldSelector& selector) {
    Selected out{.kind = Selected::Kind::field};
    DINETTE_TRY(out.arguments.emplace_back(), check(selector.of.front()));
    const Selected& of = out.arguments.front();
    if (of.type.kind != Kind::udt) {
      return invalid("Invalid field selection: " + of.name + " of type " + to_text(of.type) +
                     " is not a user type");
    }
    const auto found = std::ranges::find(of.type.fields, selector.field);
    if (found == of.type.fields.end()) {
      return invalid(of.name + " of type " + to_text(of.type) + " has no field " + selector.field);
    }
    out.index = static_cast<std::size_t>(found - of.type.fields.begin());
    out.type = of.type.arguments[out.index];
    out.name = of.name + "." + selector.field;
    return out;
  }

  Answer<Selected> check_one(const grammar::TermSelector& selector) {
    DINETTE_TRY(auto term, Term::check_alone(checker_, selector.term, name_of_selected_terms));
    const std::string text = grammar::to_text(selector.term);
    if (!term) {
      return invalid("Cannot infer type for term " + text +
                     " in selection clause (try using a cast to force a type)");
    }
    Selected out{.kind = Selected::Kind::term, .type = term->type(), .name = text};
    out.term = std::move(term);
    return out;
  }

  Checker& checker_;
  SelectionCheck out_;
};

}  // namespace

Answer<SelectionCheck> check_selection(Checker& checker, const std::vector<grammar::Selection>& selections) {
  return Selections(checker).run(selections);
}

}  // namespace dinette::cql::statements
