#pragma once

#include <filesystem>
#include <memory>

#include "dinette/base/clock.h"
#include "dinette/objects/object_store.h"

namespace dinette::objects {

/// Opens a store that keeps buckets as folders in `folder`, which is made if need be, and objects as files:
/// `folder/<bucket>/<key>`, with few exceptions (src/objects/key_path.h). Folders and files that a person or
/// program puts there are buckets and objects, too. Symbolic links are not followed. What is not an object
/// is in `folder/.dinette`: headers and ETags, and what is being written. An object is there whole or not at
/// all, also after the process was killed; after a loss of power it may be gone or damaged.
///
/// One process at a time may open a folder. `clock`, for the times of changes, must outlive the store.
Result<std::unique_ptr<BucketStore>> open_folder_store(const std::filesystem::path& folder,
                                                       const base::Clock& clock);

}  // namespace dinette::objects
