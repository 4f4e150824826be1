#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "dinette/kv/engine.h"

#include "kv/durable/database.h"
#include "kv/durable/database_folder.h"
#include "kv/memory/numbered_engine.h"

namespace dinette::kv::durable {

struct EngineSettings {
  DatabaseSettings database;
  bool sync = false;  ///< a commit returns only when the disk has it
  /// Most bytes of memory with which the process answers reads without the database; 0: never.
  std::size_t resident_bytes = 0;
};

/// Returns a folder that does not exist yet.
using NewDatabaseFolder = std::function<Result<std::shared_ptr<const DatabaseFolder>>()>;

/// An engine that knows its folder, which it holds until its database is closed.
class FolderEngine : public Engine {
 public:
  virtual const std::shared_ptr<const DatabaseFolder>& folder() const = 0;
};

/// Opens the engine at `folder`, or makes an empty one there. Forks of it are made in folders of
/// `new_folder`.
Result<std::unique_ptr<FolderEngine>> open_engine(std::shared_ptr<const DatabaseFolder> folder,
                                                  const EngineSettings& settings,
                                                  NewDatabaseFolder new_folder);

}  // namespace dinette::kv::durable
