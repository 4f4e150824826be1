#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "dinette/lambda/service.h"
#include "dinette/lambda/verify.h"

#include "fuzz/server.h"

/// Any request about event source mappings: the first line is the method, a space and the target, the rest is
/// the body. In both, `$` is the UUID of a mapping that there is.
namespace {

using namespace dinette;

constexpr std::string_view path = "/2015-03-31/event-source-mappings";

tenancy::WorldsOptions worlds_with_mappings() {
  tenancy::WorldsOptions options;
  options.faces = {lambda::world_face()};
  options.run_jobs = false;
  return options;
}

std::string with_uuid(std::string_view text, const std::string& uuid) {
  std::string replaced;
  for (const char c : text) {
    if (c == '$')
      replaced += uuid;
    else
      replaced += c;
  }
  return replaced;
}

class ServerWithMapping {
 public:
  void run(std::string_view input) {
    const auto [line, body] = ::test::operation_and_body(input);
    const std::size_t space = std::min(line.find(' '), line.size());
    create();
    send(line.substr(0, space), with_uuid(line.substr(std::min(space + 1, line.size())), uuid_),
         with_uuid(body, uuid_));
    clock_.advance(std::chrono::seconds(1));
    worlds_.pick("").value()->jobs().run_step();
  }

  /// Traps if a request has damaged the data.
  void verify() {
    const auto fail = [](const std::string&) { __builtin_trap(); };
    if (!lambda::verify_mappings(*worlds_.pick("").value(), fail)) __builtin_trap();
  }

 private:
  /// Makes the mapping, unless it is there.
  void create() {
    const std::string answer = send("POST", path,
                                    R"({"FunctionName":"work","StartingPosition":"LATEST","EventSourceArn":)"
                                    R"("arn:aws:kinesis:us-east-1:000000000000:stream/clicks"})");
    constexpr std::string_view begin = R"({"UUID":")";
    constexpr std::size_t uuid_size = 36;
    if (answer.starts_with(begin)) uuid_ = answer.substr(begin.size(), uuid_size);
  }

  std::string send(std::string_view method, std::string_view target, std::string_view body) {
    const std::array headers = {http::Header{"Host", "localhost"}};
    http::Request request;
    request.method = method;
    request.target = target;
    request.headers = headers;
    request.body = body;
    http::Response response;
    service_.handle(request, response);
    return response.body;
  }

  base::ManualClock clock_{base::TimePoint(std::chrono::days(20'000))};
  base::SeededIds ids_{1};
  tenancy::Worlds worlds_{worlds_with_mappings(), clock_, ids_};
  lambda::Service service_{{}, worlds_, clock_, ids_};
  std::string uuid_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ServerWithMapping& server = ::test::server_for_next_input<ServerWithMapping>();
  server.run({reinterpret_cast<const char*>(data), size});
  static int inputs = 0;
  if (++inputs % 1000 == 0) server.verify();
  return 0;
}
