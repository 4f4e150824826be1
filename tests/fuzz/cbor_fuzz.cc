#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <simdjson.h>

#include "aws/cbor.h"
#include "dynamodb/wire/outputs.h"
#include "fuzz/item_source.h"
#include "fuzz/server.h"

/// Any bytes as a body in CBOR: read as JSON, written again, and sent to a server as an operation. The first
/// line is the operation's name.
namespace {

namespace aws = dinette::aws;

constexpr std::size_t most_json_bytes = 1 << 20;

void read_and_write(std::string_view cbor, aws::CborTime time) {
  std::string json;
  if (aws::cbor_to_json(cbor, {.time = time, .most_json_bytes = most_json_bytes}, json)) return;
  test::expect(json.size() <= most_json_bytes);
  simdjson::dom::parser parser;
  aws::JsonElement value;
  const auto failed = parser.parse(json).get(value);
  test::expect(failed == simdjson::SUCCESS || failed == simdjson::UTF8_ERROR ||
               failed == simdjson::DEPTH_ERROR);
  if (failed != simdjson::SUCCESS) return;
  std::string written;
  aws::json_to_cbor(value, nullptr, time, written);
  std::string again;
  test::expect(!aws::cbor_to_json(written, {.time = time, .most_json_bytes = 2 * most_json_bytes}, again));
  simdjson::dom::parser other;
  test::expect(simdjson::minify(other.parse(again).value()) == simdjson::minify(value));
  aws::json_to_cbor(value, &dinette::dynamodb::wire::item_output, time, written);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input{reinterpret_cast<const char*>(data), size};
  const std::size_t end = std::min(input.find('\n'), input.size());
  const std::string_view body = input.substr(std::min(end + 1, input.size()));
  for (const auto time : {aws::CborTime::seconds, aws::CborTime::milliseconds}) read_and_write(body, time);
  auto& server = test::server_for_next_input<test::Server>();
  server.send(input.substr(0, end), body, "application/x-amz-cbor-1.0");
  server.send_by_smithy(input.substr(0, end), body);
  return 0;
}
