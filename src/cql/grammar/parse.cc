#include "cql/grammar/parse.h"

#include <string>
#include <utility>

#include "cql/grammar/cursor.h"
#include "cql/grammar/ddl.h"
#include "cql/grammar/dml.h"

namespace dinette::cql::grammar {
namespace {

template <class Part>
Answer<void> put(Answer<Part> part, Statement& out) {
  if (!part) return std::move(part).failure();
  out.value = *std::move(part);
  return {};
}

Answer<void> read_statement(Cursor& in, Statement& out) {
  if (in.at_word("select")) return put(read_select(in), out);
  if (in.at_word("insert")) return put(read_insert(in), out);
  if (in.at_word("update")) return put(read_update(in), out);
  if (in.at_word("delete")) return put(read_delete(in), out);
  if (in.at_word("begin")) return put(read_batch(in), out);
  return read_definition(in, out);
}

}  // namespace

Answer<Statement> parse(std::string_view text) {
  DINETTE_TRY(auto tokens, tokenize(text));
  Cursor in(text, std::move(tokens));
  Statement statement;
  DINETTE_CHECK(read_statement(in, statement));
  in.take_symbol(";");
  if (!in.at_end()) return in.mismatched("EOF");
  if (in.markers().size() > most_markers) {
    return invalid("Too many markers(?). " + std::to_string(in.markers().size()) +
                   " markers exceed the allowed maximum of " + std::to_string(most_markers));
  }
  statement.markers = in.markers();
  return statement;
}

}  // namespace dinette::cql::grammar
