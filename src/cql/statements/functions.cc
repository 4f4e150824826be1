#include "cql/statements/functions.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <map>
#include <utility>

#include "dinette/base/ascii.h"
#include "dinette/base/bytes.h"

#include "cql/types/check_value.h"
#include "cql/values/numbers.h"

namespace dinette::cql::statements {
namespace {

/// Between 1582-10-15, from which uuids count, and 1970, in 100 ns.
constexpr std::int64_t uuid_epoch = 0x01B21DD213814000;
constexpr std::int64_t ticks_per_millisecond = 10'000;
constexpr std::int64_t milliseconds_per_day = 86'400'000;
constexpr std::int64_t epoch_day = std::int64_t{1} << 31;

std::int64_t milliseconds_at(base::TimePoint now) {
  return std::chrono::floor<std::chrono::milliseconds>(now.time_since_epoch()).count();
}

std::int64_t floor_days(std::int64_t milliseconds) {
  return milliseconds / milliseconds_per_day - (milliseconds % milliseconds_per_day < 0 ? 1 : 0);
}

/// A uuid of version 1: its time, then eight bytes.
std::string timeuuid_at(std::int64_t ticks, std::uint64_t rest) {
  const auto time = static_cast<std::uint64_t>(ticks + uuid_epoch);
  std::string uuid;
  base::append_big_endian(uuid, static_cast<std::uint32_t>(time));
  base::append_big_endian(uuid, static_cast<std::uint16_t>(time >> 32));
  base::append_big_endian(uuid, static_cast<std::uint16_t>((time >> 48 & 0x0FFF) | 0x1000));
  base::append_big_endian(uuid, rest);
  return uuid;
}

std::int64_t ticks_of(std::string_view uuid) {
  const auto low = base::load_big_endian<std::uint32_t>(uuid.data());
  const auto middle = base::load_big_endian<std::uint16_t>(uuid.data() + 4);
  const auto high = base::load_big_endian<std::uint16_t>(uuid.data() + 6) & 0x0FFF;
  const std::uint64_t time =
      std::uint64_t{low} | std::uint64_t{middle} << 32 | static_cast<std::uint64_t>(high) << 48;
  return static_cast<std::int64_t>(time) - uuid_epoch;
}

Answer<Returned> bytes(std::string value) {
  return Returned(std::move(value));
}

Answer<Returned> now_function(const Function&, const CallContext& context, std::span<const Argument>) {
  return bytes(new_timeuuid(context));
}

Answer<Returned> uuid_function(const Function&, const CallContext& context, std::span<const Argument>) {
  std::string uuid;
  base::append_big_endian(uuid, (context.ids.random() & ~std::uint64_t{0xF000}) | 0x4000);
  base::append_big_endian(uuid, (context.ids.random() & ~(std::uint64_t{3} << 62)) | std::uint64_t{2} << 62);
  return bytes(std::move(uuid));
}

Answer<Returned> current_timestamp(const Function&, const CallContext& context, std::span<const Argument>) {
  return bytes(fixed_bytes(milliseconds_at(context.now), 8));
}

Answer<Returned> current_date(const Function&, const CallContext& context, std::span<const Argument>) {
  return bytes(fixed_bytes(floor_days(milliseconds_at(context.now)) + epoch_day, 4));
}

Answer<Returned> current_time(const Function&, const CallContext& context, std::span<const Argument>) {
  const std::int64_t microseconds = context.now.time_since_epoch().count();
  return bytes(fixed_bytes(microseconds % (milliseconds_per_day * 1000) * 1000, 8));
}

Answer<Returned> min_timeuuid(const Function&, const CallContext&, std::span<const Argument> arguments) {
  const std::int64_t ticks = read_fixed(*arguments[0]) * ticks_per_millisecond;
  return bytes(timeuuid_at(ticks, 0x8080808080808080));
}

Answer<Returned> max_timeuuid(const Function&, const CallContext&, std::span<const Argument> arguments) {
  const std::int64_t ticks = (read_fixed(*arguments[0]) + 1) * ticks_per_millisecond - 1;
  return bytes(timeuuid_at(ticks, 0x7F7F7F7F7F7F7F7F));
}

/// Milliseconds since 1970 of a timeuuid, a date or a timestamp.
std::int64_t milliseconds_in(const Type& type, std::string_view value) {
  if (type.kind == Kind::timeuuid) return milliseconds_of(value);
  if (type.kind != Kind::date) return read_fixed(value);
  const std::int64_t day = base::load_big_endian<std::uint32_t>(value.data());
  return (day - epoch_day) * milliseconds_per_day;
}

Answer<Returned> to_date(const Function& function, const CallContext&, std::span<const Argument> arguments) {
  const std::int64_t milliseconds = milliseconds_in(function.arguments[0], *arguments[0]);
  return bytes(fixed_bytes(floor_days(milliseconds) + epoch_day, 4));
}

/// To a timestamp or to a number of milliseconds, which are the same bytes.
Answer<Returned> to_milliseconds(const Function& function, const CallContext&,
                                 std::span<const Argument> arguments) {
  return bytes(fixed_bytes(milliseconds_in(function.arguments[0], *arguments[0]), 8));
}

Answer<Returned> same_bytes(const Function&, const CallContext&, std::span<const Argument> arguments) {
  return bytes(std::string(*arguments[0]));
}

Answer<Returned> from_blob(const Function& function, const CallContext&,
                           std::span<const Argument> arguments) {
  if (check_value(function.returns, *arguments[0])) return bytes(std::string(*arguments[0]));
  const auto* const first = reinterpret_cast<const unsigned char*>(arguments[0]->data());
  return invalid("In call to function system." + function.name + ", value 0x" +
                 base::hex(std::span(first, arguments[0]->size())) +
                 " is not a valid binary representation for type " + to_text(function.returns));
}

constexpr auto blob_types = std::to_array<std::string_view>(
    {"ascii",     "bigint",   "boolean", "counter", "date",     "decimal", "double",
     "duration",  "float",    "inet",    "int",     "smallint", "text",    "time",
     "timestamp", "timeuuid", "tinyint", "uuid",    "varchar",  "varint"});

using Functions = std::map<std::string, std::vector<Function>, std::less<>>;

class Registry {
 public:
  Registry() {
    const Type timeuuid{.kind = Kind::timeuuid};
    const Type timestamp{.kind = Kind::timestamp};
    const Type date{.kind = Kind::date};
    const Type bigint{.kind = Kind::bigint};
    add("now", {}, timeuuid, now_function);
    add("currenttimeuuid", {}, timeuuid, now_function);
    add("uuid", {}, {.kind = Kind::uuid}, uuid_function);
    add("currenttimestamp", {}, timestamp, current_timestamp);
    add("currentdate", {}, date, current_date);
    add("currenttime", {}, {.kind = Kind::time}, current_time);
    add("mintimeuuid", {timestamp}, timeuuid, min_timeuuid);
    add("maxtimeuuid", {timestamp}, timeuuid, max_timeuuid);
    add("dateof", {timeuuid}, timestamp, to_milliseconds);
    add("unixtimestampof", {timeuuid}, bigint, to_milliseconds);
    add("todate", {timeuuid}, date, to_date);
    add("todate", {timestamp}, date, to_date);
    add("totimestamp", {timeuuid}, timestamp, to_milliseconds);
    add("totimestamp", {date}, timestamp, to_milliseconds);
    add("tounixtimestamp", {timeuuid}, bigint, to_milliseconds);
    add("tounixtimestamp", {timestamp}, bigint, to_milliseconds);
    add("tounixtimestamp", {date}, bigint, to_milliseconds);
    for (const std::string_view name : blob_types) {
      const Type type{.kind = *native_kind(name)};
      add(std::string(name) + "asblob", {type}, {.kind = Kind::blob}, same_bytes);
      add("blobas" + std::string(name), {Type{.kind = Kind::blob}}, type, from_blob);
    }
  }

  std::span<const Function> find(std::string_view name) const {
    const auto found = functions_.find(name);
    if (found == functions_.end()) return {};
    return found->second;
  }

 private:
  void add(const std::string& name, std::vector<Type> arguments, Type returns,
           decltype(Function::call) call) {
    functions_[name].push_back({name, std::move(arguments), std::move(returns), call});
  }

  Functions functions_;
};

}  // namespace

std::span<const Function> find_functions(std::string_view name) {
  static const Registry registry;
  return registry.find(name);
}

Answer<Returned> call(const Function& function, const CallContext& context,
                      std::span<const Argument> arguments) {
  for (const Argument& argument : arguments) {
    if (!argument) return Returned();
    // Values of no bytes are no number and no time.
    const bool of_numbers = !function.arguments.empty() && function.arguments.front().kind != Kind::blob;
    if (argument->empty() && of_numbers && function.returns.kind != Kind::blob) {
      return Returned();
    }
  }
  return function.call(function, context, arguments);
}

std::string signature_of(const Function& function) {
  std::string text = "system." + function.name + " : (";
  for (std::size_t i = 0; i < function.arguments.size(); ++i) {
    text.append(i > 0 ? ", " : "").append(to_text(function.arguments[i]));
  }
  return text + ") -> " + to_text(function.returns);
}

std::string new_timeuuid(const CallContext& context) {
  // Of uuids of one microsecond the random bits differ.
  const std::uint64_t random = context.ids.random();
  const std::int64_t ticks = context.now.time_since_epoch().count() * 10;
  return timeuuid_at(ticks, (random & ~(std::uint64_t{3} << 62)) | std::uint64_t{2} << 62);
}

std::int64_t milliseconds_of(std::string_view timeuuid) {
  const std::int64_t ticks = ticks_of(timeuuid);
  return ticks / ticks_per_millisecond - (ticks % ticks_per_millisecond < 0 ? 1 : 0);
}

}  // namespace dinette::cql::statements
