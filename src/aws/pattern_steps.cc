#include <algorithm>
#include <vector>

#include "dinette/aws/shape.h"

namespace dinette::aws {
namespace {

/// Ends that a match of some steps may have in a text: element n is true if its first n bytes match them.
using Ends = std::vector<bool>;

/// Returns the ends after one more step. The latest end that is far enough behind decides, whatever others
/// there are, unless it is too far behind.
Ends take(const PatternStep& step, const Ends& before, std::string_view text) {
  Ends after(before.size());
  std::vector<std::size_t> latest(before.size() + 1, 0);  // the latest end among the first n, plus one
  for (std::size_t n = 0; n < before.size(); ++n) latest[n + 1] = before[n] ? n + 1 : latest[n];
  std::size_t run = 0;  // characters of the class that end here
  for (std::size_t end = 0; end < before.size(); ++end) {
    if (end > 0) run = step.of_class(text[end - 1]) ? run + 1 : 0;
    if (step.least > run) continue;
    const std::size_t begin = latest[end - step.least + 1];
    after[end] = begin > 0 && end - (begin - 1) <= std::min(run, step.most);
  }
  return after;
}

}  // namespace

bool matches(std::span<const PatternStep> steps, std::string_view text) {
  if (text.size() > longest_with_steps) return false;
  Ends ends(text.size() + 1);
  ends[0] = true;
  for (const PatternStep& step : steps) ends = take(step, ends, text);
  return ends.back();
}

}  // namespace dinette::aws
