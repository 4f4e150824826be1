#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/base/function_ref.h"
#include "dinette/kv/error.h"
#include "dinette/store/scan.h"
#include "dinette/store/store.h"

#include "lambda/api/mapping_progress.h"
#include "lambda/api/mapping_record.h"

namespace dinette::lambda {

/// The mappings of one name space, and how far each has come: entries of no table (FORMAT.md). No two
/// mappings have the same function, qualifier included, and the same stream. Thread-safe.
class KeptMappings {
 public:
  /// `store` must outlive it.
  explicit KeptMappings(store::Store& store) : store_(store) {}

  kv::Result<std::optional<api::MappingRecord>> find(std::string_view uuid) const;
  /// Returns the UUID of the mapping that has the function and the stream of this one; empty: none has.
  kv::Result<std::string> holder_of(const api::MappingRecord& mapping) const;
  /// Calls `visit` for the mappings after a UUID ("" for all), in the order of the UUIDs, until it returns
  /// false.
  kv::Result<void> for_each(std::string_view after,
                            base::FunctionRef<bool(const api::MappingRecord& mapping)> visit) const;

  enum class Outcome {
    done,
    refused,  ///< by the edit
    taken,    ///< another mapping has the function and the stream
    gone,     ///< there is no such mapping
  };
  struct Changed {
    Outcome outcome = Outcome::done;
    std::string other = {};  ///< the UUID of that other mapping
  };

  /// Adds a mapping and where it begins.
  kv::Result<Changed> add(const api::MappingRecord& mapping, std::span<const api::MappingProgress> progress);
  /// Returns false to leave the mapping as it is. May run more than once, each time on the mapping as it is
  /// then, and must not change its UUID and stream.
  using Edit = base::FunctionRef<bool(api::MappingRecord& mapping)>;
  /// Changes a mapping. One that is being deleted leaves its function and stream to others.
  kv::Result<Changed> change(std::string_view uuid, Edit edit);
  /// Erases a mapping and its progress.
  kv::Result<void> remove(std::string_view uuid);

  /// Notes the result of the last call of the function.
  kv::Result<void> keep_result(std::string_view uuid, std::string_view result);

  /// Returns how far a mapping has come in each shard that it has begun.
  kv::Result<std::vector<api::MappingProgress>> progress_of(std::string_view uuid) const;
  /// Returns false if the mapping is gone: then nothing is kept.
  kv::Result<bool> keep_progress(const api::MappingProgress& progress);
  /// Forgets a shard that is gone.
  kv::Result<void> forget_progress(std::string_view uuid, std::string_view shard);

 private:
  class Change;

  store::Store& store_;
};

// For those who read entries themselves. The spaces are kept on disk (FORMAT.md): never renumber.

inline constexpr store::SpaceId mappings_space{1};
inline constexpr store::SpaceId pairs_space{2};  ///< the UUID of the mapping of a function and a stream
inline constexpr store::SpaceId progress_space{3};

/// Returns the key of a mapping among the pairs.
std::string pair_key(const api::MappingRecord& mapping);
std::string progress_key(std::string_view uuid, std::string_view shard);
/// Returns false for a mapping that has left its function and stream to others.
bool holds_pair(const api::MappingRecord& mapping);

kv::Result<api::MappingRecord> decode_mapping(std::string_view entry);
kv::Result<api::MappingProgress> decode_progress(std::string_view entry);

}  // namespace dinette::lambda
