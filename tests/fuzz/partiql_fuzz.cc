#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "dinette/aws/json_writer.h"

#include "fuzz/server.h"

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

class ServerWithItems : public ::test::Server {
 public:
  ServerWithItems() {
    send("CreateTable", make_table);
    for (const std::string sk : {"1", "2", "3"}) {
      send("PutItem", R"({"TableName":"Music","Item":{"pk":{"S":"a"},"sk":{"N":")" + sk +
                          R"("},"n":{"N":"5"},)" +
                          R"("l":{"L":[{"S":"x"}]},"m":{"M":{"x":{"S":"y"}}},"s":{"SS":["x"]}}})");
    }
  }

  void run(std::string_view statement) {
    if (!aws::is_utf8(statement)) return;
    std::string text;
    aws::append_json_string(text, statement);
    const std::string request = R"({"Statement":)" + text + "," + std::string(parameters);
    send("ExecuteStatement", request + R"(,"Limit":2,"ReturnConsumedCapacity":"INDEXES"})");
    send("BatchExecuteStatement", R"({"Statements":[)" + request + "}]}");
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ::test::server_for_next_input<ServerWithItems>().run({reinterpret_cast<const char*>(data), size});
  return 0;
}
