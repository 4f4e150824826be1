#include "cql/statements/checker.h"

#include <utility>

#include "cql/schema/objects.h"
#include "cql/schema/resolve_type.h"

namespace dinette::cql::statements {

void Checker::bind(std::size_t marker, std::string name, Type type) {
  // A marker with a name has that name.
  if (!markers_[marker].empty()) name = markers_[marker];
  binds_[marker] = {table_.keyspace, table_.name, std::move(name), std::move(type)};
}

Answer<Type> Checker::resolve(const grammar::TypeName& type) const {
  DINETTE_TRY(const auto keyspace, schema::find_keyspace(place_, table_.keyspace));
  static const schema::Keyspace without_types;
  return schema::resolve_type(keyspace ? keyspace->keyspace() : without_types, type);
}

Answer<void> Checker::check_comparison(const Type& type, grammar::Operator comparison,
                                       std::string_view name) const {
  const bool has_parts =
      type.kind == Kind::list || type.kind == Kind::set || type.kind == Kind::map || type.kind == Kind::udt;
  const bool equality = comparison == grammar::Operator::equal || comparison == grammar::Operator::in;
  if (!strict() || !has_parts || equality) return {};
  return invalid("Inequality is not supported on column " + std::string(name) + " of type " + to_text(type));
}

// docs/service-keyspaces/dml.md section 4.
Answer<void> Checker::check_slice(const Type& type, std::string_view what, std::string_view durations) {
  if (!contains_duration(type)) return {};
  const auto refused = [&](std::string_view values) {
    return invalid("Slice " + std::string(what) + " are not supported on " + std::string(values));
  };
  if (type.kind == Kind::duration) return refused(durations);
  if (type.kind == Kind::tuple) return refused("tuples containing durations");
  if (type.kind == Kind::udt) return refused("UDTs containing durations");
  return refused("collections containing durations");
}

Answer<const schema::Column*> Checker::column(std::string_view name) const {
  const schema::Column* const found = table_.find_column(name);
  if (found == nullptr) return invalid("Undefined column name " + std::string(name));
  return found;
}

}  // namespace dinette::cql::statements
