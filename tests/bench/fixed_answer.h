// What the yardsticks of the benchmarks answer: shaped as a reply of the service, with the two headers that
// depend on it.
#pragma once

#include <cstddef>
#include <string>

namespace bench {

inline constexpr const char* content_type = "application/x-amz-json-1.0";
inline constexpr const char* headers =
    "x-amzn-RequestId: 0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789ABCDEF\r\n"
    "x-amz-crc32: 2745614147\r\n";
inline constexpr std::size_t default_body = 1024;

inline std::string body_of(std::size_t size) {
  constexpr std::size_t frame = 11;
  return size < frame ? std::string(size, 'x') : "{\"Item\":\"" + std::string(size - frame, 'x') + "\"}";
}

}  // namespace bench
