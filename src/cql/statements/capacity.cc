#include "cql/statements/capacity.h"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

namespace dinette::cql::statements {
namespace {

/// What a table can do per second: what is provisioned, else what is warm.
double capacity_of(const store::Table& table, Throttle::Axis axis) {
  const schema::Capacity& capacity = table.schema_as<schema::TableSchema>().table().options.capacity;
  const bool reads = axis == Throttle::Axis::read;
  if (capacity.provisioned) return static_cast<double>(reads ? capacity.read_units : capacity.write_units);
  return static_cast<double>(reads ? capacity.warm_read_units : capacity.warm_write_units);
}

base::Failure<Error> timed_out(ErrorCode code, std::vector<std::string> names = {}) {
  return Error{code, "Operation timed out - received only 0 responses.", std::move(names)};
}

}  // namespace

std::uint64_t units_of(std::span<const data::WrittenRecord> records, bool logged) {
  std::uint64_t units = 0;
  for (const data::WrittenRecord& record : records)
    units += write_units(record.metered) * (logged || record.beside_other ? 2 : 1);
  return units;
}

void charge_read(const Place& place, const store::Table& table, std::uint64_t units,
                 frames::Consistency level) {
  const bool weak = level == frames::Consistency::one || level == frames::Consistency::local_one;
  const double consumed = static_cast<double>(std::max<std::uint64_t>(units, 1)) * (weak ? 0.5 : 1.0);
  if (place.details != nullptr) place.details->table(table.name).read_units += consumed;
  if (place.capacity != nullptr) place.capacity->add_read(table.name, consumed);
  if (place.throttle != nullptr) place.throttle->consume(table, Throttle::Axis::read, consumed);
}

void charge_write(const Place& place, const store::Table& table, std::uint64_t units) {
  const auto consumed = static_cast<double>(units);
  if (place.details != nullptr) place.details->table(table.name).write_units += consumed;
  if (place.capacity != nullptr) place.capacity->add_write(table.name, consumed);
  if (place.throttle != nullptr) place.throttle->consume(table, Throttle::Axis::write, consumed);
}

bool Throttle::admits(const store::Table& table, Axis axis, base::TimePoint now) {
  const double most = capacity_of(table, axis);
  const std::lock_guard lock(mutex_);
  Bucket& bucket = buckets_[table.name][static_cast<std::size_t>(axis)];
  if (!bucket.begun || now < bucket.filled) bucket = {.units = most, .filled = now, .begun = true};
  const std::chrono::duration<double> passed = now - bucket.filled;
  bucket.units = std::min(most, bucket.units + most * passed.count());
  bucket.filled = now;
  return bucket.units > 0;
}

void Throttle::consume(const store::Table& table, Axis axis, double units) {
  const std::lock_guard lock(mutex_);
  buckets_[table.name][static_cast<std::size_t>(axis)].units -= units;
}

Answer<void> check_read_capacity(const Place& place, const store::Table& table) {
  if (place.throttle == nullptr || place.throttle->admits(table, Throttle::Axis::read, place.now)) return {};
  return timed_out(ErrorCode::read_timeout);
}

Answer<void> check_write_capacity(const Place& place, const store::Table& table, std::string_view type) {
  if (place.throttle == nullptr || place.throttle->admits(table, Throttle::Axis::write, place.now)) return {};
  return timed_out(ErrorCode::write_timeout, {std::string(type)});
}

}  // namespace dinette::cql::statements
