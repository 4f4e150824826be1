#include "store/partition_bytes.h"

#include "dinette/store/scan.h"

#include "store/stamp.h"

namespace dinette::store {

std::optional<EngineKey> partition_counter(std::uint8_t face, const Table& table, std::string_view row_key) {
  const std::string_view partition = table.schema->counted_partition(row_key);
  if (partition.empty()) return std::nullopt;
  return EngineKey::partition_bytes(face, table.id, partition);
}

void put_partition_bytes(kv::WriteBatch& batch, std::string_view counter, std::int64_t bytes) {
  if (bytes == 0) {
    batch.erase(counter);
  } else {
    batch.put(counter, make_stamp(static_cast<std::uint64_t>(bytes)));
  }
}

kv::Result<std::int64_t> decode_partition_bytes(const kv::Result<std::optional<kv::Value>>& counted) {
  DINETTE_CHECK(counted);
  if (!counted->has_value()) return 0;
  return partition_bytes_in(counted.value()->view());
}

}  // namespace dinette::store
