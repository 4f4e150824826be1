#include "dinette/http/message.h"

#include <catch2/catch.hpp>

#include "dinette/base/ascii.h"

#include "http/response_head.h"

namespace dinette::http::message_test {
namespace {

TEST_CASE("headers are found ignoring case; the first of a name counts") {
  const Header headers[] = {{"Host", "a"}, {"X-Amz-Target", "one"}, {"x-amz-target", "two"}, {"Empty", ""}};
  Request request;
  request.headers = headers;
  CHECK(request.header("x-AMZ-target") == "one");
  CHECK(request.header("host") == "a");
  CHECK(request.header("empty") == "");
  CHECK(request.header("hos") == std::nullopt);
  CHECK(request.header("") == std::nullopt);
}

TEST_CASE("different header names do not match") {
  CHECK(same_header_name("Content-Type", "content-TYPE"));
  CHECK_FALSE(same_header_name("content-type", "content_type"));
  CHECK_FALSE(same_header_name("@", "`"));  // only letters have two cases
  CHECK_FALSE(same_header_name("a", "ab"));
}

TEST_CASE("header names of every length are compared character by character") {
  for (const std::size_t size : {1, 7, 8, 9, 15, 16, 17, 30}) {
    for (std::size_t place = 0; place < size; ++place) {
      for (int a = 0; a < 256; ++a) {
        for (const int b : {a, a ^ 0x20, a ^ 0x80, a ^ 1, a ^ 0xA0}) {
          std::string left(size, 'x'), right(size, 'X');
          left[place] = static_cast<char>(a);
          right[place] = static_cast<char>(b);
          if (same_header_name(left, right) != base::equal_ignoring_case(left, right))
            FAIL(size << " characters, at " << place << ": " << a << " and " << b);
        }
      }
    }
  }
}

TEST_CASE("a target is path and query") {
  Request request;
  request.target = "/a?b=c?d";
  CHECK(request.path() == "/a");
  CHECK(request.query() == "b=c?d");
  request.target = "/";
  CHECK(request.path() == "/");
  CHECK(request.query().empty());
}

TEST_CASE("the date has the form of RFC 9110") {
  DateLine line;
  CHECK(line.at(784111777) == "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n");
  CHECK(line.at(784111777) == "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n");
  CHECK(line.at(0) == "Date: Thu, 01 Jan 1970 00:00:00 GMT\r\n");
  CHECK(line.at(1709164800) == "Date: Thu, 29 Feb 2024 00:00:00 GMT\r\n");
}

TEST_CASE("a response's head has the server's headers and the handler's") {
  Response response;
  response.content_type = "application/x-amz-json-1.0";
  response.body = "{}";
  response.add_header("x-amz-crc32", "2745614147");
  std::string head = "old";
  format_response_head(response, true, "Date: x\r\n", head);
  CHECK(head ==
        "HTTP/1.1 200 OK\r\nServer: Server\r\nDate: x\r\nContent-Type: application/x-amz-json-1.0\r\n"
        "Content-Length: 2\r\nConnection: keep-alive\r\nx-amz-crc32: 2745614147\r\n\r\n");

  response.clear();
  response.status = 400;
  format_response_head(response, false, "Date: x\r\n", head);
  CHECK(head ==
        "HTTP/1.1 400 Bad Request\r\nServer: Server\r\nDate: x\r\nContent-Length: 0\r\nConnection: "
        "close\r\n\r\n");

  response.status = 418;
  format_response_head(response, false, "", head);
  CHECK(head.starts_with("HTTP/1.1 418 \r\n"));
}

}  // namespace
}  // namespace dinette::http::message_test
