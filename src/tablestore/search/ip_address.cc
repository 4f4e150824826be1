#include "tablestore/search/ip_address.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <functional>
#include <system_error>
#include <tuple>
#include <utility>

#include <arpa/inet.h>

namespace dinette::tablestore::search {
namespace {

constexpr std::size_t mapped_bytes = 12;  // before the four of version 4

bool is_mapped(const IpAddress& address) {
  constexpr std::array<unsigned char, mapped_bytes> prefix = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  return std::equal(prefix.begin(), prefix.end(), address.bytes.begin());
}

/// Returns how many bits a text says that begin an address; nothing if there are no such bits.
std::optional<std::size_t> read_prefix(std::string_view text, std::size_t most) {
  std::size_t bits = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bits);
  const bool fits = error == std::errc() && end == text.data() + text.size() && bits <= most;
  return fits ? std::optional(bits) : std::nullopt;
}

}  // namespace

IpAddress::operator std::string() const {
  std::array<char, INET6_ADDRSTRLEN> text = {};
  if (is_mapped(*this))
    inet_ntop(AF_INET, bytes.data() + mapped_bytes, text.data(), text.size());
  else
    inet_ntop(AF_INET6, bytes.data(), text.data(), text.size());
  return text.data();
}

std::optional<IpAddress> read_ip_address(std::string_view text) {
  if (text.size() >= INET6_ADDRSTRLEN || text.find('\0') != std::string_view::npos) return std::nullopt;
  const std::string terminated(text);
  IpAddress address;
  if (inet_pton(AF_INET6, terminated.c_str(), address.bytes.data()) == 1) return address;
  address = {};
  if (inet_pton(AF_INET, terminated.c_str(), address.bytes.data() + mapped_bytes) != 1) return std::nullopt;
  std::fill_n(address.bytes.begin() + mapped_bytes - 2, 2, static_cast<unsigned char>(0xff));
  return address;
}

/// The bits after the prefix make no difference.
std::optional<IpRange> read_ip_range(std::string_view text) {
  const std::size_t slash = text.find('/');
  const auto address = read_ip_address(text.substr(0, slash));
  if (!address) return std::nullopt;
  IpRange range{*address, *address};
  if (slash == std::string_view::npos) return range;
  constexpr std::size_t bits_per_byte = 8;
  constexpr std::size_t all_bits = 8 * std::tuple_size_v<decltype(IpAddress::bytes)>;
  const bool is_version_6 = text.substr(0, slash).find(':') != std::string_view::npos;
  const std::size_t before = is_version_6 ? 0 : mapped_bytes * bits_per_byte;
  const auto prefix = read_prefix(text.substr(slash + 1), all_bits - before);
  if (!prefix) return std::nullopt;
  for (std::size_t bit = before + *prefix; bit < all_bits; ++bit) {
    const auto mask = static_cast<unsigned char>(0x80U >> bit % bits_per_byte);
    range.first.bytes[bit / bits_per_byte] &= static_cast<unsigned char>(~mask);
    range.last.bytes[bit / bits_per_byte] |= mask;
  }
  return range;
}

IpSet::IpSet(std::vector<IpRange> ranges) {
  std::ranges::sort(ranges, std::less<>(), &IpRange::first);
  for (const IpRange& range : ranges) {
    if (ranges_.empty() || ranges_.back().last < range.first)
      ranges_.push_back(range);
    else
      ranges_.back().last = std::max(ranges_.back().last, range.last);
  }
}

bool IpSet::has(const IpAddress& address) const {
  const auto range = std::ranges::lower_bound(ranges_, address, std::less<>(), &IpRange::last);
  return range != ranges_.end() && range->first <= address;
}

}  // namespace dinette::tablestore::search
