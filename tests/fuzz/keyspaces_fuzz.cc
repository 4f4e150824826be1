#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "dinette/base/base64.h"
#include "dinette/base/bytes.h"
#include "dinette/base/crc32.h"
#include "dinette/cql/service.h"
#include "dinette/cql/verify.h"
#include "dinette/keyspaces/service.h"

#include "fuzz/server.h"

/// Any text as the body of any operation of Amazon Keyspaces: the first line is the operation's name, the
/// rest is the body. If the name is empty, the rest are the bytes of a token, which get the right checksum:
/// those of clients would rarely have it. The server has a keyspace, `shop`, with a table that has a stream.
namespace {

using namespace dinette;

constexpr std::array<std::string_view, 4> operations_of_streams = {"ListStreams", "GetStream",
                                                                   "GetShardIterator", "GetRecords"};

tenancy::WorldsOptions worlds_with_keyspaces() {
  tenancy::WorldsOptions options;
  options.faces = {cql::world_face()};
  options.run_jobs = false;
  return options;
}

class ServerWithKeyspace {
 public:
  ServerWithKeyspace() {
    send("CreateKeyspace", R"({"keyspaceName":"shop"})");
    send("CreateTable",
         R"({"keyspaceName":"shop","tableName":"orders","schemaDefinition":{"allColumns":[{"name":"id",)"
         R"("type":"uuid"}],"partitionKeys":[{"name":"id"}]},"cdcSpecification":{"status":"ENABLED"}})");
  }

  void run(std::string_view input) {
    const auto [operation, body] = ::test::operation_and_body(input);
    if (operation.empty()) return send_token(body);
    send(operation, body);
    clock_.advance(std::chrono::seconds(1));
    worlds_.pick("").value()->jobs().run_step();
  }

  /// Traps if a request has damaged the data.
  void verify() {
    const auto fail = [](const std::string&) { __builtin_trap(); };
    if (!cql::verify_rows(*worlds_.pick("").value(), fail)) __builtin_trap();
  }

 private:
  void send_token(std::string_view bytes) {
    std::string token(bytes);
    base::append_big_endian(token, base::crc32(token));
    const std::string text = base::base64_encode(token);
    send("GetRecords", R"({"shardIterator":")" + text + "\"}");
    send("ListStreams", R"({"nextToken":")" + text + "\"}");
    send("ListKeyspaces", R"({"nextToken":")" + text + "\"}");
  }

  void send(std::string_view operation, std::string_view body) {
    const bool of_streams =
        std::ranges::find(operations_of_streams, operation) != operations_of_streams.end();
    const std::string target =
        (of_streams ? "KeyspacesStreams." : "KeyspacesService.") + std::string(operation);
    const std::array headers = {http::Header{"Host", "localhost"}, http::Header{"X-Amz-Target", target}};
    http::Request request;
    request.method = "POST";
    request.target = "/";
    request.headers = headers;
    request.body = body;
    request.may_wait = true;
    http::Response response;
    service_.handle(request, response);
  }

  base::ManualClock clock_{base::TimePoint(std::chrono::days(20'000))};
  base::SeededIds ids_{1};
  tenancy::Worlds worlds_{worlds_with_keyspaces(), clock_, ids_};
  keyspaces::Service service_{{}, worlds_, clock_, ids_};
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ServerWithKeyspace& server = ::test::server_for_next_input<ServerWithKeyspace>();
  server.run({reinterpret_cast<const char*>(data), size});
  static int inputs = 0;
  if (++inputs % 1000 == 0) server.verify();
  return 0;
}
