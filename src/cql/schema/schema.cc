#include "cql/schema/schema.h"

#include <algorithm>
#include <tuple>

namespace dinette::cql::schema {

std::string_view name_of(Status status) {
  switch (status) {
    case Status::active:
      return "ACTIVE";
    case Status::creating:
      return "CREATING";
    case Status::updating:
      return "UPDATING";
    case Status::deleting:
      return "DELETING";
    case Status::restoring:
      return "RESTORING";
  }
  return "";
}

Status status_at(const Transition& transition, base::TimePoint now) {
  const bool lasts = now >= transition.begun && now < transition.until;
  return lasts ? transition.status : Status::active;
}

bool is_gone(const Transition& transition, base::TimePoint now) {
  return transition.status == Status::deleting && status_at(transition, now) == Status::active;
}

Type type_of(std::string_view keyspace, const UserType& type, bool frozen) {
  return {.kind = Kind::udt,
          .frozen = frozen,
          .arguments = type.types,
          .keyspace = std::string(keyspace),
          .name = type.name,
          .fields = type.fields};
}

const UserType* Keyspace::find_type(std::string_view type) const {
  const auto found = std::ranges::lower_bound(types, type, {}, &UserType::name);
  return found != types.end() && found->name == type ? &*found : nullptr;
}

std::string_view name_of(ColumnKind kind) {
  switch (kind) {
    case ColumnKind::partition_key:
      return "partition_key";
    case ColumnKind::clustering:
      return "clustering";
    case ColumnKind::static_:
      return "static";
    case ColumnKind::regular:
      return "regular";
  }
  return "";
}

bool Column::has_parts() const {
  const bool may_have =
      type.kind == Kind::list || type.kind == Kind::set || type.kind == Kind::map || type.kind == Kind::udt;
  return may_have && !type.frozen;
}

const Column* Table::find_column(std::string_view column) const {
  const auto found = std::ranges::find(columns, column, &Column::name);
  return found != columns.end() ? &*found : nullptr;
}

const Column* Table::find_column(std::uint32_t column) const {
  const auto found = std::ranges::find(columns, column, &Column::id);
  return found != columns.end() ? &*found : nullptr;
}

std::size_t Table::partition_key_size() const {
  return static_cast<std::size_t>(std::ranges::count(columns, ColumnKind::partition_key, &Column::kind));
}

std::size_t Table::clustering_size() const {
  return static_cast<std::size_t>(std::ranges::count(columns, ColumnKind::clustering, &Column::kind));
}

bool Table::has_static_columns() const {
  return std::ranges::any_of(columns, [](const Column& c) { return c.kind == ColumnKind::static_; });
}

bool Table::has_counters() const {
  return std::ranges::any_of(columns, [](const Column& c) { return c.type.kind == Kind::counter; });
}

void sort_columns(std::vector<Column>& columns) {
  std::ranges::sort(columns, [](const Column& a, const Column& b) {
    return std::tie(a.kind, a.position, a.name) < std::tie(b.kind, b.position, b.name);
  });
}

}  // namespace dinette::cql::schema
