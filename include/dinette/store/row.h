#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dinette/kv/commit_position.h"
#include "dinette/kv/value.h"
#include "dinette/store/catalog.h"
#include "dinette/store/entry.h"
#include "dinette/store/placement.h"

namespace dinette::store {

/// Names a stream of change records. Assigned by Store::new_stream(); never reused, not even for another
/// face.
enum class StreamId : std::uint64_t {};

/// The position of a record in its stream: later commits have greater positions.
using StreamPosition = kv::CommitPosition;

/// The kinds of ordered key sets. Kept on disk: never renumber.
enum class Space : std::uint8_t {
  face = 0x03,  // of no table, as are streams, which are only appended to
  rows = 0x20,
  versions = 0x28,
  index = 0x30,
  expiry = 0x50,
  marks = 0x60,
};

/// An ordered key set: of a table, dropped with it, or of the face.
struct Area {
  Space space = Space::rows;
  std::uint32_t number = 0;  ///< the IndexId of Space::index, the SpaceId of Space::face, else 0

  static constexpr Area rows() { return {}; }
  /// The former values of rows (past_rows.h). Written by the store alone.
  static constexpr Area versions() { return {Space::versions, 0}; }
  static constexpr Area of_index(IndexId index) { return {Space::index, index}; }
  static constexpr Area of_face(SpaceId space) { return {Space::face, static_cast<std::uint32_t>(space)}; }
  static constexpr Area expiry() { return {Space::expiry, 0}; }
  /// What the face notes of a row, at the key of the row; a note may outlive its row.
  static constexpr Area marks() { return {Space::marks, 0}; }
};

/// The number of rows, and of bytes as the face counts them, in a table or an index; or an increment of both.
struct Count {
  std::int64_t rows = 0;
  std::int64_t bytes = 0;

  Count& operator+=(const Count& other) {
    rows += other.rows;
    bytes += other.bytes;
    return *this;
  }
  friend bool operator==(const Count&, const Count&) = default;
};

/// One key of one area to be written along with a row: an index entry, an additional key of a row of several
/// keys, an expiry entry, an entry of the face.
struct KeyWrite {
  /// While an index is being built, its rows may or may not have their entries yet, so writes depend on what
  /// exists.
  enum class When : std::uint8_t { always, absent, present };

  Area area;
  std::string key;           ///< as placement.h builds it
  kv::Value value;           ///< null erases the key
  Count count = {};          ///< added to the counters of the index, for Area::of_index
  When when = When::always;  ///< otherwise written and counted only if the key was absent, or present
};

/// All keys in a range of one area, to be erased along with a row.
struct RangeErase {
  Area area;
  KeyRange range;
  Count count = {};  ///< added to the counters of the index, for Area::of_index
};

/// A record to be appended to a stream in commit order.
struct StreamAppend {
  StreamId stream;
  kv::Value record;
};

/// The changes of a write to one of its targets (write.h), in the order of these members. By default nothing
/// changes.
///
/// An entry of the face belongs to no table: its change may have a new value, other entries of the face and
/// records; counts are ignored.
struct RowChange {
  enum class Row : std::uint8_t { keep, put, erase };

  std::vector<RangeErase> erased_ranges;
  Row row = Row::keep;
  kv::Value value;  ///< the new row or entry for Row::put
  std::vector<KeyWrite> entries;
  std::vector<StreamAppend> records;
  Count count;  ///< added to the table's counters
  /// Added to the bytes of the partition of the row, if those are counted.
  std::int64_t partition_bytes = 0;
};

}  // namespace dinette::store
