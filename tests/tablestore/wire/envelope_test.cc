#include <algorithm>
#include <string>

#include <catch2/catch.hpp>

#include "dinette/base/compression.h"

#include "support/hex.h"
#include "tablestore/table.h"
#include "tablestore/wire/signatures.h"

// tablestore/wire.md sections 1 and 5 to 8, and tablestore/errors.md section 1.
namespace dinette::tablestore::envelope_test {

using namespace std::chrono_literals;
using test::Request;
using test::row_bytes;
using test::Server;

/// Leaves out a header.
void erase(Request& request, std::string_view name) {
  std::erase_if(request.headers, [&](const auto& header) { return header.first == name; });
}

void replace(Request& request, std::string_view name, std::string value) {
  for (auto& [one, its_value] : request.headers) {
    if (one == name) its_value = value;
  }
}

std::string refusal(Server& server, Request request, std::string_view secret = "sk") {
  Server::sign(request, secret);
  return server.send(request).refusal();
}

TEST_CASE("a reply has all headers that clients require, and is signed") {
  Server server;
  Request request = server.request("ListTable", "");
  Server::sign(request);
  const auto reply = server.send(request);
  REQUIRE(reply.status == 200);
  CHECK(reply.body.empty());
  CHECK(reply.header("x-ots-contentmd5") == "1B2M2Y8AsgTpgAmY7PhCfg==");
  CHECK(reply.header("x-ots-contenttype") == "protocol buffer");
  CHECK(reply.header("x-ots-date") == "2026-11-21T00:16:51.000000Z");
  const std::string id = reply.header("x-ots-requestid");
  CHECK(id.starts_with("000660be-46f8-62c0-"));  // the time in microseconds
  CHECK(id.size() == 36);
  const http::Header headers[] = {{"x-ots-contentmd5", "1B2M2Y8AsgTpgAmY7PhCfg=="},
                                  {"x-ots-contenttype", "protocol buffer"},
                                  {"x-ots-date", "2026-11-21T00:16:51.000000Z"},
                                  {"x-ots-requestid", id}};
  CHECK(reply.header("Authorization") ==
        "OTS ak:" + wire::sign("sk", wire::reply_text("/ListTable", headers)));
}

TEST_CASE("an error is a message, with the headers of every reply") {
  // The digests were recorded on the service (tablestore/wire.md section 6).
  Server server;
  const auto reply = server.call("DescribeTable", api::DescribeTableRequest{.table_name = "T"});
  CHECK(reply.status == 404);
  CHECK(reply.refusal() == "OTSObjectNotExist: Requested table does not exist.");
  CHECK(reply.header("x-ots-contentmd5") == "e2enEqtXyX/3YTqhbiPDtw==");
  CHECK_FALSE(reply.header("Authorization").empty());
}

TEST_CASE("errors about rows have the bytes that the service sent") {
  // The digests were recorded on the service (tablestore/wire.md section 6).
  Server server;
  server.create("T", {{.name = "a", .type = api::PrimaryKeyType::string},
                      {.name = "b", .type = api::PrimaryKeyType::string},
                      {.name = "c", .type = api::PrimaryKeyType::string},
                      {.name = "d", .type = api::PrimaryKeyType::string}});
  const auto digest_of = [&](const PrimaryKey& key, api::RowExistenceExpectation expectation = {}) {
    const std::string row = row_bytes(key);
    const api::PutRowRequest request{
        .table_name = "T", .row = row, .condition = {.row_existence = expectation}};
    return server.call("PutRow", request).header("x-ots-contentmd5");
  };
  const Value text = Value::string("x");
  CHECK(digest_of({{"a", text}}) == "yt20bZ4gpFhPvN3pJ2XhVQ==");
  CHECK(digest_of({{"a", Value::integer(1)}, {"b", text}, {"c", text}, {"d", text}}) ==
        "F1dJ+CMsGH4Nc1DUKSWHQA==");
  CHECK(digest_of({{"a", text}, {"b", text}, {"c", text}, {"d", text}},
                  api::RowExistenceExpectation::expect_exist) == "tb1xxFT1i9oAap/9e+zMLA==");
}

TEST_CASE("only POST is served") {
  Server server;
  for (const char* method : {"GET", "PUT", "DELETE", "CONNECT", "HEAD", "TRACE"}) {
    CAPTURE(method);
    Request request = server.request("ListTable", "");
    request.method = method;
    const auto reply = server.send(request);
    CHECK(reply.status == 405);
    const bool without_body = request.method == "HEAD" || request.method == "TRACE";
    CHECK(reply.body.empty() == without_body);
    if (!without_body)
      CHECK(reply.refusal() == "OTSMethodNotAllowed: Only POST method for requests is supported.");
  }
}

TEST_CASE("an unknown operation is answered in XML") {
  Server server;
  for (const auto& [path, shown] :
       {std::pair("activate", "activate"), {"", ""}, {"listtable", "listtable"}, {"a<b", "a&lt;b"}}) {
    CAPTURE(path);
    Request request = server.request(path, "");
    request.headers.clear();
    const auto reply = server.send(request);
    CHECK(reply.status == 400);
    CHECK(reply.content_type == "application/xml");
    CHECK(reply.body.starts_with(
        R"(<?xml version="1.0" encoding="UTF-8"?><Error><Code>OTSUnsupportOperation</Code>)"
        "<Message>Unsupported operation: '" +
        std::string(shown) + "'.</Message><RequestID>"));
    CHECK(reply.body.ends_with("</HostID></Error>"));
  }
}

TEST_CASE("missing headers are named, in an order") {
  Server server;
  Request request = server.request("ListTable", "");
  const char* const names[] = {"x-ots-contentmd5", "x-ots-instancename", "x-ots-accesskeyid",
                               "x-ots-apiversion", "x-ots-date"};
  CHECK(server.send(request).refusal() == "OTSMissingHeader: Missing header: 'x-ots-signature'.");
  for (const char* const name : names) {
    erase(request, name);
    CHECK(server.send(request).refusal() == "OTSMissingHeader: Missing header: '" + std::string(name) + "'.");
  }
  CHECK(server.send(request).status == 400);
}

TEST_CASE("the date is read, and not far from that of the server") {
  Server server;
  Request request = server.request("ListTable", "");
  replace(request, "x-ots-date", "today");
  CHECK(refusal(server, request) == "OTSParameterInvalid: Invalid date format: today.");
  for (const auto& [date, is_near] : {std::pair("2026-11-21T00:31:51.000Z", true),
                                      {"2026-11-21T00:31:52.000Z", false},
                                      {"2026-11-21T00:01:51.999Z", true},
                                      {"2026-11-21T00:01:50.000Z", false}}) {
    CAPTURE(date);
    replace(request, "x-ots-date", date);
    const std::string expected =
        "OTSAuthFailed: Mismatch between system time and x-ots-date: " + std::string(date) + ".";
    CHECK(refusal(server, request) == (is_near ? "200" : expected));
  }
}

TEST_CASE("the world's clock does not matter to dates") {
  Server server;
  REQUIRE(server.world().change_clock({.advance = std::chrono::hours(1000)}).ok());
  Request request = server.request("ListTable", "");
  Server::sign(request);
  const auto reply = server.send(request);
  CHECK(reply.refusal() == "200");
  CHECK(reply.header("x-ots-date") == "2026-11-21T00:16:51.000000Z");
}

TEST_CASE("the name of the instance is well-formed") {
  Server server;
  Request request = server.request("ListTable", "");
  replace(request, "x-ots-instancename", "1nst");
  CHECK(refusal(server, request) == "OTSParameterInvalid: Invalid instance name: 1nst.");
}

TEST_CASE("instances are name spaces, and their case does not matter") {
  Server server;
  server.create("T");
  Request request = server.request("ListTable", "");
  replace(request, "x-ots-instancename", "INST");
  Server::sign(request);
  CHECK(::test::to_hex(server.send(request).body) == "0a0154");
  Request other = server.request("ListTable", "");
  replace(other, "x-ots-instancename", "other");
  Server::sign(other);
  CHECK(server.send(other).body.empty());
}

TEST_CASE("the digest is that of the body as it was sent") {
  Server server;
  Request request = server.request("ListTable", "");
  replace(request, "x-ots-contentmd5", "9rCktUUn90P2xaaaReWYfQ==");
  CHECK(refusal(server, request) ==
        "OTSAuthFailed: Mismatch between MD5 value of request body and x-ots-contentmd5 in header.");
}

TEST_CASE("a key that is not known may sign with any secret") {
  Server server;
  for (const char* secret : {"sk", "secret", "ak", "unheard of"})
    CHECK(refusal(server, server.request("ListTable", ""), secret) == "200");
}

TEST_CASE("a reply is signed with the secret that has signed the request") {
  Server server;
  const auto signature = [&](std::string_view secret) {
    Request request = server.request("ListTable", "");
    Server::sign(request, secret);
    const auto reply = server.send(request);
    const std::string md5 = reply.header("x-ots-contentmd5");
    const std::string date = reply.header("x-ots-date");
    const std::string id = reply.header("x-ots-requestid");
    const http::Header headers[] = {{"x-ots-contentmd5", md5},
                                    {"x-ots-contenttype", "protocol buffer"},
                                    {"x-ots-date", date},
                                    {"x-ots-requestid", id}};
    const std::string expected = wire::sign(secret, wire::reply_text("/ListTable", headers));
    return reply.header("Authorization") == "OTS ak:" + expected;
  };
  CHECK(signature("sk"));
  CHECK(signature("secret"));
  CHECK(signature("ak"));
  CHECK_FALSE(signature("unheard of"));
}

TEST_CASE("a known key must sign with its secret") {
  Server server({.keys = {{"ak", "its own"}}});
  CHECK(refusal(server, server.request("ListTable", ""), "its own") == "200");
  CHECK(refusal(server, server.request("ListTable", ""), "sk") == "OTSAuthFailed: Signature mismatch.");
  Request other = server.request("ListTable", "");
  replace(other, "x-ots-accesskeyid", "another");
  CHECK(refusal(server, other) == "200");
}

TEST_CASE("a strict server knows only its keys") {
  Server server({.keys = {{"ak", "sk"}}, .strict = true});
  CHECK(refusal(server, server.request("ListTable", "")) == "200");
  Request other = server.request("ListTable", "");
  replace(other, "x-ots-accesskeyid", "another");
  CHECK(refusal(server, other) == "OTSAuthFailed: The AccessKeyID does not exist.");
}

TEST_CASE("a signature covers every header of the service") {
  Server server({.keys = {{"ak", "sk"}}});
  Request request = server.request("ListTable", "");
  request.headers.emplace_back("x-ots-sdk-traceid", "7");
  Server::sign(request);
  CHECK(server.send(request).refusal() == "200");
  replace(request, "x-ots-sdk-traceid", "8");
  CHECK(server.send(request).refusal() == "OTSAuthFailed: Signature mismatch.");
}

TEST_CASE("a request of version 4 gets a reply that its key has signed") {
  Server server({.keys = {{"ak", "sk"}}});
  Request request = server.request("ListTable", "");
  request.headers.emplace_back("x-ots-signdate", "20261121");
  request.headers.emplace_back("x-ots-signregion", "cn-hangzhou");
  std::vector<http::Header> headers;
  for (const auto& [name, value] : request.headers) headers.push_back({name, value});
  const std::string key = wire::derive_key("sk", "20261121", "cn-hangzhou");
  request.headers.emplace_back("x-ots-signaturev4",
                               wire::sign_v4(key, wire::request_text(request.path, headers)));
  const auto reply = server.send(request);
  REQUIRE(reply.status == 200);
  const std::string md5 = reply.header("x-ots-contentmd5");
  const std::string date = reply.header("x-ots-date");
  const std::string id = reply.header("x-ots-requestid");
  const http::Header signed_headers[] = {{"x-ots-contentmd5", md5},
                                         {"x-ots-contenttype", "protocol buffer"},
                                         {"x-ots-date", date},
                                         {"x-ots-requestid", id}};
  CHECK(reply.header("Authorization") ==
        "OTS ak:" + wire::sign(key, wire::reply_text("/ListTable", signed_headers)));
  replace(request, "x-ots-signregion", "cn-beijing");
  CHECK(server.send(request).refusal() == "OTSAuthFailed: Signature mismatch.");
}

TEST_CASE("a body has at most 5 MB") {
  Server server;
  const std::string largest(5 * 1024 * 1024, 'a');
  CHECK(refusal(server, server.request("ListTable", largest)) ==
        "OTSParameterInvalid: Parse PBMessage from RawString failed.");
  Request request = server.request("ListTable", largest + "a");
  Server::sign(request);
  const auto reply = server.send(request);
  CHECK(reply.status == 413);
  CHECK(reply.refusal() == "OTSRequestBodyTooLarge: The size of POST data is too large.");
}

TEST_CASE("a long request waits for a thread that may wait") {
  Server server;
  Request request = server.request("ListTable", std::string(64 * 1024 + 1, 'a'));
  Server::sign(request);
  request.may_wait = false;
  CHECK(server.send(request).must_wait);
}

TEST_CASE("of several things that are wrong with a request the first in order is named") {
  // tablestore/wire.md section 7.
  Server server({.keys = {{"ak", "sk"}}, .strict = true});
  Request request = server.request("ListTable", std::string(5 * 1024 * 1024 + 1, 'a'));
  request.method = "GET";
  request.path = "/none";
  request.headers.clear();
  CHECK(server.send(request).refusal().starts_with("OTSMethodNotAllowed"));
  request.method = "POST";
  CHECK(server.send(request).body.find("OTSUnsupportOperation") != std::string::npos);
  request.path = "/ListTable";
  CHECK(server.send(request).refusal() == "OTSMissingHeader: Missing header: 'x-ots-date'.");
  for (const char* const name : {"x-ots-date", "x-ots-apiversion", "x-ots-accesskeyid", "x-ots-instancename",
                                 "x-ots-contentmd5", "x-ots-signature"})
    request.headers.emplace_back(name, "-");
  CHECK(server.send(request).refusal() == "OTSParameterInvalid: Invalid date format: -.");
  replace(request, "x-ots-date", "2026-11-20T00:16:51.000Z");
  CHECK(server.send(request).refusal().starts_with("OTSAuthFailed: Mismatch between system time"));
  replace(request, "x-ots-date", "2026-11-21T00:16:51.000Z");
  CHECK(server.send(request).refusal() == "OTSParameterInvalid: Invalid instance name: -.");
  replace(request, "x-ots-instancename", "inst");
  CHECK(server.send(request).refusal() == "OTSAuthFailed: The AccessKeyID does not exist.");
  replace(request, "x-ots-accesskeyid", "ak");
  CHECK(server.send(request).refusal().starts_with("OTSAuthFailed: Mismatch between MD5"));
  const Request whole = server.request("ListTable", request.body);
  for (const auto& [name, value] : whole.headers) replace(request, name, value);
  CHECK(server.send(request).refusal() == "OTSAuthFailed: Signature mismatch.");
  erase(request, "x-ots-signature");
  Server::sign(request);
  CHECK(server.send(request).refusal().starts_with("OTSRequestBodyTooLarge"));
  request = server.request("ListTable", "a");
  Server::sign(request);
  CHECK(server.send(request).refusal() == "OTSParameterInvalid: Parse PBMessage from RawString failed.");
}

TEST_CASE("what the HTTP server has refused has the words and headers of the service") {
  Server server;
  const auto refused = [&](int status) {
    const http::Request request{
        .method = "POST", .target = "/GetRow", .headers = {}, .body = {}, .remote = "test"};
    http::Response response;
    response.status = status;
    response.body = "as it was";
    server.service().refuse(request, response);
    CHECK(response.status == status);
    CHECK(response.headers.find("x-ots-requestid: ") != std::string::npos);
    const auto error = codec::decode_message<api::Error>(response.body);
    return error ? error->code + ": " + error->message.value() : response.body;
  };
  CHECK(refused(405) == "OTSMethodNotAllowed: Only POST method for requests is supported.");
  CHECK(refused(408) == "OTSRequestTimeout: Request timeout.");
  CHECK(refused(413) == "OTSRequestBodyTooLarge: The size of POST data is too large.");
  CHECK(refused(500) == "OTSInternalServerError: Internal server error.");
  CHECK(refused(431) == "as it was");
}

TEST_CASE("what the HTTP server has refused is signed if the headers were read") {
  Server server;
  const http::Header headers[] = {{"x-ots-accesskeyid", "ak"}};
  const http::Request request{
      .method = "POST", .target = "/GetRow", .headers = headers, .body = {}, .remote = "test"};
  http::Response response;
  response.status = 413;
  server.service().refuse(request, response);
  CHECK(response.headers.find("Authorization: OTS ak:") != std::string::npos);
}

TEST_CASE("an empty header of the service is signed, and what comes back is never compressed") {
  Server server({.keys = {{"ak", "sk"}}});
  Request request = server.request("ListTable", "");
  request.headers.emplace_back("x-ots-request-tag", "");
  request.headers.emplace_back("x-ots-response-compress-type", "deflate");
  request.headers.emplace_back("Accept-Encoding", "gzip");
  request.headers.emplace_back("Content-Type", "text/plain");
  Server::sign(request);
  const auto reply = server.send(request);
  CHECK(reply.refusal() == "200");
  CHECK(reply.header("x-ots-response-compress-type").empty());
  CHECK(reply.header("Content-Encoding").empty());
  erase(request, "x-ots-request-tag");
  CHECK(server.send(request).refusal() == "OTSAuthFailed: Signature mismatch.");
}

TEST_CASE("a body may be compressed") {
  Server server;
  server.create("T");
  const std::string body = codec::encode_message(api::DescribeTableRequest{.table_name = "T"});
  const auto compressed = [&](std::string_view type, std::string_view sent) {
    Request request = server.request("DescribeTable", sent);
    request.headers.emplace_back("x-ots-request-compress-type", type);
    request.headers.emplace_back("x-ots-request-compress-size", std::to_string(body.size()));
    return refusal(server, request);
  };
  CHECK(compressed("deflate", base::compress(base::Compression::zlib, body)) == "200");
  CHECK(compressed("deflate", body) == "OTSParameterInvalid: Parse PBMessage from RawString failed.");
  CHECK(compressed("lz4", body) == "OTSParameterInvalid: Parse PBMessage from RawString failed.");
  const std::string large = base::compress(base::Compression::zlib, std::string(5 * 1024 * 1024 + 1, 'a'));
  CHECK(compressed("deflate", large) == "OTSRequestBodyTooLarge: The size of POST data is too large.");
}

TEST_CASE("the header of a world leads to a fork") {
  Server server;
  server.create("T");
  REQUIRE(server.worlds().add_fork("fork", server.world().image().value()).ok());
  api::DeleteTableRequest deletion{.table_name = "T"};
  Request request = server.request("DeleteTable", codec::encode_message(deletion));
  request.headers.emplace_back("X-Dinette-World", "fork");
  Server::sign(request);
  CHECK(server.send(request).refusal() == "200");
  CHECK(server.ok<api::ListTableResponse>("ListTable", api::ListTableRequest()).table_names.size() == 1);
  Request lost = server.request("ListTable", "");
  lost.headers.emplace_back("X-Dinette-World", "nowhere");
  CHECK(refusal(server, lost) ==
        "OTSParameterInvalid: X-Dinette-World names no world: 'nowhere'. POST /_dinette/worlds creates one");
}

TEST_CASE("recent requests and counters have the requests of Tablestore") {
  observe::RecentRequests recent;
  Server server({.recent = &recent});
  server.create("T");
  server.call("DescribeTable", api::DescribeTableRequest{.table_name = "U"});
  Request hidden = server.request("ListTable", "");
  hidden.headers.emplace_back("X-Dinette-Record", "off");
  CHECK(refusal(server, hidden) == "200");
  const auto requests = recent.read({}).requests;
  REQUIRE(requests.size() == 2);
  CHECK(requests[0]->operation == "CreateTable");
  CHECK(requests[0]->error.empty());
  CHECK(requests[0]->details.world == "default");
  CHECK(requests[1]->operation == "DescribeTable");
  CHECK(requests[1]->error == "OTSObjectNotExist");
  CHECK(requests[1]->status == 404);
  CHECK(requests[1]->id.size() == 36);
  REQUIRE(requests[1]->details.tables.size() == 1);
  CHECK(requests[1]->details.tables[0].name == "U");
  const observe::RequestCounters* const counters[] = {&server.service().requests()};
  observe::MetricsWriter text(observe::MetricsFormat::open_metrics);
  observe::RequestCounters::write(text, counters);
  const std::string metrics = std::move(text).finish();
  CHECK(metrics.find("tablestore") != std::string::npos);
  CHECK(metrics.find("OTSObjectNotExist") != std::string::npos);
}

TEST_CASE("web pages may not call") {
  Server server;
  Request request = server.request("ListTable", "");
  request.headers.emplace_back("Origin", "http://localhost:3000");
  CHECK(refusal(server, request) == "OTSNoPermissionAccess: Web pages may not call Tablestore.");
}

TEST_CASE("requests of Tablestore's clients are known on a shared port") {
  const auto owns = [](std::string_view target, std::vector<http::Header> headers) {
    return Service::owns({.method = "POST", .target = target, .headers = headers, .body = {}, .remote = {}});
  };
  CHECK(owns("/GetRow", {{"X-Ots-ApiVersion", "2015-12-31"}}));
  CHECK(owns("/tunnel/list", {}));
  CHECK_FALSE(owns("/GetRow", {}));
  CHECK_FALSE(owns("/", {{"X-Amz-Target", "DynamoDB_20120810.GetItem"}}));
}

}  // namespace dinette::tablestore::envelope_test
