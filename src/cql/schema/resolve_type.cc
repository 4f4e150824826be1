#include "cql/schema/resolve_type.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

namespace dinette::cql::schema {
namespace {

using grammar::TypeName;

bool is_collection(Kind kind) {
  return kind == Kind::list || kind == Kind::set || kind == Kind::map;
}

void freeze(Type& type) {
  for (Type& argument : type.arguments) freeze(argument);
  if (is_collection(type.kind) || type.kind == Kind::udt) type.frozen = true;
}

Answer<void> check_element(const TypeName& collection, const Type& element, bool frozen) {
  const auto refused = [&](std::string_view what) {
    return invalid(std::string(what) + grammar::to_text(collection));
  };
  if (!frozen && !element.frozen && is_collection(element.kind))
    return refused("Non-frozen collections are not allowed inside collections: ");
  if (!frozen && !element.frozen && element.kind == Kind::udt)
    return refused("Non-frozen UDTs are not allowed inside collections: ");
  if (element.kind == Kind::counter) return refused("Counters are not allowed inside collections: ");
  if (element.kind == Kind::duration && collection.shape == TypeName::Shape::set)
    return refused("Durations are not allowed inside sets: ");
  return {};
}

struct NamedClass {
  std::string_view name;
  Kind kind;
};

/// Classes of Cassandra that are native types, in their package.
constexpr std::string_view package_of_types = "org.apache.cassandra.db.marshal.";
constexpr std::array classes_of_types = {
    NamedClass{"AsciiType", Kind::ascii},
    NamedClass{"BooleanType", Kind::boolean},
    NamedClass{"ByteType", Kind::tinyint},
    NamedClass{"BytesType", Kind::blob},
    NamedClass{"CounterColumnType", Kind::counter},
    NamedClass{"DateType", Kind::timestamp},
    NamedClass{"DecimalType", Kind::decimal},
    NamedClass{"DoubleType", Kind::double_},
    NamedClass{"DurationType", Kind::duration},
    NamedClass{"FloatType", Kind::float_},
    NamedClass{"InetAddressType", Kind::inet},
    NamedClass{"Int32Type", Kind::int_},
    NamedClass{"IntegerType", Kind::varint},
    NamedClass{"LongType", Kind::bigint},
    NamedClass{"ShortType", Kind::smallint},
    NamedClass{"SimpleDateType", Kind::date},
    NamedClass{"TimeType", Kind::time},
    NamedClass{"TimeUUIDType", Kind::timeuuid},
    NamedClass{"TimestampType", Kind::timestamp},
    NamedClass{"UTF8Type", Kind::text},
    NamedClass{"UUIDType", Kind::uuid},
};

/// Names without a package are of this one.
std::optional<Kind> kind_of_class(std::string_view name) {
  if (name.starts_with(package_of_types)) name.remove_prefix(package_of_types.size());
  const auto found = std::ranges::find(classes_of_types, name, &NamedClass::name);
  if (found == classes_of_types.end()) return std::nullopt;
  return found->kind;
}

/// Turns names into types. `frozen`: what contains them is frozen.
class Resolver {
 public:
  explicit Resolver(const Keyspace& keyspace) : keyspace_(keyspace) {}

  Answer<Type> resolve(const TypeName& name, bool frozen) {
    DINETTE_CHECK(check_parts(++parts_, "type", most_parts_of_type));
    switch (name.shape) {
      case TypeName::Shape::native:
        return Type{.kind = name.kind};
      case TypeName::Shape::list:
        return collection(Kind::list, name, frozen);
      case TypeName::Shape::set:
        return collection(Kind::set, name, frozen);
      case TypeName::Shape::map:
        return collection(Kind::map, name, frozen);
      case TypeName::Shape::tuple:
        return tuple(name);
      case TypeName::Shape::frozen:
        return frozen_type(name);
      case TypeName::Shape::user:
        return user_type(name);
      case TypeName::Shape::custom:
        if (const auto kind = kind_of_class(name.name.name)) return Type{.kind = *kind};
        return configuration_error("Unable to find abstract-type class '" + name.name.name + "'");
    }
    return invalid("Unknown type");
  }

 private:
  Answer<Type> collection(Kind kind, const TypeName& name, bool frozen) {
    Type type{.kind = kind};
    for (const TypeName& argument : name.arguments) {
      DINETTE_TRY(type.arguments.emplace_back(), resolve(argument, frozen));
      DINETTE_CHECK(check_element(name, type.arguments.back(), frozen));
    }
    if (kind == Kind::map && type.arguments.front().kind == Kind::duration)
      return invalid("Durations are not allowed as map keys: " + grammar::to_text(name));
    return type;
  }

  Answer<Type> tuple(const TypeName& name) {
    Type type{.kind = Kind::tuple};
    for (const TypeName& argument : name.arguments) {
      DINETTE_TRY(type.arguments.emplace_back(), resolve(argument, true));
      if (type.arguments.back().kind == Kind::counter)
        return invalid("Counters are not allowed inside tuples");
    }
    freeze(type);
    return type;
  }

  Answer<Type> frozen_type(const TypeName& name) {
    const TypeName& inner = name.arguments.front();
    DINETTE_TRY(Type type, resolve(inner, true));
    if (!is_collection(type.kind) && type.kind != Kind::udt && type.kind != Kind::tuple) {
      return invalid("frozen<> is only allowed on collections, tuples, and user-defined types (got " +
                     grammar::to_text(inner) + ")");
    }
    freeze(type);
    return type;
  }

  Answer<Type> user_type(const TypeName& name) {
    if (!name.name.keyspace.empty() && name.name.keyspace != keyspace_.name) {
      return invalid("Statement on keyspace " + keyspace_.name + " cannot refer to a user type in keyspace " +
                     name.name.keyspace +
                     "; user types can only be used in the keyspace they are defined in");
    }
    const UserType* const found = keyspace_.find_type(name.name.name);
    if (found == nullptr) return invalid("Unknown type " + keyspace_.name + "." + name.name.name);
    for (const Type& field : found->types) parts_ += count_parts(field);
    DINETTE_CHECK(check_parts(parts_, "type", most_parts_of_type));
    return type_of(keyspace_.name, *found, false);
  }

  const Keyspace& keyspace_;
  std::size_t parts_ = 0;
};

}  // namespace

Answer<Type> resolve_type(const Keyspace& keyspace, const TypeName& name) {
  return Resolver(keyspace).resolve(name, false);
}

std::size_t count_parts(const Type& type, const UserType* changed) {
  const bool changes = changed != nullptr && type.kind == Kind::udt && type.name == changed->name;
  std::size_t parts = 1;
  for (const Type& argument : changes ? changed->types : type.arguments)
    parts += count_parts(argument, changes ? nullptr : changed);
  return parts;
}

std::size_t count_parts(std::span<const Column> columns, const UserType* changed) {
  std::size_t parts = 0;
  for (const Column& column : columns) parts += count_parts(column.type, changed);
  return parts;
}

Answer<void> check_parts(std::size_t parts, std::string_view of, std::size_t most) {
  if (parts <= most) return {};
  return quota_exceeded("number of parts of a " + std::string(of), most);
}

int frozen_depth(const Type& type) {
  int deepest = 0;
  for (const Type& argument : type.arguments) deepest = std::max(deepest, frozen_depth(argument));
  return deepest + (type.frozen ? 1 : 0);
}

bool contains_user_type(const Type& type, std::string_view user_type) {
  if (type.kind == Kind::udt && type.name == user_type) return true;
  return std::ranges::any_of(type.arguments,
                             [&](const Type& argument) { return contains_user_type(argument, user_type); });
}

bool names_user_type(const Type& type, std::string_view user_type) {
  if (type.kind == Kind::udt) return type.name == user_type;
  return std::ranges::any_of(type.arguments,
                             [&](const Type& argument) { return names_user_type(argument, user_type); });
}

void add_user_types(const Type& type, std::set<std::string>& names) {
  if (type.kind == Kind::udt) names.insert(type.name);
  for (const Type& argument : type.arguments) add_user_types(argument, names);
}

}  // namespace dinette::cql::schema
