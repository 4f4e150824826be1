// What S3 reads from the network: documents, chunks and ranges by themselves, and whole requests to a server
// with a bucket. The first line is the method, the second the target, then headers up to an empty line, then
// the body.

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/base/clock.h"
#include "dinette/base/ids.h"
#include "dinette/http/tokens.h"
#include "dinette/objects/memory_store.h"
#include "dinette/s3/service.h"
#include "dinette/s3/xml_reader.h"

#include "s3/chunked.h"
#include "s3/range.h"

namespace dinette::s3 {
namespace {

void expect(bool holds) {
  if (!holds) std::abort();
}

void check_parsers(std::string_view text) {
  static_cast<void>(read_xml(text));
  if (const auto chunked = read_chunked(text)) expect(chunked->joined().size() <= text.size());
  constexpr std::uint64_t size = 1000;
  const auto range = read_range(text, size);
  if (range && *range) expect((*range)->size > 0 && (*range)->begin + (*range)->size <= size);
}

struct Text {
  std::string_view method;
  std::string_view target;
  std::vector<http::Header> headers{{"Host", "localhost"}};
  std::string_view body;
};

Text take_apart(std::string_view input) {
  Text text;
  text.method = http::take_until(input, '\n');
  text.target = http::take_until(input, '\n');
  while (!input.empty()) {
    std::string_view line = http::take_until(input, '\n');
    if (line.empty()) break;
    const std::string_view name = http::take_until(line, ':');
    text.headers.push_back({name, http::trimmed(line)});
  }
  text.body = input;
  return text;
}

void serve(const Text& text) {
  const base::ManualClock clock;
  base::SeededIds ids(1);
  const auto store = objects::make_memory_store(clock);
  static_cast<void>(store->create_bucket("bucket").ok());
  static_cast<void>(objects::put(*store, "bucket", "a/b", "0123456789").ok());
  Service service({}, *store, clock, ids);
  const http::Request request{.method = text.method,
                              .target = text.target,
                              .headers = text.headers,
                              .body = text.body,
                              .remote = "127.0.0.1:4000"};
  static_cast<void>(Service::owns(request));
  http::Response response;
  service.handle(request, response);
  expect(response.status >= 200 && response.status <= 501);
}

}  // namespace
}  // namespace dinette::s3

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  dinette::s3::check_parsers(input);
  dinette::s3::serve(dinette::s3::take_apart(input));
  return 0;
}
