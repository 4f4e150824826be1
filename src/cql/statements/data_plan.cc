#include "cql/statements/data_plan.h"

#include "cql/frames/consistency.h"
#include "cql/schema/table_schema.h"

namespace dinette::cql::statements {

Answer<system::OpenTable> open_table(const Place& place, std::string_view keyspace,
                                     const grammar::QualifiedName& name) {
  DINETTE_TRY(const std::string_view chosen, system::keyspace_of(name.keyspace, keyspace));
  return system::open_table(place, chosen, name.name);
}

Answer<bool> is_current(const Place& place, const system::OpenTable& table) {
  if (table.virtual_table != nullptr) return true;
  DINETTE_CQL_STORED(const store::TablePointer found, place.store.catalog().open(table.stored->name));
  // One that is being deleted is refused when it is opened again.
  return found == table.stored && !schema::is_gone(table.table().transition, place.now);
}

Answer<void> check_consistency(const Place& place, const frames::LevelUse& use, const Options& options) {
  if (!place.strict())
    return frames::check_lenient_level(use, options.consistency, options.serial_consistency);
  return use.is_write ? frames::check_write_level(options.consistency)
                      : frames::check_read_level(options.consistency);
}

std::vector<std::uint16_t> key_binds(std::span<const Term* const> key) {
  std::vector<std::uint16_t> places;
  for (const Term* const term : key) {
    if (term == nullptr || !term->is_marker()) return {};
    places.push_back(static_cast<std::uint16_t>(term->marker_index()));
  }
  return places;
}

CallContext call_context(const Place& place) {
  return {place.now, place.store.ids()};
}

}  // namespace dinette::cql::statements
