// Requests of the native protocol, and values of all types in them. What is refused is refused with a text;
// keys of values that are accepted can be made.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <variant>

#include "cql/frames/requests.h"
#include "cql/types/check_value.h"
#include "cql/types/key_order.h"

using namespace dinette::cql;

namespace {

constexpr Kind scalar_kinds[] = {
    Kind::ascii,   Kind::bigint,  Kind::blob,     Kind::boolean,  Kind::counter,
    Kind::decimal, Kind::double_, Kind::float_,   Kind::int_,     Kind::timestamp,
    Kind::uuid,    Kind::text,    Kind::varint,   Kind::timeuuid, Kind::inet,
    Kind::date,    Kind::time,    Kind::smallint, Kind::tinyint,  Kind::duration,
};

Type nested_type() {
  const Type pair{.kind = Kind::tuple, .arguments = {{.kind = Kind::decimal}, {.kind = Kind::duration}}};
  const Type list{.kind = Kind::list, .frozen = true, .arguments = {pair}};
  return {.kind = Kind::map, .arguments = {{.kind = Kind::varint}, list}};
}

void check(const Type& type, std::string_view bytes) {
  const auto checked = check_value(type, bytes);
  if (!checked.ok() && checked.error().message.empty()) std::abort();
  if (checked.ok() && compare_values(type, bytes, bytes) != 0) std::abort();
}

void check_values(const frames::Parameters& parameters) {
  static const Type nested = nested_type();
  for (const frames::Value& value : parameters.values) {
    for (const Kind kind : scalar_kinds) check({.kind = kind}, value.bytes);
    check(nested, value.bytes);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  if (size < frames::header_size || !frames::request_version(input.front()).ok()) return 0;
  const frames::Header header = frames::read_header(input);
  const auto request = frames::read_request(header, input.substr(frames::header_size));
  if (!request.ok()) {
    if (request.error().message.empty()) std::abort();
    return 0;
  }
  if (const auto* const query = std::get_if<frames::Query>(&*request)) check_values(query->parameters);
  if (const auto* const execute = std::get_if<frames::Execute>(&*request)) check_values(execute->parameters);
  return 0;
}
