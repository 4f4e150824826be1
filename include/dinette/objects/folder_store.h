#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "dinette/base/clock.h"
#include "dinette/objects/object_store.h"

namespace dinette::objects {

/// Called with the descriptor of each file and folder that has changed, before the call that changed it
/// returns; fails if it may not be on the disk. Empty: no call waits for the disk.
using SyncFile = std::function<Result<void>(int descriptor)>;

/// Waits until a file or folder is on the disk: a SyncFile.
Result<void> sync_to_disk(int descriptor);

/// Opens a store that keeps buckets as folders in `folder`, which is made if need be, and objects as files:
/// `folder/<bucket>/<key>`, with few exceptions (src/objects/key_path.h). Folders and files that a person or
/// program puts there are buckets and objects, too. Symbolic links are not followed. What is not an object
/// is in `folder/.dinette`: headers and ETags, and what is being written. An object is there whole or not at
/// all, also after the process was killed; after a loss of power it may be gone or damaged, unless `sync`
/// sees to it.
///
/// One process at a time may open a folder. `clock`, for the times of changes, must outlive the store.
Result<std::unique_ptr<BucketStore>> open_folder_store(const std::filesystem::path& folder,
                                                       const base::Clock& clock, SyncFile sync = {});

}  // namespace dinette::objects
