#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dinette/base/clock.h"

namespace dinette::s3 {

struct Part {
  std::uint64_t size = 0;
  std::string etag;
  base::TimePoint modified;
};

/// A multipart upload that is neither completed nor aborted.
struct Upload {
  std::string bucket;
  std::string key;
  std::vector<std::pair<std::string, std::string>> headers;
  base::TimePoint begun;
  std::map<int, Part> parts = {};
};

/// The uploads of a server; they end with its process. Thread-safe.
class Uploads {
 public:
  void add(const std::string& id, Upload upload);
  /// Returns a copy; nothing if there is no such upload of that object.
  std::optional<Upload> find(const std::string& id, const std::string& bucket, const std::string& key) const;
  /// Does nothing if the upload is gone.
  void add_part(const std::string& id, int number, Part part);
  void remove(const std::string& id);
  /// Returns those of a bucket, by key, then by id.
  std::vector<std::pair<std::string, Upload>> of_bucket(const std::string& bucket) const;

 private:
  mutable std::mutex mutex_;
  std::map<std::string, Upload> uploads_;  ///< by id; guarded by mutex_
};

}  // namespace dinette::s3
