#include "s3/uploads.h"

#include <algorithm>

namespace dinette::s3 {

std::vector<EndedUpload> Uploads::add(Upload upload) {
  const auto added = std::make_shared<const Upload>(std::move(upload));
  std::vector<EndedUpload> ended;
  const std::lock_guard lock(mutex_);
  const auto oldest_is_over = [&] {
    return uploads_.size() >= most || is_over(*uploads_.at(by_age_.begin()->second).upload, added->begun);
  };
  while (!by_age_.empty() && oldest_is_over()) ended.push_back(take(uploads_.find(by_age_.begin()->second)));
  uploads_.emplace(added->id, Held{added});
  places_.insert(place_of(*added));
  by_age_.emplace(added->begun, added->id);
  return ended;
}

UploadPointer Uploads::find(const std::string& id, const std::string& bucket, const std::string& key,
                            base::TimePoint now) const {
  const std::lock_guard lock(mutex_);
  const auto found = uploads_.find(id);
  if (found == uploads_.end()) return nullptr;
  const UploadPointer& upload = found->second.upload;
  const bool is_it = upload->bucket == bucket && upload->key == key && !is_over(*upload, now);
  return is_it ? upload : nullptr;
}

bool Uploads::add_part(const std::string& id, int number, Part part) {
  const std::lock_guard lock(mutex_);
  const auto found = uploads_.find(id);
  if (found == uploads_.end()) return false;
  found->second.parts.insert_or_assign(number, std::move(part));
  return true;
}

Parts Uploads::parts(const std::string& id, int after, std::size_t limit) const {
  const std::lock_guard lock(mutex_);
  const auto found = uploads_.find(id);
  Parts parts;
  if (found == uploads_.end()) return parts;
  const Parts& all = found->second.parts;
  for (auto next = all.upper_bound(after); next != all.end() && parts.size() < limit; ++next)
    parts.insert(parts.end(), *next);
  return parts;
}

Parts Uploads::parts(const std::string& id) const {
  const std::lock_guard lock(mutex_);
  const auto found = uploads_.find(id);
  return found == uploads_.end() ? Parts() : found->second.parts;
}

EndedUpload Uploads::take(std::map<std::string, Held>::iterator held) {
  EndedUpload ended{std::move(held->second.upload), std::move(held->second.parts)};
  uploads_.erase(held);
  places_.erase(place_of(*ended.upload));
  by_age_.erase({ended.upload->begun, ended.upload->id});
  return ended;
}

std::optional<EndedUpload> Uploads::take(const std::string& id) {
  const std::lock_guard lock(mutex_);
  const auto found = uploads_.find(id);
  return found == uploads_.end() ? std::nullopt : std::optional(take(found));
}

std::vector<EndedUpload> Uploads::take_all(const std::string& bucket) {
  const std::lock_guard lock(mutex_);
  std::vector<EndedUpload> ended;
  for (auto next = places_.lower_bound({bucket, "", ""}); next != places_.end() && next->bucket == bucket;
       next = places_.lower_bound({bucket, "", ""}))
    ended.push_back(take(uploads_.find(next->id)));
  return ended;
}

void Uploads::visit(const std::string& bucket, const std::string& after_key, const std::string& after_id,
                    base::TimePoint now,
                    const std::function<std::optional<std::string>(const Upload&)>& visit) const {
  const std::lock_guard lock(mutex_);
  auto next = places_.upper_bound({bucket, after_key, after_id});
  while (next != places_.end() && next->bucket == bucket) {
    const Upload& upload = *uploads_.at(next->id).upload;
    const auto continues_after = is_over(upload, now) ? std::string() : visit(upload);
    if (!continues_after) return;
    if (continues_after->empty())
      ++next;
    else
      next = places_.lower_bound({bucket, *continues_after, ""});
  }
}

}  // namespace dinette::s3
