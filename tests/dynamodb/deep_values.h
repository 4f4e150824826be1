#pragma once

#include <string>
#include <string_view>

/// Values that are nested deeply, as typed JSON.
namespace test {

inline std::string repeat(std::string_view text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

/// Returns a string in that many lists.
inline std::string in_lists(int wraps) {
  return repeat(R"({"L":[)", wraps) + R"({"S":"x"})" + repeat("]}", wraps);
}

/// The same in maps.
inline std::string in_maps(int wraps) {
  return repeat(R"({"M":{"m":)", wraps) + R"({"S":"x"})" + repeat("}}", wraps);
}

}  // namespace test
