#pragma once

#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/aws/json.h"
#include "dinette/dynamodb/item_files/item_source.h"

/// Data files, in parts that must not matter to readers.
namespace test {

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
