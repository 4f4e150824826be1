#pragma once

#include <string>
#include <vector>

#include "dinette/observe/heavy_hitters.h"

namespace dinette::observe {

/// The keys of a table or index that occurred most often, as one rule of contributor insights counts them.
struct ContributorRule {
  std::string rule;   ///< its name
  std::string table;  ///< the name of the table
  std::string index;  ///< the name of the index; empty for the table
  std::vector<HeavyHitters::Hitter> keys = {};
};

}  // namespace dinette::observe
