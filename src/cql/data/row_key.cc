#include "cql/data/row_key.h"

#include "dinette/base/bytes.h"
#include "dinette/store/key_codec.h"

#include "cql/types/key_order.h"
#include "cql/types/parts.h"
#include "cql/types/token.h"

namespace dinette::cql::data {
namespace {

constexpr char partition_mark = 0;
constexpr char row_mark = 1;

/// Tokens are signed; the store orders partitions by unsigned numbers.
store::PartitionHash hash_of(std::int64_t token) {
  return static_cast<std::uint64_t>(token) ^ (std::uint64_t{1} << 63);
}

/// Reads the values of several columns of a partition key.
bool read_components(std::string_view bytes, std::size_t count, std::vector<std::string_view>& out) {
  for (std::size_t i = 0; i < count; ++i) {
    if (bytes.size() < 2) return false;
    const std::size_t size = base::load_big_endian<std::uint16_t>(bytes.data());
    if (bytes.size() < size + 3) return false;
    out.push_back(bytes.substr(2, size));
    bytes.remove_prefix(size + 3);
  }
  return bytes.empty();
}

}  // namespace

std::string partition_prefix(std::span<const std::string_view> values) {
  const std::string bytes = partition_key_bytes(values);
  constexpr std::size_t beside = 32;  // the hash, the end of the bytes, and a short clustering key
  std::string key;
  key.reserve(bytes.size() + beside);
  store::append_partition_hash(key, hash_of(murmur3_token(bytes)));
  store::append_bytes(key, bytes);
  return key;
}

std::string partition_record_key(std::string_view prefix) {
  return std::string(prefix) + partition_mark;
}

std::string rows_prefix(std::string_view prefix) {
  return std::string(prefix) + row_mark;
}

void make_row_key(std::string& prefix, std::string_view part) {
  prefix.push_back(row_mark);
  prefix += part;
}

std::string clustering_part(const schema::Table& table, std::span<const std::string_view> values) {
  std::string key;
  const std::size_t first = table.partition_key_size();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const schema::Column& column = table.columns[first + i];
    append_key(key, column.type, values[i], column.order);
  }
  return key;
}

bool read_key(const schema::Table& table, std::string_view key, ReadKey& out) {
  if (key.size() < store::partition_hash_size) return false;
  store::TupleReader in(key.substr(store::partition_hash_size));
  auto bytes = in.read_bytes();
  if (!bytes || in.rest().empty()) return false;
  out.partition_key = *std::move(bytes);
  out.prefix_size = key.size() - in.rest().size();
  out.is_row = in.rest().front() == row_mark;
  out.partition.clear();
  const std::size_t columns = table.partition_key_size();
  if (columns > 1) return read_components(out.partition_key, columns, out.partition);
  out.partition.push_back(out.partition_key);
  return true;
}

std::optional<store::KeyRange> token_range(std::int64_t first, std::int64_t last) {
  if (first > last) return std::nullopt;
  store::KeyRange range;
  store::append_partition_hash(range.begin, hash_of(first));
  std::string end;
  store::append_partition_hash(end, hash_of(last));
  range.end = base::prefix_end(end);
  return range;
}

std::int64_t token_at(std::string_view key) {
  return static_cast<std::int64_t>(store::hash_at(key) ^ (std::uint64_t{1} << 63));
}

}  // namespace dinette::cql::data
