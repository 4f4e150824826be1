#include "s3/uploads.h"

#include <algorithm>

namespace dinette::s3 {

void Uploads::add(const std::string& id, Upload upload) {
  const std::lock_guard lock(mutex_);
  uploads_.emplace(id, std::move(upload));
}

std::optional<Upload> Uploads::find(const std::string& id, const std::string& bucket,
                                    const std::string& key) const {
  const std::lock_guard lock(mutex_);
  const auto found = uploads_.find(id);
  if (found == uploads_.end() || found->second.bucket != bucket || found->second.key != key)
    return std::nullopt;
  return found->second;
}

void Uploads::add_part(const std::string& id, int number, Part part) {
  const std::lock_guard lock(mutex_);
  const auto found = uploads_.find(id);
  if (found != uploads_.end()) found->second.parts.insert_or_assign(number, std::move(part));
}

void Uploads::remove(const std::string& id) {
  const std::lock_guard lock(mutex_);
  uploads_.erase(id);
}

std::vector<std::pair<std::string, Upload>> Uploads::of_bucket(const std::string& bucket) const {
  std::vector<std::pair<std::string, Upload>> found;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [id, upload] : uploads_) {
      if (upload.bucket == bucket) found.emplace_back(id, upload);
    }
  }
  std::ranges::stable_sort(found, {}, [](const auto& one) -> const std::string& { return one.second.key; });
  return found;
}

}  // namespace dinette::s3
