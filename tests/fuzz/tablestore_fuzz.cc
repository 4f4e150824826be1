#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "dinette/base/base64.h"
#include "dinette/base/md5.h"
#include "dinette/tablestore/service.h"
#include "dinette/tablestore/verify.h"

#include "fuzz/server.h"
#include "tablestore/wire/dates.h"

/// Any bytes as the body of any operation of Tablestore: the first line is the operation's name, the rest is
/// the body. If the name is empty, the rest is an x-ots-date. The server has a table `T1`, of the keys that
/// the seeds of plainbuffer_fuzz have, with a stream, a search index `I` and a mapping of SQL.
namespace {

using namespace dinette;

tenancy::WorldsOptions worlds_with_tables() {
  tenancy::WorldsOptions options;
  options.faces = {tablestore::world_face()};
  options.run_jobs = false;
  return options;
}

/// A CreateTable of `T1`, which may use transactions (tablestore/plainbuffer.md section 8), of one version.
constexpr std::string_view create_table(
    "\x0a\x16\x0a\x02\x54\x31\x12\x07\x0a\x03\x67\x69\x64\x10\x01\x12\x07\x0a\x03\x75"
    "\x69\x64\x10\x02\x12\x06\x0a\x04\x08\x00\x10\x00\x1a\x11\x08\xff\xff\xff\xff\xff"
    "\xff\xff\xff\xff\x01\x10\x01\x28\x80\xa3\x05",
    51);

/// An UpdateTable that gives it a stream.
constexpr std::string_view enable_stream("\x0a\x02T1\x22\x07\x08\x01\x10\x18\x1a\x01x", 13);

/// A CreateSearchIndex with the fields `x` (KEYWORD) and `n` (NESTED) with `n.k` (LONG).
constexpr std::string_view create_search_index(
    "\x0a\x02T1\x12\x01I\x1a\x19\x0a\x05\x0a\x01x\x10\x04\x0a\x10\x0a\x01n\x10\x06\x42\x05\x0a\x01k\x10\x01"
    "\x48"
    "\x01\x28\x01",
    34);

/// A SQLQuery.
constexpr std::string_view create_mapping(
    "\x0a\x52"
    "create table T1 (gid bigint, uid varchar(9), x mediumtext, primary key (gid, uid))"
    "\x10\x02");

class ServerWithTable {
 public:
  ServerWithTable() {
    send("CreateTable", create_table, now());
    send("UpdateTable", enable_stream, now());
    send("CreateSearchIndex", create_search_index, now());
    send("SQLQuery", create_mapping, now());
  }

  void run(std::string_view input) {
    const auto [operation, body] = ::test::operation_and_body(input);
    if (operation.empty())
      send("ListTable", "", body);
    else
      send(operation, body, now());
    clock_.advance(std::chrono::seconds(1));
    worlds_.pick("").value()->jobs().run_step();
  }

  /// Traps if a request has damaged the data.
  void verify() {
    const auto fail = [](const std::string&) { __builtin_trap(); };
    if (!tablestore::verify_tables(*worlds_.pick("").value(), fail)) __builtin_trap();
  }

 private:
  std::string now() const { return tablestore::wire::format_date(clock_.now()); }

  void send(std::string_view operation, std::string_view body, std::string_view date) {
    const base::Md5Digest digest = base::md5(body);
    const std::string md5 =
        base::base64_encode({reinterpret_cast<const char*>(digest.data()), digest.size()});
    const std::string path = "/" + std::string(operation);
    const std::array headers = {
        http::Header{"x-ots-date", date},        http::Header{"x-ots-apiversion", "2015-12-31"},
        http::Header{"x-ots-accesskeyid", "ak"}, http::Header{"x-ots-instancename", "inst"},
        http::Header{"x-ots-contentmd5", md5},   http::Header{"x-ots-signature", "any"}};
    http::Request request;
    request.method = "POST";
    request.target = path;
    request.headers = headers;
    request.body = body;
    http::Response response;
    service_.handle(request, response);
  }

  base::ManualClock clock_{base::TimePoint(std::chrono::days(20'000))};
  base::SeededIds ids_{1};
  tenancy::Worlds worlds_{worlds_with_tables(), clock_, ids_};
  tablestore::Service service_{{}, worlds_, clock_, ids_};
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ServerWithTable& server = ::test::server_for_next_input<ServerWithTable>();
  server.run({reinterpret_cast<const char*>(data), size});
  static int inputs = 0;
  if (++inputs % 1000 == 0) server.verify();
  return 0;
}
