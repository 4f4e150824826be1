#include "dynamodb/indexes/expiry_entry.h"

#include <array>
#include <chrono>
#include <utility>

#include "dinette/base/bytes.h"

#include "dynamodb/api/limits.h"
#include "dynamodb/codec/record.h"
#include "dynamodb/model/number.h"

namespace dinette::dynamodb {
namespace {

constexpr std::size_t end_size = sizeof(ExpiryTime);

ExpiryTime expiry_milliseconds(base::TimePoint moment) {
  const std::int64_t since_1970 = codec::Timestamp(moment).milliseconds;
  return since_1970 < 0 ? 0 : static_cast<ExpiryTime>(since_1970);
}

/// An item whose time is over before this one stays.
ExpiryTime earliest(base::TimePoint now) {
  return expiry_milliseconds(now - std::chrono::years(model::limits::time_to_live_years));
}

/// Seconds since 1970 as milliseconds, rounded down. What lies beyond some hundred thousand years never
/// comes.
std::optional<ExpiryTime> in_milliseconds(const model::Number& seconds) {
  constexpr int milli = 3;
  constexpr int most_digits = 16;
  const int exponent = seconds.exponent() + milli;
  if (seconds.negative() || seconds.digits() + exponent > most_digits) return std::nullopt;
  if (seconds.digits() + exponent <= 0) return 0;
  model::Number::Coefficient value = seconds.coefficient();
  for (int i = 0; i < exponent; ++i) value *= 10;
  for (int i = 0; i > exponent; --i) value /= 10;
  return static_cast<ExpiryTime>(value);
}

store::KeyWrite entry(ExpiryTime end, std::string_view row_key, kv::Value value) {
  return {.area = store::Area::expiry(), .key = expiry_key(end, row_key), .value = std::move(value)};
}

}  // namespace

kv::Result<std::optional<ExpiryTime>> expiry_of(const TableSchema& schema, const kv::Value& record) {
  const auto& setting = schema.record().time_to_live;
  if (!setting || !record) return std::optional<ExpiryTime>();
  const std::array<std::string_view, 1> names{setting->attribute_name};
  DINETTE_TRY(const model::Item item, codec::read_attributes(record.view(), names));
  const model::AttributeValue* const value = item.find(setting->attribute_name);
  const auto* const seconds = value ? value->get_if<model::Number>() : nullptr;
  return seconds ? in_milliseconds(*seconds) : std::nullopt;
}

bool is_expired(ExpiryTime end, base::TimePoint now) {
  return end >= earliest(now) && end < expiry_milliseconds(now);
}

store::KeyRange expired_entries(base::TimePoint now) {
  return {expiry_key(earliest(now), {}), expiry_key(expiry_milliseconds(now), {})};
}

std::string expiry_key(ExpiryTime end, std::string_view row_key) {
  std::string key;
  base::append_big_endian(key, end);
  return key.append(row_key);
}

ExpiryTime end_in_expiry_key(std::string_view key) {
  return key.size() < end_size ? 0 : base::load_big_endian<ExpiryTime>(key.data());
}

std::string_view row_in_expiry_key(std::string_view key) {
  return key.size() < end_size ? std::string_view() : key.substr(end_size);
}

store::KeyWrite expiry_entry(ExpiryTime end, std::string_view row_key) {
  return entry(end, row_key, kv::Value(""));
}

kv::Result<std::optional<ExpiryTime>> update_expiry(store::RowChange& change, const TableSchema& schema,
                                                    std::string_view row_key, const ItemImage& before,
                                                    const ItemImage& after) {
  if (!schema.record().time_to_live) return std::optional<ExpiryTime>();
  DINETTE_TRY(const std::optional<ExpiryTime> old_end, expiry_of(schema, before.record));
  DINETTE_TRY(std::optional<ExpiryTime> new_end, expiry_of(schema, after.record));
  if (old_end == new_end) return std::optional<ExpiryTime>();
  if (old_end) change.entries.push_back(entry(*old_end, row_key, {}));
  if (new_end) change.entries.push_back(expiry_entry(*new_end, row_key));
  return new_end;
}

}  // namespace dinette::dynamodb
