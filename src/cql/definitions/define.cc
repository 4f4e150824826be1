#include <utility>

#include "cql/definitions/scope.h"
#include "cql/grammar/cursor.h"
#include "cql/grammar/lexer.h"
#include "cql/grammar/parse.h"
#include "cql/grammar/terms.h"
#include "cql/recovery/restore_table.h"
#include "cql/schema/ddl.h"
#include "cql/wire/background.h"

namespace dinette::cql {

base::Failure<DefinitionRefusal> refusal_of(Error error) {
  using Reason = DefinitionRefusal::Reason;
  if (error.must_wait) return DefinitionRefusal{Reason::must_wait};
  Reason reason = Reason::invalid;
  if (error.code == ErrorCode::already_exists) reason = Reason::exists;
  if (error.code == ErrorCode::server_error) reason = Reason::failed;
  if (error.exceeds_quota) reason = Reason::quota;
  return DefinitionRefusal{reason, std::move(error.message)};
}

Defined<void> define(const DefinitionScope& scope, std::string_view statement) {
  DINETTE_CQL_DEFINED(const grammar::Statement parsed, grammar::parse(statement));
  if (!schema::is_ddl(parsed))
    return base::Failure(
        DefinitionRefusal{DefinitionRefusal::Reason::invalid, "The statement defines nothing."});
  const ScopePlace place(scope);
  DINETTE_CQL_DEFINED(const auto changed, recovery::execute_definition(*place, "", parsed));
  if (changed) wire::announce(scope.world, (*place).store, *changed);
  return {};
}

bool is_type_text(std::string_view text) {
  auto tokens = grammar::tokenize(text);
  if (!tokens) return false;
  grammar::Cursor in(text, std::move(tokens).value());
  return grammar::read_type(in).ok() && in.at_end();
}

}  // namespace dinette::cql
