#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "dinette/base/clock.h"
#include "dinette/objects/object_store.h"

namespace dinette::objects {

/// Called with the descriptor of each changed file and folder, before the call that changed it returns; fails
/// if the change may not be on the disk. Empty: no call waits for the disk.
using SyncFile = std::function<Result<void>(int descriptor)>;

/// Waits until a file or folder is on the disk: a SyncFile.
Result<void> sync_to_disk(int descriptor);

/// Opens a store that keeps buckets as folders in `folder`, which is created if it does not exist, and
/// objects as files: `folder/<bucket>/<key>`, with few exceptions (src/objects/key_path.h). Folders and
/// files that others put there are buckets and objects as well. Symbolic links are not followed. Other
/// data are in `folder/.dinette`: headers, ETags, and unfinished writes. Objects are written as a whole or
/// not at all, even if the process is killed; a power loss may lose or damage them, unless `sync` prevents
/// it.
///
/// Only one process at a time may open a folder. `clock`, for the times of changes, must outlive the store.
Result<std::unique_ptr<BucketStore>> open_folder_store(const std::filesystem::path& folder,
                                                       const base::Clock& clock, SyncFile sync = {});

}  // namespace dinette::objects
