#include "cql/system/open_table.h"

#include <string>
#include <utility>

#include "cql/system/system_tables.h"

namespace dinette::cql::system {
namespace {

base::Failure<Error> unconfigured(std::string_view keyspace, std::string_view table) {
  return invalid("unconfigured table " + std::string(keyspace) + "." + std::string(table));
}

}  // namespace

Answer<OpenTable> open_table(const Place& place, std::string_view keyspace, std::string_view table) {
  if (is_system_keyspace(keyspace)) {
    const schema::VirtualTable* const found = find_system_table(keyspace, table);
    if (found == nullptr) return unconfigured(keyspace, table);
    return OpenTable{.virtual_table = found};
  }
  DINETTE_TRY(const auto owner, schema::find_keyspace(place, keyspace));
  if (!owner) return invalid("Keyspace " + std::string(keyspace) + " does not exist");
  if (!schema::is_usable(owner->keyspace().transition, place.now))
    return invalid("unconfigured keyspace " + std::string(keyspace));
  DINETTE_TRY(auto found, schema::find_table(place, keyspace, table));
  if (!found || !schema::is_usable(found->table(), place.now)) return unconfigured(keyspace, table);
  return OpenTable{.stored = std::move(found->stored)};
}

Answer<std::string_view> keyspace_of(std::string_view given, std::string_view current) {
  if (!given.empty()) return given;
  if (!current.empty()) return current;
  return invalid("No keyspace has been specified. USE a keyspace, or explicitly specify keyspace.tablename");
}

Answer<void> check_usable(const Place& place, std::string_view keyspace) {
  if (is_system_keyspace(keyspace)) return {};
  DINETTE_TRY(const auto found, schema::find_keyspace(place, keyspace));
  if (!found) return invalid("Keyspace '" + std::string(keyspace) + "' does not exist");
  if (schema::is_usable(found->keyspace().transition, place.now)) return {};
  return invalid("unconfigured keyspace " + std::string(keyspace));
}

Answer<void> check_modifiable(std::string_view keyspace) {
  if (!is_system_keyspace(keyspace)) return {};
  return unauthorized(std::string(keyspace) + " keyspace is not user-modifiable.");
}

}  // namespace dinette::cql::system
