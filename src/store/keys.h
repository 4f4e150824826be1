#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include <boost/container/small_vector.hpp>

#include "dinette/kv/write_batch.h"
#include "dinette/store/catalog.h"
#include "dinette/store/placement.h"
#include "dinette/store/row.h"

/// The engine keys of the store; see FORMAT.md.
namespace dinette::store {

/// Whose keys: those of a face, in one of its name spaces (Store). A view.
struct KeyOwner {
  std::uint8_t face;
  std::string_view name_space;
};

/// The table id in keys that belong to no table.
inline constexpr TableId no_table = 0;

/// An engine key, or the beginning of one; on the stack if it is of usual size.
class EngineKey {
 public:
  /// The beginning of all keys of a table, which is also the name of the lock on it.
  static EngineKey table(std::uint8_t face, TableId id);
  static EngineKey stamp(std::uint8_t face, TableId id);
  static EngineKey counters(std::uint8_t face, TableId id, IndexId index);
  static EngineKey partition_bytes(std::uint8_t face, TableId id, std::string_view partition);
  /// The beginning of all keys of an area.
  static EngineKey area(KeyOwner owner, TableId id, Area area);
  static EngineKey space(KeyOwner owner, SpaceId space);
  static EngineKey stream(std::uint8_t face, StreamId stream);
  /// The counters of the records of a stream; for id 0 the beginning of all of them.
  static EngineKey stream_counters(std::uint8_t face, StreamId stream);
  /// The counters of the former values of the rows of a table; for id 0 the beginning of all of them.
  static EngineKey former_counters(std::uint8_t face, TableId id);
  /// The beginning of all records of tables by their names, in all name spaces.
  static EngineKey names(std::uint8_t face);
  /// The same in one.
  static EngineKey names(KeyOwner owner);
  /// The key of the record of a table by its name.
  static EngineKey name(KeyOwner owner, std::string_view name);
  /// The key of the record of a table without a name; for id 0 the beginning of all of them.
  static EngineKey unnamed(KeyOwner owner, TableId id);
  /// The key of the record of a table, whether it has a name or not.
  static EngineKey record(KeyOwner owner, const Table& table);
  /// The beginnings of the keys in which a name space other than "" follows, as bytes of a tuple.
  static std::array<EngineKey, 3> with_name_space(std::uint8_t face);
  static EngineKey format();
  static EngineKey last_id();
  static EngineKey clock();
  static EngineKey setting(std::string_view name);
  static EngineKey catalog_version(std::uint8_t face);

  EngineKey& append(std::string_view bytes);

  std::string_view view() const { return {bytes_.data(), bytes_.size()}; }
  std::size_t size() const { return bytes_.size(); }

  static constexpr std::size_t table_size = 9;  ///< bytes of table()

 private:
  /// The beginning of all keys: the face, the table and the space.
  static EngineKey in_space(std::uint8_t face, TableId id, char space);
  /// The same of what belongs to no table, with the name space if it is not "".
  static EngineKey in_name_space(KeyOwner owner, char space, char named_space);
  /// The key of a number in a space of no table; for 0 the beginning of all of them.
  static EngineKey numbered(std::uint8_t face, char space, std::uint64_t number);
  explicit EngineKey(std::string_view bytes) : bytes_(bytes.begin(), bytes.end()) {}

  boost::container::small_vector<char, 192> bytes_;
};

/// The engine keys in a range of the keys that start with `prefix`.
class EngineRange {
 public:
  EngineRange(const EngineKey& prefix, const KeyRange& range);

  kv::Range view() const { return {begin_.view(), end_}; }

 private:
  EngineKey begin_;
  std::string end_;
};

}  // namespace dinette::store
