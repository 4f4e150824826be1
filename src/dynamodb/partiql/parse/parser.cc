#include "dynamodb/partiql/parse/parser.h"

#include "dynamodb/partiql/parse/statement_parser.h"

namespace dinette::dynamodb::partiql {

Checked<Tree> parse(std::string_view statement) {
  auto tokens = tokenize(statement);
  if (!tokens) return base::Failure{std::string(not_well_formed)};
  return StatementParser(*std::move(tokens)).parse();
}

}  // namespace dinette::dynamodb::partiql
