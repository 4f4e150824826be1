#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dinette/dynamodb/item_files/objects.h"

namespace test {

/// The bytes of a text, in parts.
class TextStream final : public dinette::dynamodb::item_files::ObjectStream {
 public:
  explicit TextStream(std::string text, std::size_t part = std::string::npos)
      : text_(std::move(text)), part_(part) {}

  dinette::dynamodb::item_files::Outcome<std::size_t> read(std::span<char> room) override {
    const std::size_t size = std::min({room.size(), text_.size() - at_, part_});
    std::copy_n(text_.begin() + static_cast<std::ptrdiff_t>(at_), size, room.begin());
    at_ += size;
    return size;
  }

 private:
  const std::string text_;
  const std::size_t part_;
  std::size_t at_ = 0;
};

/// Objects in memory, which remember the order in which they were put, and may run out of room.
class MemoryObjects final : public dinette::dynamodb::item_files::Objects {
 public:
  using Failure = dinette::base::Failure<std::string>;

  std::map<std::string, std::string, std::less<>> objects;
  std::vector<std::string> order;
  std::size_t room = 1000;  ///< how many puts succeed

  dinette::dynamodb::item_files::Outcome<void> put(std::string_view key, std::string_view bytes) override {
    if (order.size() == room) return Failure{"there is no room"};
    order.emplace_back(key);
    objects[std::string(key)] = bytes;
    return {};
  }
  dinette::dynamodb::item_files::Outcome<std::unique_ptr<dinette::dynamodb::item_files::ObjectStream>> open(
      std::string_view key) const override {
    const auto found = objects.find(key);
    if (found == objects.end()) return Failure{"there is no " + std::string(key)};
    return std::unique_ptr<dinette::dynamodb::item_files::ObjectStream>(
        std::make_unique<TextStream>(found->second));
  }
  bool has(std::string_view key) const override { return objects.contains(key); }
  std::string name_of(std::string_view key) const override { return "memory:" + std::string(key); }
};

}  // namespace test
