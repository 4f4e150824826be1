#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "dinette/base/clock.h"
#include "dinette/objects/object_store.h"
#include "dinette/s3/remote_store.h"

#include "http/canned.h"

// What a server behind --s3-endpoint may do that no S3 does: each call ends, with an error, after as many
// attempts as are allowed.
namespace dinette::s3::hostile_store_test {
namespace {

using namespace std::chrono_literals;
using objects::ErrorKind;

/// A store whose server always sends the same bytes.
struct Hostile {
  explicit Hostile(std::string answer, tcp::Ending ending = tcp::Ending::close,
                   std::chrono::milliseconds timeout = 20s)
      : server(std::move(answer), ending),
        store({.server = {.port = server.port()},
               .identity =
                   {.access_key = "key", .secret = "secret", .session_token = "", .region = "eu-west-1"},
               .timeout = timeout,
               .pauses = {},
               .read_size = 10,
               .part_size = 5 << 20},
              clock) {}

  /// Returns the error's message without the server's name; "none" if there was none.
  std::string listing_error() {
    const auto listed = store.list("bucket", {.prefix = "p", .after = "pb"});
    return listed ? "none" : text_of(listed.error());
  }
  std::string object_error() {
    const auto object = store.open("bucket", "key");
    if (!object) return text_of(object.error());
    std::string room(7, '\0');
    for (;;) {
      const auto size = (*object)->read(room);
      if (!size) return text_of(size.error());
      if (*size == 0) return "none";
    }
  }
  static std::string text_of(const objects::Error& error) {
    const std::size_t name = error.message.find("127.0.0.1:");
    return name == std::string::npos ? error.message
                                     : error.message.substr(error.message.find(' ', name) + 1);
  }

  base::SystemClock clock;
  http::Canned server;
  RemoteStore store;
};

std::string answer(const std::string& body, const std::string& status = "200 OK",
                   const std::string& headers = "") {
  return "HTTP/1.1 " + status + "\r\n" + headers + "Content-Length: " + std::to_string(body.size()) +
         "\r\n\r\n" + body;
}

std::string listing(const std::string& content, bool more = false) {
  return answer("<ListBucketResult><IsTruncated>" + std::string(more ? "true" : "false") + "</IsTruncated>" +
                content + "</ListBucketResult>");
}

std::string object(const std::string& key) {
  return "<Contents><Key>" + key + "</Key><Size>1</Size></Contents>";
}

}  // namespace

TEST_CASE("a server that sends too much, too little or nothing of HTTP is given up") {
  const std::string endless(17 << 20, 'x');
  CHECK(Hostile("HTTP/1.1 200 OK\r\n\r\n" + endless).listing_error() == "sent more than it was asked for");
  CHECK(Hostile("HTTP/1.1 200 OK\r\nX: " + endless).listing_error() == "sent more than it was asked for");
  CHECK(Hostile("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n").listing_error() ==
        "does not answer in HTTP");
  CHECK(Hostile("HTTP/1.1 200 OK\r\nContent-Length: 999999999999\r\n\r\n").listing_error() ==
        "sent more than it was asked for");
  CHECK(Hostile("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n").listing_error() ==
        "does not answer in HTTP");
  CHECK(Hostile("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\nx")
            .listing_error() != "none");
  CHECK(Hostile("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n<ListBuc").listing_error() ==
        "closed the connection before it answered");
  CHECK(Hostile("").listing_error() == "closed the connection before it answered");
  CHECK(Hostile("HTTP/1.1 200 OK\r\nX-Slow: ", tcp::Ending::none, 50ms).listing_error() ==
        "did not answer in time");
  std::string interim;
  for (int i = 0; i < 100'000; ++i) interim += "HTTP/1.1 100 Continue\r\n\r\n";
  CHECK(Hostile(interim).listing_error() != "none");
}

TEST_CASE("a redirect and an unknown coding are errors, and nothing is unpacked") {
  CHECK(
      Hostile(answer("", "301 Moved Permanently", "Location: http://169.254.169.254/\r\n")).listing_error() ==
      "answered 301");
  CHECK(Hostile(answer("<Error><Code>PermanentRedirect</Code><Message>Elsewhere</Message></Error>",
                       "307 Temporary Redirect", "Location: /\r\n"))
            .object_error() == "answered 307 PermanentRedirect: Elsewhere");
  // The end of a gzip bomb would be far away.
  const std::string packed("\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03", 10);
  CHECK(Hostile(answer(packed, "200 OK", "Content-Encoding: gzip\r\n")).listing_error() == "sent no listing");
}

TEST_CASE("XML that is not a listing is an error") {
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "<a>";
  std::string wide = "<ListBucketResult>";
  for (int i = 0; i < 200'000; ++i) wide += "<a/>";
  const std::string entities =
      "<!DOCTYPE l [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b "
      "\"&a;&a;&a;&a;\">]><ListBucketResult>&b;</ListBucketResult>";
  for (const std::string& body : {deep, wide + "</ListBucketResult>", entities, std::string("\0\0\0", 3),
                                  std::string("<ListBucketResult>"), std::string("<a></b>")})
    CHECK(Hostile(answer(body)).listing_error() == "sent no listing");
}

TEST_CASE("a listing of what was not asked for is an error, so that reading page by page ends") {
  CHECK(Hostile(listing(object("pc") + object("pd"), true)).listing_error() == "none");
  const std::string other = "sent a listing of other keys";
  CHECK(Hostile(listing(object("pb"), true)).listing_error() == other);           // the place itself
  CHECK(Hostile(listing(object("pa"), true)).listing_error() == other);           // before it
  CHECK(Hostile(listing(object("pd") + object("pc"))).listing_error() == other);  // out of order
  CHECK(Hostile(listing(object("pc") + object("pc"))).listing_error() == other);  // twice
  CHECK(Hostile(listing(object("q"))).listing_error() == other);                  // another prefix
  CHECK(Hostile(listing(object(""), true)).listing_error() == other);
  CHECK(Hostile(listing("", true)).listing_error() == other);  // nothing, but more
  CHECK(Hostile(listing("<CommonPrefixes><Prefix>pc/</Prefix></CommonPrefixes>")).listing_error() == other);
}

TEST_CASE("an object of another length or another part of it is an error") {
  const auto part = [](const std::string& range, const std::string& body) {
    return answer(body, "206 Partial Content", "ETag: \"e\"\r\nContent-Range: " + range + "\r\n");
  };
  CHECK(Hostile(part("bytes 0-2/3", "abc")).object_error() == "none");
  const std::string length = "does not say how long an object is";
  for (const char* const range :
       {"", "bytes 0-2/*", "bytes 0-2/2", "bytes 0-2/-1", "bytes 0-2/99999999999999999999", "bytes */3",
        "bytes 5-7/100", "0-2/3", "bytes 00-2/3x"})
    CHECK(Hostile(part(range, "abc")).object_error() == length);
  // The second part is the first one again.
  CHECK(Hostile(part("bytes 0-2/6", "abc")).object_error() == "sent another part of an object");
  CHECK(Hostile(part("bytes 0-2/18446744073709551615", "abc")).object_error() ==
        "sent another part of an object");
  CHECK(Hostile(part("bytes 0-0/6", "")).object_error() == "sent nothing of an object");
}

TEST_CASE("what a server says of an error is kept only as far as it is readable") {
  const std::string long_text(1 << 20, 'm');
  const std::string error =
      Hostile(answer("<Error><Code>" + long_text + "</Code><Message>" + long_text + "</Message></Error>",
                     "400 Bad Request"))
          .listing_error();
  CHECK(error.size() < 2'000);
  CHECK(error.starts_with("answered 400 mmm"));
  const std::string letters = "ä" + std::string(997, 'x') + "ää";  // the cut would be within a letter
  const std::string cut =
      Hostile(answer("<Error><Code>C</Code><Message>" + letters + letters + "</Message></Error>",
                     "400 Bad Request"))
          .listing_error();
  CHECK(cut.find("x...") != std::string::npos);
}

}  // namespace dinette::s3::hostile_store_test
