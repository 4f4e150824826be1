#pragma once

#include <filesystem>
#include <utility>

#include "kv/durable/database_folder.h"

namespace dinette::test {

/// A folder that stays; with a database if it was there already.
class FixedFolder final : public kv::durable::DatabaseFolder {
 public:
  explicit FixedFolder(std::filesystem::path folder)
      : folder_(std::move(folder)), existed_(std::filesystem::exists(folder_)) {}

  const std::filesystem::path& path() const override { return folder_; }
  bool is_kept() const override { return existed_; }

 private:
  const std::filesystem::path folder_;
  const bool existed_;
};

}  // namespace dinette::test
