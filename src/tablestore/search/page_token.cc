#include "tablestore/search/page_token.h"

#include <bit>
#include <cstdint>
#include <utility>
#include <variant>

#include "dinette/base/record_bytes.h"

#include "tablestore/request/sealed_text.h"

namespace dinette::tablestore::search {
namespace {

constexpr std::uint8_t token_format = 2;
constexpr std::uint8_t missing = 0xff;

void add_value(base::RecordWriter& out, const std::optional<FieldValue>& value) {
  if (!value) return out.add(missing);
  out.add(static_cast<std::uint8_t>(value->index()));
  if (const auto* const whole = std::get_if<std::int64_t>(&*value)) out.add(*whole);
  if (const auto* const real = std::get_if<double>(&*value)) out.add(std::bit_cast<std::uint64_t>(*real));
  if (const auto* const truth = std::get_if<bool>(&*value)) out.add(*truth);
  if (const auto* const text = std::get_if<std::string>(&*value)) out.add(std::string_view(*text));
  if (const auto* const address = std::get_if<IpAddress>(&*value))
    for (const unsigned char byte : address->bytes) out.add(std::uint8_t{byte});
}

std::optional<FieldValue> read_value(base::RecordReader& in) {
  switch (in.number<std::uint8_t>()) {
    case 0:
      return in.int64();
    case 1:
      return std::bit_cast<double>(in.number<std::uint64_t>());
    case 2:
      return in.truth();
    case 3:
      return std::string(in.text());
    case 4: {
      IpAddress address;
      for (unsigned char& byte : address.bytes) byte = in.number<std::uint8_t>();
      return address;
    }
    default:
      return std::nullopt;
  }
}

}  // namespace

std::string PageToken::encode() const {
  base::RecordWriter out;
  out.add(token_format);
  out.add(std::string_view(sort));
  out.add(std::string_view(last.row_key));
  out.add_list(last.values, [&](const std::optional<FieldValue>& value) { add_value(out, value); });
  out.add(seed);
  return sealed(std::move(out).take());
}

std::optional<PageToken> PageToken::decode(std::string_view token) {
  const auto content = unsealed(token);
  if (!content) return std::nullopt;
  base::RecordReader in(*content);
  if (in.number<std::uint8_t>() != token_format) return std::nullopt;
  PageToken read;
  read.sort = in.text();
  read.last.row_key = in.text();
  in.read_list([&] { read.last.values.push_back(read_value(in)); });
  read.seed = in.number<std::uint64_t>();
  if (!in.complete()) return std::nullopt;
  return read;
}

}  // namespace dinette::tablestore::search
