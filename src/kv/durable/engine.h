#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "dinette/kv/engine.h"

#include "kv/durable/database.h"
#include "kv/durable/place.h"
#include "kv/memory/numbered_engine.h"

namespace dinette::kv::durable {

struct EngineSettings {
  DatabaseSettings database;
  bool sync = false;  ///< a commit returns only when the disk has it
  /// Most bytes of memory with which the process answers reads without the database; 0: never.
  std::size_t resident_bytes = 0;
};

/// Returns a place whose folder does not exist yet.
using NewPlace = std::function<Result<std::shared_ptr<const Place>>()>;

/// An engine that knows its place, which it holds until its database is closed.
class PlacedEngine : public Engine {
 public:
  virtual const std::shared_ptr<const Place>& place() const = 0;
};

/// Opens the engine at `place`, or makes an empty one there. Forks of it are made at places of `new_place`.
Result<std::unique_ptr<PlacedEngine>> open_engine(std::shared_ptr<const Place> place,
                                                  const EngineSettings& settings, NewPlace new_place);

}  // namespace dinette::kv::durable
