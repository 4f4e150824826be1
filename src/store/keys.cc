#include "store/keys.h"

#include <string>

#include "dinette/base/bytes.h"
#include "dinette/store/key_codec.h"

namespace dinette::store {
namespace {

// Kept on disk: never renumber. The spaces of rows and what belongs to them are in store::Space.
constexpr std::uint8_t every_face = 0;
constexpr char stamp_space = 0x00;
constexpr char counter_space = 0x10;
constexpr char partition_bytes_space = 0x11;
constexpr char format_space = 0x00;          // of no_table, every_face
constexpr char name_space_space = 0x01;      // of no_table
constexpr char last_id_space = 0x02;         // of no_table, every_face
constexpr char stream_space = 0x04;          // of no_table
constexpr char clock_space = 0x06;           // of no_table, every_face
constexpr char setting_space = 0x0E;         // of no_table, every_face
constexpr char catalog_space = 0x05;         // of no_table
constexpr char unnamed_space = 0x07;         // of no_table
constexpr char stream_counter_space = 0x08;  // of no_table
constexpr char former_counter_space = 0x09;  // of no_table
// The same as Space::face and unnamed_space, in name spaces other than "".
constexpr char named_entry_space = 0x0A;    // of no_table
constexpr char named_unnamed_space = 0x0B;  // of no_table

template <class Unsigned>
std::string_view big_endian_bytes(char (&bytes)[sizeof(Unsigned)], Unsigned value) {
  base::store_big_endian(bytes, value);
  return {bytes, sizeof bytes};
}

}  // namespace

EngineKey& EngineKey::append(std::string_view bytes) {
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  return *this;
}

EngineKey EngineKey::table(std::uint8_t face, TableId id) {
  char bytes[table_size];
  bytes[0] = static_cast<char>(face);
  base::store_big_endian(bytes + 1, id);
  return EngineKey({bytes, sizeof bytes});
}

EngineKey EngineKey::in_space(std::uint8_t face, TableId id, char space) {
  char bytes[table_size + sizeof space];
  bytes[0] = static_cast<char>(face);
  base::store_big_endian(bytes + 1, id);
  bytes[table_size] = space;
  return EngineKey({bytes, sizeof bytes});
}

EngineKey EngineKey::stamp(std::uint8_t face, TableId id) {
  return in_space(face, id, stamp_space);
}

EngineKey EngineKey::counters(std::uint8_t face, TableId id, IndexId index) {
  char bytes[sizeof index];
  EngineKey key = in_space(face, id, counter_space);
  key.append(big_endian_bytes(bytes, index));
  return key;
}

EngineKey EngineKey::partition_bytes(std::uint8_t face, TableId id, std::string_view partition) {
  EngineKey key = in_space(face, id, partition_bytes_space);
  key.append(partition);
  return key;
}

EngineKey EngineKey::in_name_space(KeyOwner owner, char space, char named_space) {
  if (owner.name_space.empty()) return in_space(owner.face, no_table, space);
  std::string tuple;
  append_bytes(tuple, owner.name_space);
  EngineKey key = in_space(owner.face, no_table, named_space);
  key.append(tuple);
  return key;
}

EngineKey EngineKey::area(KeyOwner owner, TableId id, Area area) {
  char number[sizeof area.number];
  const auto space = static_cast<char>(area.space);
  EngineKey key = area.space == Space::face ? in_name_space(owner, space, named_entry_space)
                                            : in_space(owner.face, id, space);
  if (area.space == Space::index || area.space == Space::face)
    key.append(big_endian_bytes(number, area.number));
  return key;
}

EngineKey EngineKey::space(KeyOwner owner, SpaceId space) {
  return area(owner, no_table, Area::of_face(space));
}

EngineKey EngineKey::stream(std::uint8_t face, StreamId stream) {
  char id[sizeof stream];
  EngineKey key = in_space(face, no_table, stream_space);
  key.append(big_endian_bytes(id, static_cast<std::uint64_t>(stream)));
  return key;
}

EngineKey EngineKey::stream_counters(std::uint8_t face, StreamId stream) {
  return numbered(face, stream_counter_space, static_cast<std::uint64_t>(stream));
}

EngineKey EngineKey::former_counters(std::uint8_t face, TableId id) {
  return numbered(face, former_counter_space, id);
}

EngineKey EngineKey::names(std::uint8_t face) {
  return in_space(face, no_table, name_space_space);
}

EngineKey EngineKey::names(KeyOwner owner) {
  std::string tuple;
  append_bytes(tuple, owner.name_space);
  EngineKey key = names(owner.face);
  key.append(tuple);
  return key;
}

EngineKey EngineKey::name(KeyOwner owner, std::string_view name) {
  std::string tuple;
  append_bytes(tuple, name);
  EngineKey key = names(owner);
  key.append(tuple);
  return key;
}

std::array<EngineKey, 3> EngineKey::with_name_space(std::uint8_t face) {
  return {names(face), in_space(face, no_table, named_entry_space),
          in_space(face, no_table, named_unnamed_space)};
}

EngineKey EngineKey::numbered(std::uint8_t face, char space, std::uint64_t number) {
  char bytes[sizeof number];
  EngineKey key = in_space(face, no_table, space);
  if (number != 0) key.append(big_endian_bytes(bytes, number));
  return key;
}

EngineKey EngineKey::unnamed(KeyOwner owner, TableId id) {
  char bytes[sizeof id];
  EngineKey key = in_name_space(owner, unnamed_space, named_unnamed_space);
  if (id != no_table) key.append(big_endian_bytes(bytes, id));
  return key;
}

EngineKey EngineKey::record(KeyOwner owner, const Table& table) {
  return table.name.empty() ? unnamed(owner, table.id) : name(owner, table.name);
}

EngineKey EngineKey::format() {
  return in_space(every_face, no_table, format_space);
}

EngineKey EngineKey::clock() {
  return in_space(every_face, no_table, clock_space);
}

EngineKey EngineKey::setting(std::string_view name) {
  return in_space(every_face, no_table, setting_space).append(name);
}

EngineKey EngineKey::last_id() {
  return in_space(every_face, no_table, last_id_space);
}

EngineKey EngineKey::catalog_version(std::uint8_t face) {
  return in_space(face, no_table, catalog_space);
}

EngineRange::EngineRange(const EngineKey& prefix, const KeyRange& range) : begin_(prefix) {
  begin_.append(range.begin);
  if (range.end.empty()) {
    end_ = base::prefix_end(prefix.view());
  } else {
    end_.assign(prefix.view()).append(range.end);
  }
}

}  // namespace dinette::store
