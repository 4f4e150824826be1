#pragma once

#include "dinette/objects/object_store.h"

namespace dinette::objects {

/// Ordinary folders as buckets: the name of a bucket is the path of a folder, keys are the paths of the files
/// below it. Symbolic links are followed. Writing creates the folders that are missing. Objects have no
/// headers and no ETags, and are written in place: a write that fails may leave a part of one. A listing with
/// the delimiter "/" has all folders as common prefixes, also empty ones.
///
/// Messages of errors are for the user, not for the log. Those of writing name the file.
class PlainFolders final : public ObjectStore {
 public:
  Result<std::unique_ptr<ObjectWriter>> write(
      const std::string& bucket, const std::string& key,
      std::vector<std::pair<std::string, std::string>> headers = {}) override;
  Result<std::unique_ptr<ObjectReader>> open(const std::string& bucket, const std::string& key) override;
  Result<Listing> list(const std::string& bucket, const ListRequest& request) override;
};

}  // namespace dinette::objects
