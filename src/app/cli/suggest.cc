#include "app/cli/suggest.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "dinette/base/ascii.h"

namespace dinette::app {
namespace {

// One or two typing errors; at most a third of a short word, so that -x does not suggest -h.
constexpr std::size_t most_edits = 2;
constexpr std::size_t letters_per_edit = 3;

std::string_view without_dashes(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of('-'), text.size()));
}

}  // namespace

std::size_t edit_distance(std::string_view left, std::string_view right) {
  // Row i, column j: the distance of left's first i letters to right's first j ("optimal string alignment").
  std::vector<std::vector<std::size_t>> table(left.size() + 1, std::vector<std::size_t>(right.size() + 1));
  for (std::size_t i = 0; i <= left.size(); ++i) table[i][0] = i;
  std::iota(table[0].begin(), table[0].end(), std::size_t{0});

  const auto same = [&](std::size_t i, std::size_t j) {
    return base::to_upper(left[i - 1]) == base::to_upper(right[j - 1]);
  };
  for (std::size_t i = 1; i <= left.size(); ++i) {
    for (std::size_t j = 1; j <= right.size(); ++j) {
      const auto changed = table[i - 1][j - 1] + (same(i, j) ? 0 : 1);
      table[i][j] = std::min({changed, table[i - 1][j] + 1, table[i][j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && same(i, j - 1) && same(i - 1, j);
      if (swapped) table[i][j] = std::min(table[i][j], table[i - 2][j - 2] + 1);
    }
  }
  return table.back().back();
}

std::string nearest(std::string_view typed, std::span<const std::string> candidates) {
  const auto word = without_dashes(typed);
  std::size_t best_distance = std::min(most_edits, word.size() / letters_per_edit) + 1;
  std::string best;
  for (const auto& candidate : candidates) {
    const auto distance = edit_distance(word, without_dashes(candidate));
    if (distance >= best_distance) continue;
    best_distance = distance;
    best = candidate;
  }
  return best;
}

}  // namespace dinette::app
