#include "dinette/base/edit_distance.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "dinette/base/ascii.h"

namespace dinette::base {

std::size_t edit_distance(std::string_view left, std::string_view right) {
  // Row i, column j: the distance of left's first i letters to right's first j ("optimal string alignment").
  std::vector<std::vector<std::size_t>> table(left.size() + 1, std::vector<std::size_t>(right.size() + 1));
  for (std::size_t i = 0; i <= left.size(); ++i) table[i][0] = i;
  std::iota(table[0].begin(), table[0].end(), std::size_t{0});

  const auto same = [&](std::size_t i, std::size_t j) {
    return to_upper(left[i - 1]) == to_upper(right[j - 1]);
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

}  // namespace dinette::base
