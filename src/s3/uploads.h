#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
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

using Parts = std::map<int, Part>;  ///< by number

/// A multipart upload that is neither completed nor aborted.
struct Upload {
  std::string id;
  std::string bucket;
  std::string key;
  std::vector<std::pair<std::string, std::string>> headers;
  base::TimePoint begun;
};

using UploadPointer = std::shared_ptr<const Upload>;

/// An upload that was taken out, with what is to be removed.
struct EndedUpload {
  UploadPointer upload;
  Parts parts;
};

/// The uploads of a server. They end with its process, after a week, and when there are too many of them the
/// oldest one ends: clients forget them. Thread-safe.
class Uploads {
 public:
  /// S3 keeps them for ever; a week is what its documentation suggests for AbortIncompleteMultipartUpload.
  static constexpr std::chrono::days longest{7};
  static constexpr std::size_t most = 10'000;

  /// Adds an upload that begins now. Returns those that end by that.
  std::vector<EndedUpload> add(Upload upload);
  /// Returns the upload of that object; null if there is none.
  UploadPointer find(const std::string& id, const std::string& bucket, const std::string& key,
                     base::TimePoint now) const;
  /// Returns false if the upload is gone.
  bool add_part(const std::string& id, int number, Part part);
  /// Returns up to `limit` parts with numbers greater than `after`.
  Parts parts(const std::string& id, int after, std::size_t limit) const;
  Parts parts(const std::string& id) const;
  /// Takes an upload out; nothing if it is gone.
  std::optional<EndedUpload> take(const std::string& id);
  /// The same for all of a bucket.
  std::vector<EndedUpload> take_all(const std::string& bucket);

  /// Calls `visit` for the uploads of a bucket by key, then by id, after this one, until it returns nothing.
  /// It returns the key after whose uploads to continue; empty: with the next upload.
  void visit(const std::string& bucket, const std::string& after_key, const std::string& after_id,
             base::TimePoint now,
             const std::function<std::optional<std::string>(const Upload&)>& visit) const;

 private:
  struct Held {
    UploadPointer upload;
    Parts parts = {};
  };
  struct Place {
    std::string bucket;
    std::string key;
    std::string id;
    auto operator<=>(const Place&) const = default;
  };

  static bool is_over(const Upload& upload, base::TimePoint now) { return upload.begun + longest <= now; }
  static Place place_of(const Upload& upload) { return {upload.bucket, upload.key, upload.id}; }
  EndedUpload take(std::map<std::string, Held>::iterator held);

  mutable std::mutex mutex_;
  std::map<std::string, Held> uploads_;                       ///< by id; guarded by mutex_
  std::set<Place> places_;                                    ///< guarded by mutex_
  std::set<std::pair<base::TimePoint, std::string>> by_age_;  ///< with ids; guarded by mutex_
};

}  // namespace dinette::s3
