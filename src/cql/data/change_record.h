#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "dinette/base/clock.h"
#include "dinette/store/row.h"

#include "cql/data/record.h"
#include "cql/schema/schema.h"

/// Records of changes, as streams of tables keep them (src/cql/FORMAT.md, Streams of changes;
/// docs/service-keyspaces/control-plane.md section 5).
namespace dinette::cql::data {

enum class ChangeOrigin : std::uint8_t { user = 0, time_to_live = 1 };

/// A change of one row, or of the static cells of a partition. Images have only what could be seen; which
/// there are follows from the view of the stream. Views of the record.
struct ChangeRecord {
  ChangeOrigin origin = ChangeOrigin::user;
  bool of_statics = false;
  base::TimePoint created{};
  std::vector<std::string_view> partition{};
  std::vector<std::string_view> clustering{};  ///< of a row
  std::optional<Row> before{};                 ///< of static cells: a row that has them
  std::optional<Row> after{};
};

/// Returns the record of a change for the open stream of a table; nothing if nothing that could be seen has
/// changed. `before` and `after` are null where nothing could be seen.
std::optional<store::StreamAppend> change_of(const schema::Table& table, ChangeRecord record,
                                             const Row* before, const Row* after);

/// Fails with ErrorKind::corrupt. Views are of `bytes`, which must outlive what is returned.
kv::Result<ChangeRecord> decode_change(std::string_view bytes);

}  // namespace dinette::cql::data
