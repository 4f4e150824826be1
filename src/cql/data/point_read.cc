#include "cql/data/point_read.h"

#include <string>
#include <utility>

#include "cql/data/merge.h"
#include "cql/data/read_units.h"

namespace dinette::cql::data {

kv::Result<void> PointRead::read(const ScanSource& source, std::span<const std::string_view> partition,
                                 std::string prefix, std::string_view key_part) {
  ReadUnits units(*source.table, source.sizes);
  // Static cells, and deletions of several rows, are only of partitions with several rows.
  if (source.table->clustering_size() > 0) {
    DINETTE_TRY(auto value, source.view->read(*source.stored, partition_record_key(prefix)));
    if (value) {
      partition_value_ = *std::move(value);
      DINETTE_TRY(partition_, decode_partition(partition_value_.view()));
      units.add_statics(partition, partition_.statics);
      keep_visible(partition_.statics, partition_.deletion, source.now);
    }
  }
  make_row_key(prefix, key_part);
  DINETTE_TRY(auto value, source.view->read(*source.stored, prefix));
  if (value) {
    row_value_ = *std::move(value);
    DINETTE_TRY(row_, decode_row(row_value_.view()));
    row_bytes_ = units.add_row(partition, row_);
    found_ = keep_visible(row_, partition_.deletion_of(key_part), source.now);
  }
  units.end_partition();
  units_ = units.units();
  return {};
}

}  // namespace dinette::cql::data
