#include "dinette/base/network.h"

#include <algorithm>
#include <utility>

#include <boost/asio/ip/address.hpp>

#include "dinette/base/ascii.h"

namespace dinette::base {
namespace {

/// Returns the bytes of an address, none if the text is not one.
std::string bytes_of_address(std::string_view text) {
  boost::system::error_code failed;
  const auto address = boost::asio::ip::make_address(std::string(text), failed);
  std::string bytes;
  if (failed) return bytes;
  const auto append = [&](const auto& parts) {
    for (const unsigned char part : parts) bytes += static_cast<char>(part);
  };
  address.is_v4() ? append(address.to_v4().to_bytes()) : append(address.to_v6().to_bytes());
  return bytes;
}

bool have_same_bits(std::string_view a, std::string_view b, unsigned bits) {
  if (a.size() != b.size()) return false;
  const std::size_t whole = bits / 8;
  if (a.substr(0, whole) != b.substr(0, whole)) return false;
  if (bits % 8 == 0) return true;
  const unsigned mask = 0xff00U >> (bits % 8);
  return ((static_cast<unsigned char>(a[whole]) ^ static_cast<unsigned char>(b[whole])) & mask & 0xff) == 0;
}

}  // namespace

std::optional<Network> Network::of(std::string_view text) {
  const std::size_t slash = text.find('/');
  std::string address = bytes_of_address(text.substr(0, slash));
  if (address.empty()) return std::nullopt;
  const auto all = static_cast<unsigned>(address.size() * 8);
  if (slash == std::string_view::npos) return Network(std::move(address), all);
  const std::string bits(text.substr(slash + 1));
  if (bits.empty() || bits.size() > 3 || !std::ranges::all_of(bits, is_digit)) return std::nullopt;
  const auto number = static_cast<unsigned>(std::stoul(bits));
  return number <= all ? std::optional(Network(std::move(address), number)) : std::nullopt;
}

bool Network::has(std::string_view address) const {
  return have_same_bits(address_, bytes_of_address(address), bits_);
}

}  // namespace dinette::base
