#pragma once

#include <cstddef>
#include <mutex>
#include <set>
#include <string>

#include "dinette/aws/json.h"
#include "dinette/aws/shape.h"

namespace dinette::dynamodb::wire {

/// Decides if numbers and booleans may be in quotation marks, and logs values of a wrong type:
/// the service's error names no member, so the log does, once for each operation and member. Thread-safe.
class TypeLenience {
 public:
  explicit TypeLenience(bool accepts_quoted) : accepts_quoted_(accepts_quoted) {}

  bool accepts_quoted() const { return accepts_quoted_; }
  /// Logs which value was refused with `message`.
  [[gnu::cold]] void note_refused(const aws::Operation& operation, aws::JsonElement request,
                                  const std::string& message);
  /// Logs which values were accepted though the service refuses them.
  [[gnu::cold]] void note_accepted(const aws::Operation& operation, aws::JsonElement request);

 private:
  /// Returns true the first time; false also if there have been too many.
  bool is_first(const aws::Operation& operation, const std::string& path);

  const bool accepts_quoted_;
  std::mutex mutex_;
  std::set<std::string> noted_;
};

}  // namespace dinette::dynamodb::wire
