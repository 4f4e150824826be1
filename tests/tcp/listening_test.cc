// Where a server listens, on machines that have IPv6 and on those that do not.
#include <cerrno>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>
#include <netinet/in.h>

#include "dinette/tcp/stream.h"

#include "support/refused_binds.h"
#include "tcp/fixture.h"

namespace dinette::tcp::listening_test {
namespace {

using Addresses = std::vector<std::string>;

/// While this lives, bind() asks `refuse`.
struct Refusing {
  explicit Refusing(std::function<int(const sockaddr&)> refuse) { test::refuse_bind = std::move(refuse); }
  ~Refusing() { test::refuse_bind = nullptr; }
};

/// This machine has no addresses of a family, or not the loopback address of IPv6, as in many containers.
Refusing without(int family, int why = EAFNOSUPPORT) {
  return Refusing([=](const sockaddr& address) { return address.sa_family == family ? why : 0; });
}

in_port_t port_of(const sockaddr& address) {
  const void* const raw = &address;
  return ntohs(address.sa_family == AF_INET ? static_cast<const sockaddr_in*>(raw)->sin_port
                                            : static_cast<const sockaddr_in6*>(raw)->sin6_port);
}

/// A server that listens, or says why not.
struct Listening {
  explicit Listening(Addresses addresses, std::uint16_t wanted = 0)
      : server({.listen = {.addresses = std::move(addresses), .port = wanted}, .threads = 1}, factory),
        started(server.start()) {}

  Addresses addresses() const {
    INFO((started.ok() ? "" : started.error()));
    REQUIRE(started.ok());
    return server.addresses();
  }
  std::string failure() const {
    REQUIRE_FALSE(started.ok());
    return started.error();
  }
  bool answers_on(const std::string& host) const {
    return Stream::connect({.host = host, .port = *started},
                           std::chrono::steady_clock::now() + std::chrono::minutes(1))
        .ok();
  }

  Stage stage;
  FramesFactory factory{stage};
  Server server;
  base::Result<std::uint16_t, std::string> started;
};

TEST_CASE("a server listens on several addresses at one port") {
  const Listening server({"127.0.0.1", "127.0.0.2"});
  CHECK(server.addresses() == Addresses{"127.0.0.1", "127.0.0.2"});
  CHECK(server.answers_on("127.0.0.1"));
  CHECK(server.answers_on("127.0.0.2"));
  CHECK_FALSE(server.answers_on("127.0.0.3"));
}

TEST_CASE("localhost, the default, is what the machine has of 127.0.0.1 and ::1") {
  const Listening anywhere({"localhost"});
  CHECK(anywhere.addresses().front() == "127.0.0.1");
  CHECK(ServerOptions().listen.addresses == Addresses{"localhost"});
  for (const int why : {EAFNOSUPPORT, EADDRNOTAVAIL}) {
    const Refusing ipv6 = without(AF_INET6, why);
    CHECK(Listening({"localhost"}).addresses() == Addresses{"127.0.0.1"});
  }
  const Refusing all([](const sockaddr&) { return EADDRNOTAVAIL; });
  CHECK(Listening({"localhost"})
            .failure()
            .ends_with(": this machine does not have that address. Use localhost, or :: for "
                       "every network."));
}

TEST_CASE("0.0.0.0 and :: are every network, of IPv4 and of IPv6") {
  for (const char* const every : {"0.0.0.0", "::"}) {
    const Listening server({every});
    CHECK(server.addresses() == Listening({"::"}).addresses());
    CHECK(server.answers_on("127.0.0.1"));
  }
}

TEST_CASE("every network is that of IPv4 where there is no IPv6") {
  const Refusing ipv6 = without(AF_INET6);
  const Listening server({"::"});
  CHECK(server.addresses() == Addresses{"0.0.0.0"});
  CHECK(server.answers_on("127.0.0.1"));
  CHECK(Listening({"::1"}).failure().starts_with("Cannot listen on [::1]:0: this machine does not have"));
}

TEST_CASE("an address that another one includes needs no socket") {
  CHECK(Listening({"127.0.0.1", "127.0.0.1", "::ffff:127.0.0.1"}).addresses() == Addresses{"127.0.0.1"});
  CHECK(Listening({"127.0.0.1", "0.0.0.0", "127.0.0.2"}).addresses() == Listening({"::"}).addresses());
  const Refusing ipv6 = without(AF_INET6);  // then :: is shown as 0.0.0.0
  CHECK(Listening({"0.0.0.0", "[::1]", "::", "localhost"}).addresses() == Addresses{"0.0.0.0"});
}

TEST_CASE("a port that another program has on one of the addresses is an error that says which") {
  const Listening other({"127.0.0.2"});
  const std::uint16_t port = *other.started;
  CHECK(Listening({"127.0.0.1", "127.0.0.2"}, port).failure() ==
        "Cannot listen on 127.0.0.2:" + std::to_string(port) +
            ": another program has this port. Stop it, or choose another port (0 takes a free one).");
  const Refusing ipv6 = without(AF_INET6, EADDRINUSE);
  const std::string failure = Listening({"localhost"}, port).failure();
  CHECK(failure.starts_with("Cannot listen on [::1]:" + std::to_string(port) +
                            ": another program has this port."));
}

TEST_CASE("a link-local address needs its interface") {
  CHECK(Listening({"fe80::1"}).failure() ==
        "Cannot listen on [fe80::1]:0: a link-local address needs its interface, such as fe80::1%eth0.");
}

TEST_CASE("a free port is one that is free on all addresses") {
  int refused = 0;
  in_port_t first = 0;
  const Refusing twice([&](const sockaddr& address) {
    if (port_of(address) == 0 || refused == 2) return 0;
    if (++refused == 1) first = port_of(address);
    return EADDRINUSE;
  });
  const Listening server({"127.0.0.1", "127.0.0.2"});
  CHECK(server.addresses().size() == 2);
  CHECK(refused == 2);
  CHECK(*server.started != first);
}

TEST_CASE("without a free port there is an end to the search") {
  const Refusing second([](const sockaddr& address) { return port_of(address) == 0 ? 0 : EADDRINUSE; });
  CHECK(Listening({"127.0.0.1", "127.0.0.2"}).failure().starts_with("Cannot listen on 127.0.0.2:"));
}

TEST_CASE("only addresses are listened on") {
  CHECK(Listening({"no.address"}).failure() ==
        "Cannot listen on \"no.address\": give an IP address, such as 127.0.0.1 or :: (every network), or "
        "localhost.");
  CHECK(Listening({}).failure() == "Cannot listen: no address is given.");
}

}  // namespace
}  // namespace dinette::tcp::listening_test
