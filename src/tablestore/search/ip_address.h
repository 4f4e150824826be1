#pragma once

#include <array>
#include <compare>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Addresses, as fields of type IP have them.
namespace dinette::tablestore::search {

/// An IP address. One of version 4 is the one of version 6 that it is mapped to, so that all have one order.
struct IpAddress {
  std::array<unsigned char, 16> bytes = {};

  /// Returns the usual form: `192.0.2.1`, `2001:db8::1`. Not explicit: SQL has it as a text.
  operator std::string() const;  // NOLINT(google-explicit-constructor)

  friend auto operator<=>(const IpAddress&, const IpAddress&) = default;
};

/// Returns nothing for a text that is no address.
std::optional<IpAddress> read_ip_address(std::string_view text);

/// Addresses that follow each other.
struct IpRange {
  IpAddress first;
  IpAddress last;
};

/// Reads an address, or all of those that begin as it does: `192.168.1.1/24`. Returns nothing for other
/// texts.
std::optional<IpRange> read_ip_range(std::string_view text);

/// The addresses of several ranges.
class IpSet {
 public:
  explicit IpSet(std::vector<IpRange> ranges);

  bool has(const IpAddress& address) const;

 private:
  std::vector<IpRange> ranges_;  ///< in their order, apart from each other
};

}  // namespace dinette::tablestore::search
