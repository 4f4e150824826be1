#include "dinette/store/placement.h"

#include <algorithm>

#include "dinette/base/bytes.h"

namespace dinette::store {
namespace {

__extension__ using Wide = unsigned __int128;

/// Returns the first hash of `segment`; empty, "no end", for the one after the last.
std::string segment_begin(std::uint32_t segment, std::uint32_t segments) {
  std::string bytes;
  if (segment == segments) return bytes;
  const Wide first = ((Wide{segment} << 64) + segments - 1) / segments;
  base::append_big_endian(bytes, static_cast<std::uint64_t>(first));
  return bytes;
}

}  // namespace

void append_partition_hash(std::string& key, PartitionHash hash) {
  base::append_big_endian(key, hash);
}

PartitionHash hash_at(std::string_view key) {
  std::string hash(key.substr(0, partition_hash_size));
  hash.resize(partition_hash_size, '\0');
  return base::load_big_endian<PartitionHash>(hash.data());
}

KeyRange KeyRange::of_prefix(std::string_view prefix) {
  return {std::string(prefix), base::prefix_end(prefix)};
}

KeyRange KeyRange::of_segment(std::uint32_t segment, std::uint32_t segments) {
  return {segment_begin(segment, segments), segment_begin(segment + 1, segments)};
}

void KeyRange::start_after(std::string_view key, Direction direction) {
  if (direction == Direction::backward) {
    if (end.empty() || key < end) end = key;
  } else if (key >= begin) {
    begin.assign(key).push_back('\0');  // the next possible key
  }
}

}  // namespace dinette::store
