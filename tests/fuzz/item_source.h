#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/aws/json.h"
#include "dinette/dynamodb/item_files/item_source.h"
#include "dinette/dynamodb/item_files/objects.h"

/// Data files in parts, which must not matter to readers.
namespace test {

class Parts final : public dinette::dynamodb::item_files::ObjectStream {
 public:
  Parts(std::string_view bytes, std::size_t part) : bytes_(bytes), part_(part) {}

  dinette::dynamodb::item_files::Outcome<std::size_t> read(std::span<char> room) override {
    const std::size_t size = std::min({room.size(), bytes_.size(), part_});
    std::copy_n(bytes_.begin(), size, room.begin());
    bytes_.remove_prefix(size);
    return size;
  }

 private:
  std::string_view bytes_;
  const std::size_t part_;
};

inline void expect(bool holds) {
  if (!holds) std::abort();
}

/// Returns what a file holds, items and failures with their lines. Every item must be a JSON object on one
/// line.
inline std::vector<std::string> told(dinette::dynamodb::item_files::ItemSource& source) {
  std::vector<std::string> all;
  for (;;) {
    const auto item = source.next();
    const std::string line = std::to_string(source.line()) + " ";
    if (!item) {
      all.push_back(line + item.error().message);
      if (item.error().ends_file) return all;
    } else if (*item) {
      all.push_back(line + std::string(**item));
      simdjson::dom::parser parser;
      expect(parser.parse(item->value().data(), item->value().size()).is_object());
      expect(item->value().find('\n') == std::string_view::npos);
    } else {
      return all;
    }
  }
}

}  // namespace test
