#include "kinesis/streams/stored_record.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include "dinette/base/bytes.h"

namespace dinette::kinesis {
namespace {

constexpr char record_format = 1;
constexpr std::size_t arrived_at = 1;
constexpr std::size_t hash_at = arrived_at + sizeof(std::uint64_t);
constexpr std::size_t key_size_at = hash_at + sizeof(HashKey);
constexpr std::size_t partition_key_at = key_size_at + sizeof(std::uint16_t);

}  // namespace

kv::Value encode_record(const StoredRecord& record) {
  std::string head(1, record_format);
  head.reserve(partition_key_at);
  base::append_big_endian(head, static_cast<std::uint64_t>(record.arrived.milliseconds));
  base::append_big_endian(head, record.hash.high);
  base::append_big_endian(head, record.hash.low);
  base::append_big_endian(head, static_cast<std::uint16_t>(record.partition_key.size()));
  return kv::Value::join({head, record.partition_key, record.data});
}

kv::Result<StoredRecord> decode_record(std::string_view bytes) {
  const auto corrupt = [] {
    return base::Failure{kv::Error{kv::ErrorKind::corrupt, "a record of a stream cannot be read"}};
  };
  if (bytes.size() < partition_key_at || bytes.front() != record_format) return corrupt();
  const auto key_size = base::load_big_endian<std::uint16_t>(bytes.data() + key_size_at);
  const std::string_view content = bytes.substr(partition_key_at);
  if (content.size() < key_size) return corrupt();
  const auto arrived = base::load_big_endian<std::uint64_t>(bytes.data() + arrived_at);
  return StoredRecord{aws::Timestamp(static_cast<std::int64_t>(arrived)),
                      {base::load_big_endian<std::uint64_t>(bytes.data() + hash_at),
                       base::load_big_endian<std::uint64_t>(bytes.data() + hash_at + sizeof(std::uint64_t))},
                      content.substr(0, key_size),
                      content.substr(key_size)};
}

}  // namespace dinette::kinesis
