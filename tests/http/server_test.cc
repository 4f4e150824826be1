#include "dinette/http/server.h"

#include <future>
#include <latch>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "http/fixture.h"

namespace dinette::http::server_test {
namespace {

TEST_CASE("one connection carries many requests") {
  Running running;
  Client client(running.port);
  for (int i = 0; i < 50; ++i) {
    const std::string body = std::to_string(i);
    const Answer answer = client.ask(post(body));
    REQUIRE(answer.status == 200);
    REQUIRE(answer.body == "POST / " + body);
  }
}

TEST_CASE("every response has the headers of the service") {
  ServerOptions options;
  options.date_now = [] { return std::time_t{784111777}; };
  Running running(&echo, std::move(options));
  Client client(running.port);
  CHECK(client.ask(post("x")).head ==
        "HTTP/1.1 200 OK\r\nServer: Server\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\nContent-Type: "
        "text/plain\r\n"
        "Content-Length: 8\r\nConnection: keep-alive\r\n\r\n");
}

TEST_CASE("pipelined requests are answered in order, on loops and on workers") {
  ServerOptions options;
  options.tcp.workers = GENERATE(0U, 3U);
  Running running(&echo, std::move(options));
  Client client(running.port);
  std::string bytes;
  for (int i = 0; i < 500; ++i) bytes += post(std::to_string(i));
  REQUIRE(client.send(bytes));
  for (int i = 0; i < 500; ++i) REQUIRE(client.receive().body == "POST / " + std::to_string(i));
}

TEST_CASE("a request in two packets, split at any byte, is answered") {
  Running running;
  Client client(running.port);
  const std::string request = post("body");
  for (std::size_t split = 1; split < request.size(); ++split) {
    REQUIRE(client.send(request.substr(0, split)));
    REQUIRE(client.ask(request.substr(split)).body == "POST / body");
  }
}

TEST_CASE("a dropped response closes the connection, with nothing sent and later requests not answered") {
  ServerOptions options;
  options.tcp.workers = GENERATE(0U, 3U);
  const auto drop = [](const Request& request, Response& response) {
    echo(request, response);
    response.drop = request.body == "drop";
  };
  Running running(drop, std::move(options));
  Client client(running.port);
  REQUIRE(client.send(post("one") + post("drop") + post("two")));
  CHECK(client.receive().body == "POST / one");
  CHECK(client.receive_to("\r\n").empty());
  Client other(running.port);
  CHECK(other.ask(post("three")).body == "POST / three");
}

TEST_CASE("the handler sees the client's address") {
  std::string remote;
  bool secure = true;
  Running running([&](const Request& request, Response&) {
    remote = request.remote;
    secure = request.secure;
  });
  Client client(running.port);
  CHECK(client.ask(post("")).status == 200);
  CHECK(remote.starts_with("127.0.0.1:"));
  CHECK_FALSE(secure);
}

TEST_CASE("a client that waits for 100-continue gets it") {
  Running running;
  Client client(running.port);
  const std::string request = post("body", "Expect: 100-continue\r\n");
  CHECK(client.ask(request.substr(0, request.size() - 4)).head == "HTTP/1.1 100 Continue\r\n\r\n");
  CHECK(client.ask("body").body == "POST / body");
  CHECK(client.ask(request).body == "POST / body");
}

TEST_CASE("a chunked request is answered") {
  Running running;
  Client client(running.port);
  REQUIRE(client.send("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n"));
  CHECK(client.ask("1\r\nc\r\n0\r\n\r\n").body == "POST / abc");
  CHECK(client.ask(post("next")).body == "POST / next");
}

TEST_CASE("HEAD is answered without the body, but with its length") {
  Running running;
  Client client(running.port);
  REQUIRE(client.send("HEAD / HTTP/1.1\r\nHost: h\r\n\r\n"));
  CHECK(client.receive(true).has("Content-Length: 7\r\n"));
  CHECK(client.ask(post("x")).body == "POST / x");
}

TEST_CASE("the connection closes after a response if the client, its version or the handler asks for it") {
  Running running([](const Request& request, Response& response) {
    echo(request, response);
    response.close = request.target == "/close";
  });
  for (const std::string request :
       {"GET / HTTP/1.0\r\n\r\n", "GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n",
        "GET /close HTTP/1.1\r\nHost: h\r\n\r\n"}) {
    Client client(running.port);
    const Answer answer = client.ask(request + "GET /next HTTP/1.1\r\nHost: h\r\n\r\n");
    CHECK(answer.status == 200);
    CHECK(answer.has("Connection: close\r\n"));
    CHECK(client.closed_by_server());
  }
  Client client(running.port);
  CHECK(client.ask("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n").has("Connection: keep-alive\r\n"));
  CHECK(client.ask("GET /2 HTTP/1.0\r\n\r\n").body == "GET /2 ");
}

// Limits that a test can reach.
ServerOptions narrow() {
  ServerOptions options;
  options.limits.body_bytes = 1000;
  options.limits.header_bytes = 500;
  return options;
}

TEST_CASE("a refused request is answered, and the connection ends") {
  Running running(&echo, narrow());
  const struct {
    std::string bytes;
    int status;
    std::string body;
  } cases[] = {
      {"nonsense\r\n\r\n", 400, "Bad request\n"},
      {"GET / HTTP/1.1\r\nHost: h\r\nX: " + std::string(500, 'x'), 431, "Headers too large\n"},
      {"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1001\r\n\r\n", 413, "Request too large\n"},
      {"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1001\r\nExpect: 100-continue\r\n\r\n", 413,
       "Request too large\n"},
      {"POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3e9\r\n", 413, "Request too large\n"},
  };
  for (const auto& one : cases) {
    INFO(one.bytes);
    Client client(running.port);
    const Answer answer = client.ask(one.bytes);
    CHECK(answer.status == one.status);
    CHECK(answer.body == one.body);
    CHECK(answer.has("Connection: close\r\n"));
    CHECK(answer.has("Content-Type: text/plain\r\n"));
    CHECK(client.closed_by_server());
  }
  Client client(running.port);
  CHECK(client.ask(post(std::string(1000, 'x'))).status == 200);
}

TEST_CASE("the owner of the server may change its refusals") {
  ServerOptions options = narrow();
  std::string refused;
  options.on_refusal = [&](const Request& request, Response& response) {
    refused = request.remote;
    if (response.status == 413) response.body = "<BodyTooLarge/>";
    response.content_type = "application/xml";
    response.add_header("x-id", "1");
  };
  Running running(&echo, std::move(options));
  Client client(running.port);
  const Answer answer = client.ask("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1001\r\n\r\n");
  CHECK(answer.status == 413);
  CHECK(answer.body == "<BodyTooLarge/>");
  CHECK(answer.has("Content-Type: application/xml\r\n"));
  CHECK(answer.has("x-id: 1\r\n"));
  CHECK(answer.has("Connection: close\r\n"));
  CHECK(refused.starts_with("127.0.0.1:"));
}

TEST_CASE("the owner of the server sees what was to be done by a request whose body is too large") {
  ServerOptions options = narrow();
  std::string refused;
  options.on_refusal = [&](const Request& request, Response&) {
    refused = std::string(request.method) + " " + std::string(request.target);
  };
  Running running(&echo, std::move(options));
  CHECK(Client(running.port).ask("PUT /a/b?c HTTP/1.1\r\nHost: h\r\nContent-Length: 1001\r\n\r\n").status ==
        413);
  CHECK(refused == "PUT /a/b?c");
  std::string chunks = "PUT /chunks HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (int i = 0; i < 11; ++i) chunks += "64\r\n" + std::string(100, 'x') + "\r\n";
  CHECK(Client(running.port).ask(chunks).status == 413);
  CHECK(refused == "PUT /chunks");
  CHECK(Client(running.port).ask("GET /secret\r\n\r\n").status == 400);
  CHECK(refused == " ");
}

TEST_CASE("requests before a refused one are answered") {
  Running running(&echo, narrow());
  Client client(running.port);
  REQUIRE(client.send(post("1") + post("2") + "nonsense\r\n\r\n"));
  CHECK(client.receive().body == "POST / 1");
  CHECK(client.receive().body == "POST / 2");
  CHECK(client.receive().status == 400);
  CHECK(client.closed_by_server());
}

TEST_CASE("a client that sends a whole body that is too large still sees the response") {
  Running running(&echo, narrow());
  Client client(running.port);
  REQUIRE(client.send(post(std::string(8'000'000, 'x'))));
  CHECK(client.receive().status == 413);
  CHECK(client.closed_by_server());
}

TEST_CASE("large bodies are received and sent") {
  Running running;
  Client client(running.port);
  const std::string body(10'000'000, 'x');
  auto sender = std::async(std::launch::async, [&] { return client.send(post(body)); });
  CHECK(client.receive().body == "POST / " + body);
  CHECK(sender.get());
  CHECK(client.ask(post("small")).body == "POST / small");
}

TEST_CASE("a response is sent in pieces, which are read on threads that may wait") {
  const std::string piece(100'000, 'x');
  const auto handle = [&](const Request& request, Response& response) {
    const bool fails = request.target == "/fails";
    const auto left = std::make_shared<int>(fails ? 1 : 3);
    response.body = piece;
    response.length = 4 * piece.size();
    response.rest = [&piece, left, fails](std::string& body) {
      if (*left == 0) return false;
      if (fails && --*left == 0) throw std::runtime_error("the disk is gone");
      --*left;
      body = piece;
      return true;
    };
  };
  const auto get = [](const char* method, const char* target) {
    return std::string(method) + " " + target + " HTTP/1.1\r\nHost: h\r\n\r\n";
  };
  Running running(handle);
  Client client(running.port);
  REQUIRE(client.send(get("GET", "/") + get("GET", "/")));  // the second one waits for its turn
  for (int i = 0; i < 2; ++i) CHECK((client.receive().body == piece + piece + piece + piece));
  REQUIRE(client.send(get("HEAD", "/")));
  CHECK(client.receive(true).has("Content-Length: 400000\r\n"));
  REQUIRE(client.send(get("GET", "/fails")));
  CHECK(client.receive().status == 0);  // it ends early
}

TEST_CASE("an exception in the handler is a 500, and the connection continues") {
  ServerOptions options;
  options.tcp.workers = GENERATE(0U, 1U);
  Running running(
      [](const Request& request, Response& response) {
        response.body = "half an answer";
        if (request.body == "std") throw std::runtime_error("provoked by the test");
        if (request.body == "int") throw 1;
      },
      std::move(options));
  Client client(running.port);
  for (const char* kind : {"std", "int"}) {
    const Answer answer = client.ask(post(kind));
    CHECK(answer.status == 500);
    CHECK(answer.body.empty());
    CHECK(client.ask(post("fine")).status == 200);
  }
}

TEST_CASE("many concurrent clients get their own responses") {
  ServerOptions options;
  options.tcp.workers = GENERATE(0U, 2U);
  Running running(&echo, std::move(options));
  std::vector<std::future<bool>> clients;
  for (int id = 0; id < 16; ++id) {
    clients.push_back(std::async(std::launch::async, [&, id] {
      Client client(running.port);
      for (int i = 0; i < 100; ++i) {
        const std::string body =
            std::to_string(id) + "/" + std::to_string(i) + std::string(static_cast<std::size_t>(i) * 50, 'x');
        if (!client.send(post(body)) || client.receive().body != "POST / " + body) return false;
      }
      return true;
    }));
  }
  for (auto& client : clients) CHECK(client.get());
}

}  // namespace
}  // namespace dinette::http::server_test
