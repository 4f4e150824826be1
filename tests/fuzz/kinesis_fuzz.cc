#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "dinette/base/base64.h"
#include "dinette/base/bytes.h"
#include "dinette/base/crc32.h"
#include "dinette/kinesis/service.h"
#include "dinette/kinesis/verify.h"

#include "fuzz/server.h"

/// Any text as the body of any operation of Kinesis: the first line is the operation's name, the rest is the
/// body. If the name is empty, the rest are the bytes of a token, which get the right checksum: those of
/// clients would rarely have it. The server has a stream, `clicks`, with two shards and records.
namespace {

using namespace dinette;

tenancy::WorldsOptions worlds_with_streams() {
  tenancy::WorldsOptions options;
  options.faces = {kinesis::world_face()};
  options.run_jobs = false;
  return options;
}

class ServerWithStream {
 public:
  ServerWithStream() {
    send("CreateStream", R"({"StreamName":"clicks","ShardCount":2})");
    send("PutRecord", R"({"StreamName":"clicks","PartitionKey":"a","Data":"b25l"})");
    send("PutRecord", R"({"StreamName":"clicks","PartitionKey":"b","Data":"dHdv"})");
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
    if (!kinesis::verify_streams(*worlds_.pick("").value(), fail)) __builtin_trap();
  }

 private:
  void send_token(std::string_view bytes) {
    std::string token(bytes);
    base::append_big_endian(token, base::crc32(token));
    const std::string text = base::base64_encode(token);
    send("GetRecords", R"({"ShardIterator":")" + text + "\"}");
    send("ListShards", R"({"NextToken":")" + text + "\"}");
    send("ListStreams", R"({"NextToken":")" + text + "\"}");
  }

  void send(std::string_view operation, std::string_view body) {
    const std::string target = "Kinesis_20131202." + std::string(operation);
    const std::array headers = {http::Header{"Host", "localhost"}, http::Header{"X-Amz-Target", target}};
    http::Request request;
    request.method = "POST";
    request.target = "/";
    request.headers = headers;
    request.body = body;
    http::Response response;
    service_.handle(request, response);
  }

  base::ManualClock clock_{base::TimePoint(std::chrono::days(20'000))};
  base::SeededIds ids_{1};
  tenancy::Worlds worlds_{worlds_with_streams(), clock_, ids_};
  kinesis::Service service_{{}, worlds_, clock_, ids_};
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ServerWithStream& server = ::test::server_for_next_input<ServerWithStream>();
  server.run({reinterpret_cast<const char*>(data), size});
  static int inputs = 0;
  if (++inputs % 1000 == 0) server.verify();
  return 0;
}
