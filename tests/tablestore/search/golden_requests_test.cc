#include <string>
#include <string_view>

#include <catch2/catch.hpp>

#include "support/hex.h"
#include "tablestore/search/searched.h"

// Bodies that the official clients send: npm tablestore 5.6.5, and Python 6.4.8 (tablestore/search-index.md
// section 1, tablestore/sql.md section 1).
namespace dinette::tablestore::golden_requests_test {

using namespace test;

namespace node {

constexpr std::string_view create_index =
    "0a0254311201491a230a0e0a046e616d6510042801300138010a0d0a03616765100128013001380112020801";
constexpr std::string_view filtered =
    "0a0254311201491a070802120361676522480800100522330806122f0a15080312110a046e616d65120903040000006a"
    "6f686e1216080412120a036167651209001e000000000000002001320b0a090a070a036167651001400130904e";
constexpr std::string_view summed =
    "0a0254311201491a020803222d10002204080b12004000520e0a0c0a016110011a050a036167655a110a0f0a01671001"
    "1a080a046e616d65100230904e";
constexpr std::string_view scanned = "0a0254311201491a0208042a0e0a04080b1200100a181e2800300130a09c01";
constexpr std::string_view tables = "0a0b73686f77207461626c65731002";

}  // namespace node

namespace python {

constexpr std::string_view create_index =
    "0a0254311201491a1f0a0c0a046e616d651004280130010a0b0a036167651001280130011202080128ffffffffffffff"
    "ffff01";
constexpr std::string_view filtered =
    "0a0254311201491a0708021203616765224810052235080612310a15080312110a046e616d65120903040000006a6f68"
    "6e1218080412140a036167651209001e0000000000000020012800320b0a090a070a0361676510014001";
constexpr std::string_view summed =
    "0a0254311201491a020803222d10002204080b12004000520e0a0c0a016110011a050a036167655a110a0f0a01671001"
    "1a080a046e616d651002";
constexpr std::string_view scanned = "0a0254311201491a0208042a0e0a04080b1200100a181e28003001";
constexpr std::string_view tables = "0a0b73686f77207461626c65731002";

}  // namespace python

/// A server with the table `T1` and two rows, which gets what a client has sent.
class Golden {
 public:
  explicit Golden(std::string_view create_index) {
    CHECK(send("CreateSearchIndex", create_index).refusal() == "200");
    table_.put(key(1, "a"), {words("name", "john"), whole("age", 20)});
    table_.put(key(2, "b"), {words("name", "john"), whole("age", 40)});
  }

  Reply send(std::string_view operation, std::string_view hex) {
    Request request = server_.request(operation, ::test::from_hex(hex));
    Server::sign(request);
    return server_.send(request);
  }
  template <class Response>
  Response ok(std::string_view operation, std::string_view hex) {
    const Reply reply = send(operation, hex);
    REQUIRE(reply.refusal() == "200");
    return codec::decode_message<Response>(reply.body).value();
  }

 private:
  Server server_;
  Table table_{server_, "T1"};
};

void check_search(Golden& server, std::string_view filtered, std::string_view summed) {
  const auto found = server.ok<api::SearchResponse>("Search", filtered);
  CHECK(found.total_hits == 1);
  REQUIRE(found.rows.size() == 1);
  CHECK(text_of_rows(found.rows[0]) == "1,a age=20");
  const auto sums = server.ok<api::SearchResponse>("Search", summed);
  CHECK(sums.total_hits == -1);
  const auto aggregations = codec::decode_message<api::AggregationsResult>(sums.aggs.value()).value();
  CHECK(codec::decode_message<api::DoubleResult>(aggregations.agg_results.at(0).agg_result.value())->value ==
        30);
  const auto groups = codec::decode_message<api::GroupBysResult>(sums.group_bys.value()).value();
  const auto items =
      codec::decode_message<api::FieldGroups>(groups.group_by_results.at(0).group_by_result.value())
          ->group_by_field_result_items;
  REQUIRE(items.size() == 1);
  CHECK(items[0].key == "john");
  CHECK(items[0].row_count == 2);
}

void check_scan(Golden& server, std::string_view scanned) {
  const auto scan = server.ok<api::ParallelScanResponse>("ParallelScan", scanned);
  REQUIRE(scan.rows.size() == 2);
  CHECK(text_of_rows(scan.rows[1]) == "2,b age=40 name=john");
}

TEST_CASE("requests of npm tablestore") {
  Golden server(node::create_index);
  check_search(server, node::filtered, node::summed);
  check_scan(server, node::scanned);
  CHECK(server.ok<api::SQLQueryResponse>("SQLQuery", node::tables).rows.has_value());
}

TEST_CASE("requests of the client for Python") {
  Golden server(python::create_index);
  check_search(server, python::filtered, python::summed);
  check_scan(server, python::scanned);
  CHECK(server.ok<api::SQLQueryResponse>("SQLQuery", python::tables).rows.has_value());
}

}  // namespace dinette::tablestore::golden_requests_test
