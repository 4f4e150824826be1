#include <cstddef>
#include <cstdint>
#include <string_view>

#include "fuzz/server.h"

/// Any text as the body of any operation: the first line is the operation's name, the rest is the body. The
/// server has a table, `Music`, whose key is `pk` (S), and may carry out any request.
namespace {

constexpr std::string_view make_table =
    "CreateTable\n"
    R"({"TableName":"Music","BillingMode":"PAY_PER_REQUEST",)"
    R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],)"
    R"("AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}]})";
constexpr std::string_view make_item =
    "PutItem\n"
    R"({"TableName":"Music","Item":{"pk":{"S":"a"},"n":{"N":"1"},"l":{"L":[{"S":"x"}]},"m":{"M":{"x":{"S":"y"}}}}})";

class ServerWithItem : public ::test::Server {
 public:
  ServerWithItem() {
    run(make_table);
    run(make_item);
  }

  void run(std::string_view input) {
    const auto [operation, body] = ::test::operation_and_body(input);
    send(operation, body);
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ::test::server_for_next_input<ServerWithItem>().run({reinterpret_cast<const char*>(data), size});
  return 0;
}
