#include "cql/grammar/dml.h"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "cql/grammar/terms.h"

namespace dinette::cql::grammar {
namespace {

using AssignmentKind = Assignment::Kind;

/// Reads what follows USING; of DELETE only TIMESTAMP.
Answer<Using> read_using(Cursor& in, bool with_time_to_live) {
  Using out;
  if (!in.take_word("using")) return out;
  do {
    if (with_time_to_live && in.take_word("ttl")) {
      DINETTE_TRY(out.time_to_live, read_number(in));
      continue;
    }
    if (!in.take_word("timestamp")) return in.no_viable();
    DINETTE_TRY(out.timestamp, read_number(in));
  } while (with_time_to_live && in.take_word("and"));
  return out;
}

Answer<void> read_json(Cursor& in, Insert& out) {
  JsonValues json;
  if (!in.at(TokenKind::string) && !in.at_symbol("?") && !in.at_symbol(":")) return in.no_viable();
  DINETTE_TRY(json.text, read_term(in));
  if (in.take_word("default")) {
    json.unset_by_default = in.take_word("unset");
    if (!json.unset_by_default) DINETTE_CHECK(in.expect_word("null"));
  }
  out.json = std::move(json);
  return {};
}

Answer<void> read_columns_and_values(Cursor& in, Insert& out) {
  const auto read_column = [&]() -> Answer<void> {
    DINETTE_TRY(out.columns.emplace_back(), in.read_name());
    return {};
  };
  const auto read_value = [&]() -> Answer<void> {
    DINETTE_TRY(out.values.emplace_back(), read_term(in));
    return {};
  };
  DINETTE_CHECK(in.expect_symbol("("));
  DINETTE_CHECK(read_list(in, read_column));
  DINETTE_CHECK(in.expect_symbol(")"));
  DINETTE_CHECK(in.expect_word("values"));
  DINETTE_CHECK(in.expect_symbol("("));
  DINETTE_CHECK(read_list(in, read_value));
  return in.expect_symbol(")");
}

/// Returns true if a column comes next, and not a term.
bool at_column(const Cursor& in) {
  return in.at_name() && !at_value(in) && !in.at_symbol("(", 1) && !in.at_symbol(".", 1);
}

/// Reads what follows `column = column`.
Answer<void> read_change(Cursor& in, Assignment& out, const std::string& source) {
  const bool same = source == out.part.column;
  if (in.take_symbol("+")) {
    out.kind = AssignmentKind::add;
    DINETTE_TRY(out.value, read_term(in));
    if (!same) return in.refused("Only expressions of the form X = X + <value> are supported.");
    return {};
  }
  if (in.take_symbol("-")) {
    out.kind = AssignmentKind::subtract;
    DINETTE_TRY(out.value, read_term(in));
    if (!same) return in.refused("Only expressions of the form X = X - <value> are supported.");
    return {};
  }
  // `x = x -3`: the sign belongs to the number, which is added.
  const bool signed_number = in.at(TokenKind::integer) && in.token().source.front() == '-';
  if (!signed_number) return in.no_viable();
  out.kind = AssignmentKind::add;
  DINETTE_TRY(out.value, read_term(in));
  if (!same) return in.refused("Only expressions of the form X = X -<value> are supported.");
  return {};
}

Answer<void> read_assigned(Cursor& in, Assignment& out) {
  if (at_column(in)) {
    const std::string source = in.take().text;
    return read_change(in, out, source);
  }
  DINETTE_TRY(out.value, read_term(in));
  if (!in.take_symbol("+")) return {};
  out.kind = AssignmentKind::prepend;
  DINETTE_TRY(const std::string source, in.read_name());
  if (source == out.part.column) return {};
  return in.refused("Only expressions of the form X = <value> + X are supported.");
}

Answer<Assignment> read_assignment(Cursor& in) {
  Assignment out;
  DINETTE_TRY(out.part, read_column_part(in));
  const bool whole = out.part.key.empty() && !out.part.field;
  if (whole && (in.at_symbol("+=") || in.at_symbol("-="))) {
    out.kind = in.take().source == "+=" ? AssignmentKind::add : AssignmentKind::subtract;
    DINETTE_TRY(out.value, read_term(in));
    return out;
  }
  DINETTE_CHECK(in.expect_symbol("="));
  if (whole) {
    DINETTE_CHECK(read_assigned(in, out));
  } else {
    DINETTE_TRY(out.value, read_term(in));
  }
  return out;
}

/// What a statement has assigned to a column so far.
struct Assigned {
  bool replaced = false;
  bool changed = false;
  std::set<std::string> fields{};

  /// Adds one more. Returns false if they cannot be made together.
  bool add(const Assignment& assignment) {
    const bool whole = assignment.part.key.empty() && !assignment.part.field;
    if (replaced || (assignment.kind == AssignmentKind::set && whole && changed)) return false;
    changed = true;
    replaced = assignment.kind == AssignmentKind::set && whole;
    return !assignment.part.field || fields.insert(*assignment.part.field).second;
  }
};

Answer<void> read_assignments(Cursor& in, Update& out) {
  std::map<std::string, Assigned, std::less<>> columns;
  const auto read = [&]() -> Answer<void> {
    DINETTE_TRY(Assignment assignment, read_assignment(in));
    if (!columns[assignment.part.column].add(assignment)) {
      return in.refused("Multiple incompatible setting of column " + assignment.part.column);
    }
    out.assignments.push_back(std::move(assignment));
    return {};
  };
  return read_list(in, read);
}

Answer<void> read_required_where(Cursor& in, std::vector<Relation>& out) {
  DINETTE_CHECK(in.expect_word("where"));
  DINETTE_TRY(out, read_where(in));
  return {};
}

Answer<Modification> read_modification(Cursor& in) {
  if (in.at_word("insert")) {
    DINETTE_TRY(Insert insert, read_insert(in));
    return Modification(std::move(insert));
  }
  if (in.at_word("update")) {
    DINETTE_TRY(Update update, read_update(in));
    return Modification(std::move(update));
  }
  if (!in.at_word("delete")) return in.no_viable();
  DINETTE_TRY(Delete removal, read_delete(in));
  return Modification(std::move(removal));
}

}  // namespace

Answer<Insert> read_insert(Cursor& in) {
  Insert out;
  DINETTE_CHECK(in.expect_word("insert"));
  DINETTE_CHECK(in.expect_word("into"));
  DINETTE_TRY(out.table, in.read_qualified_name());
  DINETTE_CHECK(in.take_word("json") ? read_json(in, out) : read_columns_and_values(in, out));
  if (in.take_word("if")) {
    DINETTE_CHECK(in.expect_word("not"));
    DINETTE_CHECK(in.expect_word("exists"));
    out.conditions.existence = Conditions::Existence::not_exists;
  }
  DINETTE_TRY(out.using_, read_using(in, true));
  return out;
}

Answer<Update> read_update(Cursor& in) {
  Update out;
  DINETTE_CHECK(in.expect_word("update"));
  DINETTE_TRY(out.table, in.read_qualified_name());
  DINETTE_TRY(out.using_, read_using(in, true));
  DINETTE_CHECK(in.expect_word("set"));
  DINETTE_CHECK(read_assignments(in, out));
  DINETTE_CHECK(read_required_where(in, out.where));
  DINETTE_TRY(out.conditions, read_conditions(in));
  return out;
}

Answer<Delete> read_delete(Cursor& in) {
  Delete out;
  DINETTE_CHECK(in.expect_word("delete"));
  if (!in.at_word("from")) {
    const auto read = [&]() -> Answer<void> {
      DINETTE_TRY(out.deletions.emplace_back(), read_column_part(in));
      return {};
    };
    DINETTE_CHECK(read_list(in, read));
  }
  DINETTE_CHECK(in.expect_word("from"));
  DINETTE_TRY(out.table, in.read_qualified_name());
  DINETTE_TRY(out.using_, read_using(in, false));
  DINETTE_CHECK(read_required_where(in, out.where));
  DINETTE_TRY(out.conditions, read_conditions(in));
  return out;
}

Answer<Batch> read_batch(Cursor& in) {
  Batch out;
  DINETTE_CHECK(in.expect_word("begin"));
  if (in.take_word("unlogged")) {
    out.type = Batch::Type::unlogged;
  } else if (in.take_word("counter")) {
    out.type = Batch::Type::counter;
  }
  DINETTE_CHECK(in.expect_word("batch"));
  DINETTE_TRY(out.using_, read_using(in, true));
  while (!in.take_word("apply")) {
    DINETTE_TRY(out.statements.emplace_back(), read_modification(in));
    in.take_symbol(";");
  }
  DINETTE_CHECK(in.expect_word("batch"));
  return out;
}

}  // namespace dinette::cql::grammar
