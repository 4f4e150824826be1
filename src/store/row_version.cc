#include "store/row_version.h"

#include <chrono>
#include <cstddef>

#include "dinette/base/bytes.h"

namespace dinette::store {
namespace {

// Kept on disk (FORMAT.md).
constexpr char format = 1;
constexpr std::size_t exists_at = 1;
constexpr std::size_t moment_at = 2;
constexpr std::size_t table_version_at = moment_at + sizeof(std::uint64_t);
constexpr std::size_t header_size = table_version_at + sizeof(std::uint64_t);

}  // namespace

kv::Value encode_version(const RowVersion& version) {
  char header[header_size];
  header[0] = format;
  header[exists_at] = version.former ? 1 : 0;
  base::store_big_endian(header + moment_at,
                         static_cast<std::uint64_t>(version.moment.time_since_epoch().count()));
  base::store_big_endian(header + table_version_at, version.table_version);
  return kv::Value::join({{header, sizeof header}, version.former.view()});
}

std::optional<RowVersionView> decode_version(std::string_view bytes) {
  if (bytes.size() < header_size || bytes.front() != format || bytes[exists_at] > 1) return std::nullopt;
  const auto moment = base::load_big_endian<std::uint64_t>(bytes.data() + moment_at);
  RowVersionView version{base::TimePoint(std::chrono::microseconds(static_cast<std::int64_t>(moment))),
                         base::load_big_endian<std::uint64_t>(bytes.data() + table_version_at), std::nullopt};
  if (bytes[exists_at] == 1) version.former = bytes.substr(header_size);
  return version;
}

}  // namespace dinette::store
