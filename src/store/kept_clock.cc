#include "dinette/store/kept_clock.h"

#include <bit>
#include <cstdint>
#include <string>

#include "dinette/base/bytes.h"

#include "store/keys.h"

namespace dinette::store {
namespace {

constexpr std::size_t record_size = 3 * sizeof(std::uint64_t) + 1;

std::uint64_t microseconds_of(base::TimePoint moment) {
  return static_cast<std::uint64_t>(moment.time_since_epoch().count());
}

base::TimePoint time_at(const char* bytes) {
  const auto microseconds = static_cast<std::int64_t>(base::load_big_endian<std::uint64_t>(bytes));
  return base::TimePoint(std::chrono::microseconds(microseconds));
}

}  // namespace

kv::Result<base::ClockSetting> read_clock(const kv::Engine& engine) {
  DINETTE_TRY(const auto record, engine.get(EngineKey::clock().view()));
  if (!record) return base::ClockSetting();
  if (record->size() != record_size)
    return base::Failure{kv::Error{kv::ErrorKind::corrupt, "the clock of a world cannot be read"}};
  const char* bytes = record->view().data();
  return base::ClockSetting{.source = time_at(bytes),
                            .shown = time_at(bytes + 8),
                            .rate = std::bit_cast<double>(base::load_big_endian<std::uint64_t>(bytes + 16)),
                            .frozen = bytes[24] != 0};
}

kv::Result<void> keep_clock(kv::Engine& engine, const base::ClockSetting& setting) {
  if (!engine.capabilities().durable) return {};
  std::string record;
  base::append_big_endian(record, microseconds_of(setting.source));
  base::append_big_endian(record, microseconds_of(setting.shown));
  base::append_big_endian(record, std::bit_cast<std::uint64_t>(setting.rate));
  record += setting.frozen ? '\1' : '\0';
  kv::WriteBatch batch;
  batch.put(EngineKey::clock().view(), kv::Value(record));
  DINETTE_CHECK(engine.write(batch));
  return {};
}

}  // namespace dinette::store
