#pragma once

#include <filesystem>
#include <utility>

#include "kv/durable/place.h"

namespace dinette::test {

/// A folder that stays; with a database if it was there already.
class FixedPlace final : public kv::durable::Place {
 public:
  explicit FixedPlace(std::filesystem::path folder)
      : folder_(std::move(folder)), existed_(std::filesystem::exists(folder_)) {}

  const std::filesystem::path& folder() const override { return folder_; }
  bool is_kept() const override { return existed_; }

 private:
  const std::filesystem::path folder_;
  const bool existed_;
};

}  // namespace dinette::test
