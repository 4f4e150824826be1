#include "http/request_reader.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

namespace dinette::http::request_reader_test {
namespace {

// What a reader returned for the bytes that it was given.
struct Outcome {
  std::vector<std::string> requests;  // rendered by `render`
  int continues = 0;
  std::string refusal;
  bool unfinished = false;

  bool operator==(const Outcome&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Outcome& outcome) {
  for (const std::string& request : outcome.requests) out << request << "\n";
  return out << "continues " << outcome.continues << ", refusal \"" << outcome.refusal << "\", unfinished "
             << outcome.unfinished;
}

std::string render(const Request& request, bool keep_alive) {
  std::string out(request.method);
  out.append(" ").append(request.target).append(keep_alive ? " keep" : " close");
  for (const Header& header : request.headers) {
    out.append(" [").append(header.name).append("=").append(header.value).append("]");
  }
  return out.append(" ").append(request.body);
}

std::string name_of(Refusal refusal) {
  switch (refusal) {
    case Refusal::malformed:
      return "malformed";
    case Refusal::too_slow:
      return "too slow";
    case Refusal::body_too_large:
      return "body too large";
    case Refusal::header_too_large:
      return "header too large";
    case Refusal::tls_to_plain:
      return "TLS";
    case Refusal::http2:
      return "HTTP/2";
    case Refusal::plain_to_tls:
    case Refusal::too_many_connections:
    case Refusal::out_of_memory:
      return "not the reader's";
  }
  return "unknown";
}

class Feeder {
 public:
  explicit Feeder(const Limits& limits = {}) : reader_(limits) {}

  // Gives the reader these bytes; it may take them in several rounds.
  void feed(std::string_view bytes) {
    while (!bytes.empty() && outcome_.refusal.empty()) {
      const auto room = reader_.room();
      REQUIRE_FALSE(room.empty());
      const std::size_t n = std::min(room.size(), bytes.size());
      std::memcpy(room.data(), bytes.data(), n);
      bytes.remove_prefix(n);
      follow(reader_.received(n));
    }
  }

  Outcome outcome() {
    outcome_.unfinished = outcome_.refusal.empty() && reader_.started();
    return outcome_;
  }

  RequestReader& reader() { return reader_; }

 private:
  void follow(ReadState state) {
    for (;;) {
      switch (state) {
        case ReadState::need_bytes:
          return;
        case ReadState::need_continue:
          ++outcome_.continues;
          state = reader_.resume();
          break;
        case ReadState::complete:
          outcome_.requests.push_back(render(reader_.request(), reader_.keep_alive()));
          state = reader_.next();
          break;
        case ReadState::refused:
          outcome_.refusal = name_of(reader_.refusal());
          return;
      }
    }
  }

  RequestReader reader_;
  Outcome outcome_;
};

Outcome read_whole(std::string_view bytes, const Limits& limits = {}) {
  Feeder feeder(limits);
  feeder.feed(bytes);
  return feeder.outcome();
}

std::string refusal_of(std::string_view bytes, const Limits& limits = {}) {
  return read_whole(bytes, limits).refusal;
}

// A request and two pipelined ones after it, one of them chunked.
const std::string mixed =
    "POST / HTTP/1.1\r\nHost: a\r\nX-Amz-Target: T.Op\r\nContent-Length: 5\r\n\r\nhello"
    "GET /x?y=z HTTP/1.1\r\nHost:\t b \r\nEmpty:\r\n\r\n"
    "POST /c HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
    "3\r\nabc\r\n10;ext=\"v\"\r\n0123456789abcdef\r\n1\r\n!\r\n0\r\nTrailer: ignored\r\n\r\n"
    "PUT / HTTP/1.0\r\nContent-Length: 0\r\n\r\n";

const std::vector<std::string> mixed_requests = {
    "POST / keep [Host=a] [X-Amz-Target=T.Op] [Content-Length=5] hello",
    "GET /x?y=z keep [Host=b] [Empty=] ",
    "POST /c keep [Host=h] [Transfer-Encoding=chunked] abc0123456789abcdef!",
    "PUT / close [Content-Length=0] ",
};

TEST_CASE("requests in one piece are read in order") {
  const Outcome outcome = read_whole(mixed);
  CHECK(outcome.requests == mixed_requests);
  CHECK(outcome.refusal.empty());
  CHECK_FALSE(outcome.unfinished);
}

TEST_CASE("requests split in two at any byte are read the same") {
  for (std::size_t split = 1; split < mixed.size(); ++split) {
    Feeder feeder;
    feeder.feed(std::string_view(mixed).substr(0, split));
    feeder.feed(std::string_view(mixed).substr(split));
    INFO("split at " << split);
    REQUIRE(feeder.outcome().requests == mixed_requests);
  }
}

TEST_CASE("requests that arrive byte by byte are read the same") {
  Feeder feeder;
  for (const char c : mixed) feeder.feed({&c, 1});
  CHECK(feeder.outcome().requests == mixed_requests);
}

TEST_CASE("a chunked body without chunks is empty, however it is cut") {
  const std::string bytes =
      "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nTrailer: x\r\n\r\n";
  for (std::size_t split = 1; split < bytes.size(); ++split) {
    Feeder feeder;
    feeder.feed(std::string_view(bytes).substr(0, split));
    for (const char c : bytes.substr(split)) feeder.feed({&c, 1});
    REQUIRE(feeder.outcome().requests ==
            std::vector<std::string>{"POST / keep [Host=h] [Transfer-Encoding=chunked] "});
  }
}

TEST_CASE("every prefix of a request is incomplete, not refused") {
  const std::string request = mixed.substr(mixed.find("POST /c"), mixed.find("PUT") - mixed.find("POST /c"));
  for (std::size_t length = 1; length < request.size(); ++length) {
    INFO(request.substr(0, length));
    REQUIRE(read_whole(request.substr(0, length)) ==
            Outcome{.requests = {}, .refusal = {}, .unfinished = true});
  }
}

TEST_CASE("large bodies arrive complete through a growing buffer") {
  std::string body(3'000'000, 'x');
  for (std::size_t i = 0; i < body.size(); i += 7) body[i] = static_cast<char>('a' + i % 26);
  SECTION("announced") {
    const Outcome outcome =
        read_whole("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: " + std::to_string(body.size()) +
                   "\r\n\r\n" + body + "GET / HT");
    REQUIRE(outcome.requests.size() == 1);
    CHECK(outcome.requests[0] == "POST / keep [Host=h] [Content-Length=3000000] " + body);
    CHECK(outcome.unfinished);
  }
  SECTION("chunked") {
    std::string bytes = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n";
    for (std::size_t at = 0, step = 1; at < body.size(); step = step * 2 % 99991) {
      const std::string piece = body.substr(at, step);
      char size[20];
      std::snprintf(size, sizeof size, "%zx\r\n", piece.size());
      bytes.append(size).append(piece).append("\r\n");
      at += piece.size();
    }
    const Outcome outcome = read_whole(bytes + "0\r\n\r\n");
    REQUIRE(outcome.requests.size() == 1);
    CHECK(outcome.requests[0] == "POST / keep [Host=h] [Transfer-Encoding=chunked] " + body);
  }
}

TEST_CASE("exactly one Host is required, except in HTTP/1.0") {
  CHECK(read_whole("GET / HTTP/1.1\r\nHost:\r\n\r\n").requests.size() == 1);
  CHECK(read_whole("GET / HTTP/1.0\r\n\r\n").requests.size() == 1);
  CHECK(read_whole("GET / HTTP/1.0\r\nHost: h\r\n\r\n").requests.size() == 1);
}

// RFC 9112 section 3.2.2: a server must accept the form of requests to proxies, and ignore their Host.
TEST_CASE("a target in absolute form is that of a request to its authority") {
  const auto read = [](const std::string& target,
                       const std::string& rest = " HTTP/1.1\r\nHost: other\r\n\r\n") {
    const Outcome outcome = read_whole("GET " + target + rest);
    return outcome.requests.empty() ? outcome.refusal : outcome.requests.front();
  };
  CHECK(read("http://localhost/") == "GET / keep [Host=localhost] ");
  CHECK(read("http://localhost:8000/_dinette/clock?a=/b") ==
        "GET /_dinette/clock?a=/b keep [Host=localhost:8000] ");
  CHECK(read("HTTPS://[::1]:8000/x") == "GET /x keep [Host=[::1]:8000] ");
  CHECK(read("http://localhost") == "GET / keep [Host=localhost] ");
  CHECK(read("http://localhost?a=b") == "GET /?a=b keep [Host=localhost] ");
  CHECK(read("http://localhost/", " HTTP/1.0\r\n\r\n") == "GET / close [Host=localhost] ");
  for (const char* const target : {"http://", "http:///path", "http://?a", "http://user@localhost/"}) {
    INFO(target);
    CHECK(read(target) == "malformed");
  }
  CHECK(read("http://localhost/", " HTTP/1.1\r\n\r\n") == "malformed");
  for (const char* const target :
       {"/http://localhost/", "ftp://localhost/", "http:/localhost", "*", "localhost:80"})
    CHECK(read(target) == "GET " + std::string(target) + " keep [Host=other] ");
}

TEST_CASE("a target in absolute form is read the same however it is cut, and with a body that grows") {
  const std::string head = "POST http://a:1?b=c HTTP/1.1\r\nX: y\r\nHost: other\r\n";
  const std::string small = head + "Content-Length: 2\r\n\r\nhi";
  for (std::size_t split = 1; split < small.size(); ++split) {
    Feeder feeder;
    feeder.feed(std::string_view(small).substr(0, split));
    feeder.feed(std::string_view(small).substr(split));
    REQUIRE(feeder.outcome().requests ==
            std::vector<std::string>{"POST /?b=c keep [X=y] [Host=a:1] [Content-Length=2] hi"});
  }
  const std::string body(300'000, 'x');
  CHECK(read_whole(head + "Content-Length: 300000\r\n\r\n" + body).requests ==
        std::vector<std::string>{"POST /?b=c keep [X=y] [Host=a:1] [Content-Length=300000] " + body});
}

TEST_CASE("no more than the rest of the body is read, however large the buffer") {
  Feeder feeder;
  feeder.feed("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\n\r\n" + std::string(900'000, 'x'));
  CHECK(feeder.reader().memory() < 1'001'000);
  CHECK(feeder.reader().room().size() == 100'000);
  feeder.feed(std::string(100'000, 'x'));
  CHECK(feeder.outcome().requests.size() == 1);
  CHECK(feeder.reader().room().size() <= 16 * 1024);
}

TEST_CASE("no more than a step of chunks is read at a time, into memory that doubles") {
  Feeder feeder;
  feeder.feed("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nf42400\r\n");
  std::set<std::size_t> sizes;
  for (int i = 0; i < 300; ++i) {
    feeder.feed(std::string(50'000, 'x'));
    CHECK(feeder.reader().room().size() <= 64 * 1024);
    sizes.insert(feeder.reader().memory());
  }
  CHECK(sizes.size() < 10);
}

TEST_CASE("bytes after a large request do not keep its memory") {
  Feeder feeder;
  feeder.feed("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nf4240\r\n" +
              std::string(1'000'000, 'x') + "\r\n0\r\n\r\nG");
  CHECK(feeder.outcome().unfinished);
  CHECK(feeder.reader().memory() <= 16 * 1024);
  feeder.feed("ET / HTTP/1.1\r\nHost: h\r\n\r\n");
  CHECK(feeder.outcome().requests.back() == "GET / keep [Host=h] ");
}

TEST_CASE("an abandoned reader keeps no memory") {
  Feeder feeder;
  feeder.feed("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\n\r\n" + std::string(900'000, 'x'));
  CHECK(feeder.reader().head_complete());
  feeder.reader().abandon();
  CHECK(feeder.reader().memory() == 0);
  CHECK(feeder.reader().resume() == ReadState::refused);
}

TEST_CASE("memory grows with what is sent, not with what is announced") {
  Feeder feeder;
  feeder.feed("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 16000000\r\n\r\n");
  CHECK(feeder.reader().room().size() < 200'000);
}

TEST_CASE("a client that expects 100-continue gets it once, if its body has not arrived") {
  const std::string head = "POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-Continue\r\nContent-Length: 2\r\n\r\n";
  Feeder waits;
  waits.feed(head);
  CHECK(waits.outcome().continues == 1);
  waits.feed("o");
  waits.feed("k");
  CHECK(waits.outcome().continues == 1);
  CHECK(waits.outcome().requests.size() == 1);

  CHECK(read_whole(head + "ok").continues == 0);
  CHECK(read_whole("POST / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n").continues == 0);
  CHECK(read_whole("POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 0\r\n\r\n")
            .continues == 0);
  CHECK(read_whole("POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n")
            .continues == 1);
}

TEST_CASE("version and Connection header decide whether the connection stays open") {
  const auto kept = [](const std::string& version, const std::string& connection) {
    const Outcome outcome = read_whole("GET / HTTP/" + version + "\r\nHost: h\r\n" + connection + "\r\n");
    REQUIRE(outcome.requests.size() == 1);
    return outcome.requests[0].starts_with("GET / keep");
  };
  CHECK(kept("1.1", ""));
  CHECK(kept("1.1", "Connection: keep-alive\r\n"));
  CHECK_FALSE(kept("1.1", "Connection: close\r\n"));
  CHECK_FALSE(kept("1.1", "Connection: x, CLOSE\r\n"));
  CHECK_FALSE(kept("1.0", ""));
  CHECK(kept("1.0", "Connection: Keep-Alive\r\n"));
}

TEST_CASE("the limit of the body is exact to the byte") {
  Limits limits;
  limits.body_bytes = 10;
  const std::string sized = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: ";
  CHECK(read_whole(sized + "10\r\n\r\n0123456789", limits).requests.size() == 1);
  CHECK(refusal_of(sized + "11\r\n\r\n", limits) == "body too large");
  CHECK(refusal_of(sized + "18446744073709551615\r\n\r\n", limits) == "body too large");
  CHECK(refusal_of("POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 11\r\n\r\n",
                   limits) == "body too large");

  const std::string chunked = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n0123\r\n";
  CHECK(read_whole(chunked + "6\r\n456789\r\n0\r\n\r\n", limits).requests.size() == 1);
  CHECK(refusal_of(chunked + "7\r\n", limits) == "body too large");
  CHECK(refusal_of(chunked + "ffffffffffffffff\r\n", limits) == "body too large");
}

TEST_CASE("paths may have a limit of their own") {
  Limits limits;
  limits.body_bytes = 10;
  limits.path_body_bytes = 20;
  const auto put = [](const std::string& target, std::size_t size) {
    return "PUT " + target + " HTTP/1.1\r\nHost: h\r\nContent-Length: " + std::to_string(size) + "\r\n\r\n" +
           std::string(size, 'x');
  };
  for (const char* const target : {"/", "/?a", "http://h", "http://h/", "http://h?a"}) {
    CHECK(read_whole(put(target, 10), limits).requests.size() == 1);
    CHECK(refusal_of(put(target, 11), limits) == "body too large");
  }
  for (const char* const target : {"/a", "/a?b", "http://h/a"}) {
    CHECK(read_whole(put(target, 20), limits).requests.size() == 1);
    CHECK(refusal_of(put(target, 21), limits) == "body too large");
  }
}

TEST_CASE("the limit of the header is exact to the byte") {
  Limits limits;
  const std::string start = "GET / HTTP/1.1\r\nHost: h\r\nA: ";
  limits.header_bytes = 200;
  const std::string fits = start + std::string(200 - start.size() - 4, 'x') + "\r\n\r\n";
  REQUIRE(fits.size() == 200);
  CHECK(read_whole(fits, limits).requests.size() == 1);
  CHECK(read_whole(fits + fits, limits).requests.size() == 2);
  CHECK(refusal_of(start + std::string(200 - start.size() - 3, 'x') + "\r\n\r\n", limits) ==
        "header too large");
  CHECK(refusal_of(start + std::string(1000, 'x'), limits) == "header too large");
  CHECK(refusal_of("GET /" + std::string(1000, 'x'), limits) == "header too large");

  Feeder slow(limits);
  for (int i = 0; i < 300; ++i)
    slow.feed(i < 4 ? std::string_view("GET ").substr(static_cast<std::size_t>(i), 1) : "x");
  CHECK(slow.outcome().refusal == "header too large");
}

TEST_CASE("the number of headers is limited") {
  Limits limits;
  limits.header_count = 3;
  const std::string bytes = "GET / HTTP/1.1\r\nHost: h\r\na: 1\r\na: 2\r\n";
  CHECK(read_whole(bytes + "\r\n", limits).requests.size() == 1);
  CHECK(refusal_of(bytes + "a: 3\r\n\r\n", limits) == "header too large");
}

TEST_CASE("endless chunk headers and trailers are refused") {
  const std::string head = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n";
  CHECK(refusal_of(head + "1;" + std::string(100'000, 'x')) == "header too large");
  std::string trailers = head + "0\r\n";
  while (trailers.size() < 100'000) trailers += "Trailer: x\r\n";
  CHECK(refusal_of(trailers) == "header too large");
}

TEST_CASE("a TLS handshake is recognized by its first bytes") {
  const std::string hello("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11);
  CHECK(refusal_of(hello) == "TLS");
  CHECK(refusal_of("GET / HTTP/1.1\r\nHost: h\r\n\r\n" + hello) == "TLS");
  CHECK(refusal_of("\x16\x02") == "malformed");
}

TEST_CASE("a connection of HTTP/2 is recognized by its first line") {
  CHECK(refusal_of("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n") == "HTTP/2");
  CHECK(refusal_of("GET / HTTP/2.0\r\n") == "malformed");
}

TEST_CASE("malformed requests are refused as early as possible") {
  const std::string bad[] = {
      "\n",
      " / HTTP/1.1\r\nHost: h\r\n",
      "GET\r\n",
      "G\x01T / HTTP/1.1\r\nHost: h\r\n",
      "GET  / HTTP/1.1\r\nHost: h\r\n",
      "GET / HTTP/1.1 \r\n",
      "GET / HTTP/2.0\r\n",
      "GET / HTTP/1.2\r\n",
      "GET / HTTP/0.9\r\n",
      "GET / HTTPS/1.1\r\n",
      "GET / HTTP/11\r\n",
      "GET /\r\n",
      "GET /a b HTTP/1.1\r\nHost: h\r\n",
      "GET /\x7f HTTP/1.1\r\nHost: h\r\n",
      "GET / HTTP/1.1\nHost: a\n\n",
      "GET / HTTP/1.1\r\nHost: h\r\nno colon\r\n",
      "GET / HTTP/1.1\r\nHost: h\r\n: no name\r\n",
      "GET / HTTP/1.1\r\nHost: h\r\nname : space\r\n",
      "GET / HTTP/1.1\r\n leading: space\r\n",
      "GET / HTTP/1.1\r\nHost: h\r\na: b\nc: d\r\n",
      "GET / HTTP/1.1\r\nHost: h\r\na: b\rc\r\n",
      std::string("GET / HTTP/1.1\r\nHost: h\r\na: \0\r\n", 31),
      "GET / HTTP/1.1\r\nHost: h\r\na: folded\r\n value\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: h\r\na:\r\n folded\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: h\r\na: \r\n\tfolded\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: h\r\na:\r\n \r\n\r\n",
      "POST / HTTP/1.1\r\nHost: h\r\nContent-Length:\r\n 1\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding:\r\n chunked\r\n\r\n",
      "GET / HTTP/1.1\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n",
      "GET / HTTP/1.0\r\nHost: a\r\nhost: b\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: x\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: -1\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: +1\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1 2\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: h\r\nContent-Length:\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 18446744073709551616\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked, gzip\r\n\r\n",
      "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n",
      "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n",
      "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n0\r\n",
      "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n10000000000000000\r\n",
      "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nbad trailer\r\n\r\n",
  };
  for (const std::string& bytes : bad) {
    INFO(bytes);
    CHECK(refusal_of(bytes) == "malformed");
  }
}

TEST_CASE("one empty line before a request is skipped") {
  CHECK(read_whole("\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n").requests.size() == 1);
  for (const std::size_t piece : {1, 2, 3, 100}) {
    Feeder feeder;
    const std::string_view bytes = "\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n";
    for (std::size_t at = 0; at < bytes.size(); at += piece) feeder.feed(bytes.substr(at, piece));
    CHECK(feeder.outcome().refusal == "malformed");
  }
  Feeder split;
  for (const std::string_view piece :
       {"\r", "\nGET / HTTP/1.1\r\nHost: h\r\n\r\n\r", "\n", "GET / HTTP/1.1\r\nHost: h\r\n\r\n"})
    split.feed(piece);
  CHECK(split.outcome().requests.size() == 2);
}

unsigned seed() {
  const char* given = std::getenv("DINETTE_TEST_SEED");
  return given != nullptr ? static_cast<unsigned>(std::strtoul(given, nullptr, 10)) : std::random_device{}();
}

TEST_CASE("corrupt bytes give the same results in random pieces as in one") {
  const unsigned used = seed();
  CAPTURE(used);
  std::mt19937 random(used);
  const auto below = [&](std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
  };
  for (int round = 0; round < 3000; ++round) {
    std::string bytes = mixed;
    for (std::size_t damage = below(4); damage > 0; --damage) {
      const std::size_t at = below(bytes.size());
      switch (below(3)) {
        case 0:
          bytes[at] = static_cast<char>(below(256));
          break;
        case 1:
          bytes.erase(at, 1 + below(5));
          break;
        default:
          bytes.insert(at, bytes.substr(below(bytes.size()), 1 + below(20)));
      }
    }
    bytes += '\n';  // heads are checked line by line
    Feeder pieces;
    for (std::string_view rest = bytes; !rest.empty();) {
      const std::size_t n = std::min<std::size_t>(rest.size(), 1 + below(40));
      pieces.feed(rest.substr(0, n));
      rest.remove_prefix(n);
    }
    CAPTURE(round, bytes);
    Outcome split = pieces.outcome();
    Outcome whole = read_whole(bytes);
    split.continues = whole.continues = 0;  // depends on the pieces
    REQUIRE(split == whole);
  }
}

}  // namespace
}  // namespace dinette::http::request_reader_test
