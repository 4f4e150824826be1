#include "app/cli/suggest.h"

#include <algorithm>
#include <cstddef>

#include "dinette/base/edit_distance.h"

namespace dinette::app {
namespace {

// One or two typing errors; at most a third of a short word, so that -x does not suggest -h.
constexpr std::size_t most_edits = 2;
constexpr std::size_t letters_per_edit = 3;

std::string_view without_dashes(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of('-'), text.size()));
}

}  // namespace

std::string nearest(std::string_view typed, std::span<const std::string> candidates) {
  const auto word = without_dashes(typed);
  std::size_t best_distance = std::min(most_edits, word.size() / letters_per_edit) + 1;
  std::string best;
  for (const auto& candidate : candidates) {
    const auto distance = base::edit_distance(word, without_dashes(candidate));
    if (distance >= best_distance) continue;
    best_distance = distance;
    best = candidate;
  }
  return best;
}

}  // namespace dinette::app
