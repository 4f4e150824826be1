#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "dinette/base/clock.h"
#include "dinette/base/ids.h"
#include "dinette/dynamodb/service.h"
#include "dinette/kv/memory.h"

#include "support/worlds.h"

/// Any text as the body of any operation: the first line is the operation's name, the rest is the body. The
/// server has a table, `Music`, whose key is `pk` (S), and may carry out any request.
namespace {

using namespace dinette;  // NOLINT: the subject of this program

constexpr std::string_view make_table =
    "CreateTable\n"
    R"({"TableName":"Music","BillingMode":"PAY_PER_REQUEST",)"
    R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],)"
    R"("AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}]})";
constexpr std::string_view make_item =
    "PutItem\n"
    R"({"TableName":"Music","Item":{"pk":{"S":"a"},"n":{"N":"1"},"l":{"L":[{"S":"x"}]},"m":{"M":{"x":{"S":"y"}}}}})";

/// A server is replaced after this many inputs, so that what they have stored does not grow without end.
constexpr int inputs_per_server = 10'000;

class Server {
 public:
  Server() : worlds_(::test::test_worlds(), clock_, ids_), service_({}, worlds_, clock_, ids_) {
    answer(make_table);
    answer(make_item);
  }

  void answer(std::string_view input) {
    const std::size_t end = std::min(input.find('\n'), input.size());
    const std::string target = "DynamoDB_20120810." + std::string(input.substr(0, end));
    const std::array headers = {http::Header{"Host", "localhost"}, http::Header{"X-Amz-Target", target}};
    http::Request request;
    request.method = "POST";
    request.target = "/";
    request.headers = headers;
    request.body = input.substr(std::min(end + 1, input.size()));
    http::Response reply;
    service_.handle(request, reply);
  }

 private:
  base::ManualClock clock_;
  base::SeededIds ids_{1};
  store::Worlds worlds_;
  dynamodb::Service service_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static std::unique_ptr<Server> server;
  static int inputs = 0;
  if (inputs++ % inputs_per_server == 0) server = std::make_unique<Server>();
  server->answer({reinterpret_cast<const char*>(data), size});
  return 0;
}
