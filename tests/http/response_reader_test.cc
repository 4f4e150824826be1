#include "http/response_reader.h"

#include <string>
#include <string_view>

#include <catch2/catch.hpp>

namespace dinette::http::response_reader_test {
namespace {

/// Returns what a reader makes of bytes, followed by the end of the connection.
std::string read(std::string_view first, std::string_view second = "", bool to_head = false) {
  ResponseReader reader({.body_bytes = 100}, to_head);
  ResponseState state = reader.received(first);
  if (state == ResponseState::need_bytes && !second.empty()) state = reader.received(second);
  const bool ends = state == ResponseState::need_bytes;
  if (ends) state = reader.ended();
  switch (state) {
    case ResponseState::complete: {
      const ClientResponse response = reader.take();
      std::string text = response.status_line;
      for (const auto& [name, value] : response.headers) text += " [" + name + "=" + value + "]";
      return text + " " + response.body + (ends ? ", ended" : "");
    }
    case ResponseState::need_bytes:
      return "unfinished";
    case ResponseState::not_http:
      return "not HTTP";
    case ResponseState::too_large:
      return "too large";
    case ResponseState::cut:
      return "cut";
  }
  return "";
}

const std::string chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

TEST_CASE("a response ends as its headers say, or with the connection") {
  CHECK(read("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nA: b \r\n\r\nhello") ==
        "HTTP/1.1 200 OK [Content-Length=5] [A=b] hello");
  CHECK(read("HTTP/1.1 404 \r\nContent-Length: 0\r\n\r\n") == "HTTP/1.1 404 Not Found [Content-Length=0] ");
  CHECK(read(chunked + "5\r\nhello\r\n6;x=y\r\n world\r\n0\r\nTrailer: x\r\n\r\n")
            .ends_with("[Transfer-Encoding=chunked] [Trailer=x] hello world"));
  CHECK(read(chunked + "0\r\n\r\n").ends_with("chunked] "));
  CHECK(read("HTTP/1.0 200 OK\r\n\r\nhello") == "HTTP/1.0 200 OK hello, ended");
  CHECK(read("HTTP/1.1 204 No Content\r\n\r\n") == "HTTP/1.1 204 No Content ");
  CHECK(read("HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n").ends_with("[Content-Length=5] "));
}

TEST_CASE("a response to HEAD ends with its head") {
  CHECK(read("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", "", true) ==
        "HTTP/1.1 200 OK [Content-Length=5] ");
  CHECK(read(chunked, "", true).ends_with("chunked] "));
}

TEST_CASE("interim responses are skipped") {
  CHECK(read("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"
             "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx") == "HTTP/1.1 200 OK [Content-Length=1] x");
  CHECK(read("HTTP/1.1 100 Continue\r\n\r\n") == "cut");
}

TEST_CASE("responses over a limit are too large, with or without an announced size") {
  const std::string body(101, 'x');
  CHECK(read("HTTP/1.1 200 OK\r\nContent-Length: 101\r\n\r\n") == "too large");
  CHECK(read("HTTP/1.1 200 OK\r\n\r\n" + body) == "too large");
  CHECK(read(chunked + "65\r\n") == "too large");
  CHECK(read(chunked + "32\r\n" + std::string(50, 'x') + "\r\n33\r\n") == "too large");
  CHECK(read("HTTP/1.1 200 OK\r\nA: " + std::string(40'000, 'x')) == "too large");
}

TEST_CASE("truncated responses and other protocols are distinguished") {
  for (const char* bytes :
       {"", "H", "HTTP/1.1", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nx"}) {
    INFO(bytes);
    CHECK(read(bytes) == "cut");
  }
  CHECK(read(chunked + "5\r\nhello\r\n") == "cut");
  for (const char* bytes :
       {"x", "HTTX", "HTTP/2 200 OK\r\n\r\n", "HTTP/1.1 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n"}) {
    INFO(bytes);
    CHECK(read(bytes) == "not HTTP");
  }
  CHECK(read(chunked + "x\r\n") == "not HTTP");
}

TEST_CASE("a response split anywhere is read the same") {
  for (const std::string& bytes :
       {"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello" + std::string(),
        chunked + "5\r\nhello\r\n6;x=y\r\n world\r\n0\r\nTrailer: x\r\n\r\n", chunked + "0\r\n\r\n"}) {
    const std::string whole = read(bytes);
    for (std::size_t at = 1; at < bytes.size(); ++at) {
      INFO(at);
      REQUIRE(read(std::string_view(bytes).substr(0, at), std::string_view(bytes).substr(at)) == whole);
    }
  }
}

}  // namespace
}  // namespace dinette::http::response_reader_test
