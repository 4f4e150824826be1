// Signatures in header and query, dates, content codings. An input is a request as text: its target, header
// lines, an empty line, the body. Clock and keys are those of the seeds, some of which have valid signatures.

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/aws/authenticator.h"
#include "dinette/http/content_coding.h"
#include "dinette/http/cors.h"
#include "dinette/http/query_string.h"
#include "dinette/http/tokens.h"

namespace dinette::aws {
namespace {

using namespace std::chrono_literals;
using http::percent_decode;
using http::percent_encode;
using http::take_until;
using http::trimmed;

constexpr auto moment = std::chrono::sys_days(std::chrono::year(2026) / 1 / 31) + 8h + 15min;

void expect(bool holds) {
  if (!holds) std::abort();
}

AuthOptions options(AuthMode mode) {
  AuthOptions options;
  options.mode = mode;
  options.credentials = {{"AKIAEXAMPLE", {"wJalrXUtnFEMI/K7MDENG", "", ""}},
                         {"AKIASESSION", {"wJalrXUtnFEMI/K7MDENG", "the/token+1=", "123456789012"}}};
  return options;
}

struct Text {
  std::string_view target;
  std::vector<http::Header> headers;
  std::string_view body;
};

Text take_apart(std::string_view input) {
  Text text;
  text.target = take_until(input, '\n');
  while (!input.empty()) {
    std::string_view value = take_until(input, '\n');
    if (value.empty()) break;
    const std::string_view name = take_until(value, ':');
    text.headers.push_back({name, trimmed(value)});
  }
  text.body = input;
  return text;
}

void judge(const http::Request& request) {
  static const base::ManualClock clock(moment);
  static const Authenticator none("dynamodb", options(AuthMode::none), clock);
  static const Authenticator present("dynamodb", options(AuthMode::present), clock);
  static const Authenticator verify("dynamodb", options(AuthMode::verify), clock);
  const auto welcome = none.authenticate(request);
  expect(welcome.ok() && is_region_name((*welcome)->region) && is_account_number((*welcome)->account));
  const auto signed_somehow = present.authenticate(request);
  const auto signed_rightly = verify.authenticate(request);
  // A request that passes the stricter check passes the others, as the same caller.
  if (signed_rightly.ok()) expect(signed_somehow.ok() && **signed_somehow == **signed_rightly);
  if (signed_somehow.ok()) expect(**welcome == **signed_somehow);
}

void check_encoding(std::string_view text) {
  expect(percent_decode(percent_encode(text)) == text);
  (void)percent_decode(text);
}

}  // namespace
}  // namespace dinette::aws

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dinette::aws;
  const Text text = take_apart({reinterpret_cast<const char*>(data), size});
  dinette::http::Request request;
  request.method = "POST";
  request.target = text.target;
  request.headers = text.headers;
  request.body = text.body;
  judge(request);
  check_encoding(text.target);
  (void)dinette::http::chosen_coding(request.header("Accept-Encoding").value_or(""));
  (void)dinette::http::Cors({.origins = "local,app.example"}).allows(request.header("Origin").value_or(""));
  return 0;
}
