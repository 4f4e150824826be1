#include "dinette/dynamodb/item_files/warnings.h"

#include <algorithm>

namespace dinette::dynamodb::item_files {

void Warnings::add(std::string_view kind, std::string_view place) {
  auto known = std::ranges::find(kinds_, kind, &Kind::text);
  if (known == kinds_.end()) known = kinds_.insert(known, {std::string(kind), std::string(place), 0});
  ++known->count;
}

std::vector<std::string> Warnings::lines() const {
  std::vector<std::string> lines;
  for (const Kind& kind : kinds_) {
    const std::string times = kind.count == 1 ? "" : std::to_string(kind.count) + " times, first ";
    lines.push_back(kind.text + " (" + times + kind.place + ")");
  }
  return lines;
}

}  // namespace dinette::dynamodb::item_files
