#pragma once

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "dinette/base/base64.h"

/// Bodies in CBOR for tests: written by nlohmann/json, which does not know the tag of times, and read here,
/// for nothing but what the services write.
namespace test {

enum class Bytes { as_base64, kept };

inline nlohmann::json bytes(std::string_view text) {
  return nlohmann::json::binary(std::vector<std::uint8_t>(text.begin(), text.end()));
}

inline std::string in_cbor(const nlohmann::json& value) {
  const std::vector<std::uint8_t> made = nlohmann::json::to_cbor(value);
  return {made.begin(), made.end()};
}

/// Turns the base64 of B and BS in attribute values into bytes; what is no base64 stays.
inline nlohmann::json with_bytes(nlohmann::json value) {
  const auto to_bytes = [](nlohmann::json& text) {
    if (!text.is_string()) return;
    if (const auto some = dinette::base::base64_decode(text.get<std::string>())) text = bytes(*some);
  };
  if (value.is_object() && value.size() == 1 && value.contains("B")) to_bytes(value["B"]);
  if (value.is_object() && value.size() == 1 && value.contains("BS") && value["BS"].is_array())
    for (auto& one : value["BS"]) to_bytes(one);
  if (value.is_structured())
    for (auto& inner : value) inner = with_bytes(inner);
  return value;
}

/// Reads what json_to_cbor() writes. Throws if it is something else.
class CborOfServices {
 public:
  /// `time_unit`: how many of a time's units are a second.
  CborOfServices(std::string_view cbor, int time_unit, Bytes kind)
      : rest_(cbor), time_unit_(time_unit), bytes_(kind) {}

  nlohmann::json whole() {
    nlohmann::json value = next();
    if (!rest_.empty()) throw std::runtime_error("bytes after the CBOR");
    return value;
  }

 private:
  nlohmann::json next() {
    const auto first = static_cast<unsigned char>(take(1)[0]);
    switch (first) {
      case 0x9f:
        return list();
      case 0xbf:
        return map();
      case 0xc1:
        return next().get<double>() / time_unit_;
      case 0xf4:
      case 0xf5:
        return first == 0xf5;
      case 0xf6:
        return nullptr;
      case 0xfa:
        return float_of<float>(static_cast<std::uint32_t>(number(4)));
      case 0xfb:
        return float_of<double>(number(8));
      default:
        return sized(first >> 5, length(first & 31));
    }
  }

  nlohmann::json sized(int major, std::uint64_t size) {
    if (major == 0) return size;
    if (major == 1) return -1 - static_cast<std::int64_t>(size);
    if (major == 3) return std::string(take(size));
    if (major != 2) throw std::runtime_error("CBOR that services do not write");
    const std::string_view some = take(size);
    return bytes_ == Bytes::kept ? bytes(some) : nlohmann::json(dinette::base::base64_encode(some));
  }

  nlohmann::json list() {
    nlohmann::json elements = nlohmann::json::array();
    while (!took_end()) elements.push_back(next());
    return elements;
  }

  nlohmann::json map() {
    nlohmann::json members = nlohmann::json::object();
    while (!took_end()) {
      const std::string name = next();
      members[name] = next();
    }
    return members;
  }

  bool took_end() {
    if (rest_.empty() || rest_[0] != '\xff') return false;
    rest_.remove_prefix(1);
    return true;
  }

  std::uint64_t length(unsigned info) {
    if (info < 24) return info;
    if (info > 27) throw std::runtime_error("a length that services do not write");
    return number(std::size_t{1} << (info - 24));
  }

  std::uint64_t number(std::size_t size) {
    std::uint64_t made = 0;
    for (const char c : take(size)) made = made << 8 | static_cast<unsigned char>(c);
    return made;
  }

  template <class Float, class Bits>
  static Float float_of(Bits bits) {
    static_assert(sizeof(Float) == sizeof(Bits));
    Float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }

  std::string_view take(std::size_t size) {
    if (rest_.size() < size) throw std::runtime_error("CBOR that ends too soon");
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }

  std::string_view rest_;
  const int time_unit_;
  const Bytes bytes_;
};

inline nlohmann::json of_cbor(std::string_view cbor, int time_unit = 1, Bytes kind = Bytes::as_base64) {
  return CborOfServices(cbor, time_unit, kind).whole();
}

}  // namespace test
