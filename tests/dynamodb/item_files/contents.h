#pragma once

#include <string>
#include <vector>

#include "dinette/dynamodb/item_files/item_source.h"

namespace test {

/// What a file holds: its items, and what was wrong, each with its line.
struct Contents {
  std::vector<std::string> items;
  std::vector<std::string> problems;
  bool ended_early = false;
};

inline Contents contents_of(dinette::dynamodb::item_files::ItemSource& source) {
  Contents found;
  for (;;) {
    const auto item = source.next();
    if (!item) {
      found.problems.push_back(std::to_string(source.line()) + " " + item.error().message);
      found.ended_early = item.error().ends_file;
      if (found.ended_early) return found;
    } else if (*item) {
      found.items.emplace_back(**item);
    } else {
      return found;
    }
  }
}

}  // namespace test
