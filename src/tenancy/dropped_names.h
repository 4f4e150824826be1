#pragma once

#include <cstddef>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "dinette/base/clock.h"

namespace dinette::tenancy {

/// The names of worlds that were dropped, the latest of them, and when.
class DroppedNames {
 public:
  explicit DroppedNames(std::size_t most) : most_(most) {}

  /// Adds a name. Forgets the oldest if there are too many.
  void add(std::string_view name, base::TimePoint when);
  void remove(std::string_view name);
  void clear();

  /// Returns when the world was dropped; nothing if the name is not known.
  std::optional<base::TimePoint> find(std::string_view name) const;
  std::size_t size() const { return names_.size(); }

 private:
  struct Name {
    std::string text;
    base::TimePoint when;
  };

  const std::size_t most_;
  std::list<Name> names_;                                        ///< the oldest first
  std::map<std::string_view, std::list<Name>::iterator> where_;  ///< views into names_
};

}  // namespace dinette::tenancy
