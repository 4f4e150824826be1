#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "dinette/aws/json_writer.h"
#include "dinette/base/clock.h"
#include "dinette/base/ids.h"
#include "dinette/dynamodb/service.h"
#include "dinette/kv/memory.h"

#include "support/worlds.h"

/// Any text as a statement. The server has a table, `Music`, with the key `pk` (S), `sk` (N), a local index
/// `local` and a global index `global` by `n`, and a few items. Each statement has the same six parameters,
/// and is also sent in a batch.
namespace {

using namespace dinette;  // NOLINT: the subject of this program

constexpr std::string_view make_table =
    R"({"TableName":"Music","BillingMode":"PAY_PER_REQUEST",)"
    R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],)"
    R"("AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"N"},)"
    R"({"AttributeName":"n","AttributeType":"N"}],)"
    R"("LocalSecondaryIndexes":[{"IndexName":"local","Projection":{"ProjectionType":"KEYS_ONLY"},)"
    R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"n","KeyType":"RANGE"}]}],)"
    R"("GlobalSecondaryIndexes":[{"IndexName":"global","Projection":{"ProjectionType":"KEYS_ONLY"},)"
    R"("KeySchema":[{"AttributeName":"n","KeyType":"HASH"}]}]})";
constexpr std::string_view parameters =
    R"("Parameters":[{"S":"a"},{"N":"1"},{"SS":["x","y"]},{"L":[{"N":"2"}]},{"M":{"x":{"S":"y"}}},{"BOOL":true}])";

/// A server is replaced after this many inputs, so that what they have stored does not grow without end.
constexpr int inputs_per_server = 10'000;

class Server {
 public:
  Server() : worlds_(::test::test_worlds(), clock_, ids_), service_({}, worlds_, clock_, ids_) {
    answer("CreateTable", make_table);
    for (const std::string sk : {"1", "2", "3"}) {
      answer("PutItem", R"({"TableName":"Music","Item":{"pk":{"S":"a"},"sk":{"N":")" + sk +
                            R"("},"n":{"N":"5"},)" +
                            R"("l":{"L":[{"S":"x"}]},"m":{"M":{"x":{"S":"y"}}},"s":{"SS":["x"]}}})");
    }
  }

  void run(std::string_view statement) {
    if (!aws::is_utf8(statement)) return;
    std::string text;
    aws::append_json_string(text, statement);
    const std::string request = R"({"Statement":)" + text + "," + std::string(parameters);
    answer("ExecuteStatement", request + R"(,"Limit":2,"ReturnConsumedCapacity":"INDEXES"})");
    answer("BatchExecuteStatement", R"({"Statements":[)" + request + "}]}");
  }

 private:
  void answer(std::string_view operation, std::string_view body) {
    const std::string target = "DynamoDB_20120810." + std::string(operation);
    const std::array headers = {http::Header{"Host", "localhost"}, http::Header{"X-Amz-Target", target}};
    http::Request request;
    request.method = "POST";
    request.target = "/";
    request.headers = headers;
    request.body = body;
    http::Response reply;
    service_.handle(request, reply);
  }

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
  server->run({reinterpret_cast<const char*>(data), size});
  return 0;
}
