#include "tcp/listening.h"

#include <algorithm>
#include <cerrno>
#include <optional>
#include <string_view>
#include <utility>

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/v6_only.hpp>

#include "dinette/tcp/address.h"

namespace dinette::tcp {
namespace {

namespace asio = boost::asio;
using asio::ip::address;
using asio::ip::tcp;
using base::Failure;
using base::Result;
using Error = boost::system::error_code;

/// How often a free port of one address is tried on the others.
constexpr int most_free_ports = 16;

struct Place {
  asio::ip::address where;
  bool optional = false;  ///< nothing is wrong if the machine does not have the address
};

struct Trouble {
  Error why;
  tcp::endpoint where;
};

address unmapped(const address& from) {
  const bool mapped = from.is_v6() && from.to_v6().is_v4_mapped();
  return mapped ? asio::ip::make_address_v4(asio::ip::v4_mapped, from.to_v6()) : from;
}

bool is_missing(const Error& why) {
  return why.value() == EADDRNOTAVAIL || why == asio::error::address_family_not_supported;
}

bool lacks_interface(const address& where) {
  return where.is_v6() && where.to_v6().is_link_local() && where.to_v6().scope_id() == 0;
}

std::string advice(const Trouble& trouble) {
  const std::string begin = "Cannot listen on " + text_of(trouble.where) + ": ";
  if (trouble.why == asio::error::address_in_use) {
    return begin + "another program has this port. Stop it, or choose another port (0 takes a free one).";
  }
  if (lacks_interface(trouble.where.address()))
    return begin + "a link-local address needs its interface, such as " +
           trouble.where.address().to_string() + "%eth0.";
  if (trouble.why == asio::error::access_denied) return begin + "no permission. Choose a port from 1024 on.";
  if (is_missing(trouble.why))
    return begin + "this machine does not have that address. Use localhost, or :: for every network.";
  return begin + trouble.why.message() + ".";
}

/// Returns true if whoever listens on `wide` listens on `narrow`, too.
bool covers(const address& wide, const address& narrow) {
  if (wide == narrow) return true;
  return wide.is_unspecified() && (wide.is_v6() || narrow.is_v4());
}

Result<std::vector<Place>, std::string> places_named(const std::string& name) {
  if (name == "localhost")
    return std::vector<Place>{{asio::ip::address_v4::loopback(), true},
                              {asio::ip::address_v6::loopback(), true}};
  std::string_view literal = name;
  if (literal.starts_with('[') && literal.ends_with(']')) literal = literal.substr(1, literal.size() - 2);
  Error ec;
  const auto where = asio::ip::make_address(literal, ec);
  // Who writes 0.0.0.0 means every network, and may be in one of IPv6 alone.
  if (!ec && where.is_unspecified()) return std::vector<Place>{{asio::ip::address_v6::any()}};
  if (!ec) return std::vector<Place>{{unmapped(where)}};
  return Failure{"Cannot listen on \"" + name +
                 "\": give an IP address, such as 127.0.0.1 or :: (every network), or localhost."};
}

/// Leaves out what is listened on anyway: a second socket could not be bound.
Result<std::vector<Place>, std::string> places_of(const std::vector<std::string>& names) {
  std::vector<Place> all;
  for (const std::string& name : names) {
    DINETTE_TRY(const auto named, places_named(name));
    for (const Place& place : named) {
      if (std::ranges::any_of(all, [&](const Place& other) { return covers(other.where, place.where); }))
        continue;
      std::erase_if(all, [&](const Place& other) { return covers(place.where, other.where); });
      all.push_back(place);
    }
  }
  return all;
}

Result<Acceptor, Trouble> listen_at(const tcp::endpoint& where, asio::io_context& context) {
  Acceptor acceptor(context);
  Error ec;
  acceptor.open(where.protocol(), ec);
  if (!ec) acceptor.set_option(tcp::acceptor::reuse_address(true), ec);
  if (!ec && where.address().is_v6())
    acceptor.set_option(asio::ip::v6_only(!where.address().is_unspecified()), ec);
  if (!ec) acceptor.bind(where, ec);
  if (!ec) acceptor.listen(asio::socket_base::max_listen_connections, ec);
  if (ec) return Failure{Trouble{ec, where}};
  return acceptor;
}

/// "::" means every network; without IPv6 those of IPv4 remain.
Result<Acceptor, Trouble> listen_at(const Place& place, std::uint16_t port, asio::io_context& context) {
  auto acceptor = listen_at(tcp::endpoint(place.where, port), context);
  const bool every_network = place.where.is_v6() && place.where.is_unspecified();
  if (acceptor || !every_network || !is_missing(acceptor.error().why)) return acceptor;
  return listen_at(tcp::endpoint(asio::ip::address_v4::any(), port), context);
}

Result<std::vector<Acceptor>, Trouble> listen_at_all(const std::vector<Place>& places, std::uint16_t port,
                                                     asio::io_context& context) {
  std::vector<Acceptor> acceptors;
  std::optional<Trouble> missing;
  for (const Place& place : places) {
    auto acceptor = listen_at(place, port, context);
    if (acceptor) {
      port = acceptor->local_endpoint().port();
      acceptors.push_back(*std::move(acceptor));
    } else if (place.optional && is_missing(acceptor.error().why)) {
      missing = acceptor.error();
    } else {
      return Failure{acceptor.error()};
    }
  }
  if (acceptors.empty()) return Failure{*missing};
  return acceptors;
}

}  // namespace

Result<std::vector<Acceptor>, std::string> listen_on(const std::vector<std::string>& addresses,
                                                     std::uint16_t port, asio::io_context& context) {
  DINETTE_TRY(const auto places, places_of(addresses));
  if (places.empty()) return Failure{std::string("Cannot listen: no address is given.")};
  for (int left = most_free_ports;; --left) {
    auto acceptors = listen_at_all(places, port, context);
    if (acceptors) return *std::move(acceptors);
    const bool taken = acceptors.error().why == asio::error::address_in_use;
    if (port != 0 || !taken || left == 1) return Failure{advice(acceptors.error())};
  }
}

std::string text_of(const tcp::endpoint& endpoint) {
  return host_and_port(unmapped(endpoint.address()).to_string(), endpoint.port());
}

}  // namespace dinette::tcp
