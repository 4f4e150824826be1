#include <algorithm>
#include <string>

#include "dynamodb/partiql/compiler.h"

namespace dinette::dynamodb::partiql {
namespace {

/// The name that a column is returned under: the path's last name with the positions that follow.
std::string column_name(const expr::Parsed& parsed, expr::Path path) {
  std::string name;
  for (std::size_t i = path.first; i < std::size_t{path.first} + path.count; ++i) {
    const expr::PathElement& element = parsed.elements[i];
    if (element.index)
      name += '[' + std::to_string(element.number) + ']';
    else
      name = parsed.names[element.number].text;
  }
  return name;
}

}  // namespace

Checked<expr::ParsedRef> compile_columns(const Source& source, const Node& list) {
  expr::Parsed parsed;
  parsed.kind = expr::Kind::projection;
  Paths paths(source, parsed);
  std::vector<std::string>& names = source.statement.column_names;
  for (const NodeId child : list.children) {
    const Node& column = source.tree.at(child);
    if (column.kind == NodeKind::alias) return base::Failure{std::string("Aliasing is not supported")};
    if (!paths.is_path(column)) return base::Failure{"Unexpected path component at " + source.place(column)};
    DINETTE_TRY(const expr::Path path, paths.path(column));
    parsed.targets.push_back(path);
    std::string name = column_name(parsed, path);
    if (std::ranges::find(names, name) != names.end())
      return base::Failure{"Duplicate identifiers in select clause: " + name};
    names.push_back(std::move(name));
  }
  parsed.form = expr::ProjectionAst();
  return std::make_shared<const expr::Parsed>(std::move(parsed));
}

}  // namespace dinette::dynamodb::partiql
