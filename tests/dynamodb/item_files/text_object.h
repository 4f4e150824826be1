#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "dinette/objects/object_store.h"

namespace test {

/// An object with the bytes of a text, which are read in parts.
class TextObject final : public dinette::objects::ObjectReader {
 public:
  explicit TextObject(std::string text, std::size_t part = std::string::npos)
      : text_(std::move(text)), part_(part), info_{"text", text_.size(), "", {}} {}

  /// What reading fails with at the end of the text.
  std::optional<dinette::objects::Error> error;

  const dinette::objects::ObjectInfo& info() const override { return info_; }
  std::uint64_t position() const override { return at_; }
  dinette::objects::Result<void> seek(std::uint64_t position) override {
    at_ = position;
    return {};
  }
  dinette::objects::Result<std::size_t> read(std::span<char> room) override {
    const std::size_t size = std::min({room.size(), text_.size() - at_, part_});
    std::copy_n(text_.begin() + static_cast<std::ptrdiff_t>(at_), size, room.begin());
    at_ += size;
    if (size == 0 && error) return dinette::base::Failure{*error};
    return size;
  }

 private:
  const std::string text_;
  const std::size_t part_;
  const dinette::objects::ObjectInfo info_;
  std::size_t at_ = 0;
};

}  // namespace test
