#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace dinette::base {

/// A range of IP addresses, version 4 or 6: "203.0.113.0/24". An address alone is a range of one.
class Network {
 public:
  /// Returns nothing if the text is no range.
  static std::optional<Network> of(std::string_view text);

  /// Returns true if `address` is an address of the range; false for other texts and the other version.
  bool has(std::string_view address) const;

 private:
  Network(std::string address, unsigned bits) : address_(std::move(address)), bits_(bits) {}

  std::string address_;  // as bytes, 4 or 16
  unsigned bits_;        // that count
};

}  // namespace dinette::base
