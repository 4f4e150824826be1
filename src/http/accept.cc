#include "dinette/http/accept.h"

#include "dinette/base/ascii.h"
#include "dinette/http/tokens.h"

#include "http/weight.h"

namespace dinette::http {
namespace {

/// One element of the header: "text/plain;version=0.0.4;q=0.5".
struct MediaRange {
  std::string_view type;
  std::string_view version = {};  ///< empty: any
  double weight = 1;
};

MediaRange read_range(std::string_view element) {
  MediaRange range{trimmed(take_until(element, ';'))};
  while (!element.empty()) {
    std::string_view value = take_until(element, ';');
    const std::string_view name = trimmed(take_until(value, '='));
    value = trimmed(value);
    if (base::equal_ignoring_case(name, "version")) range.version = value;
    if (base::equal_ignoring_case(name, "q")) range.weight = read_weight(value);
  }
  return range;
}

/// Returns 3 for the type itself, 2 for "text/*", 1 for "*/*", 0 if the range does not contain the type.
int specificity(std::string_view range, std::string_view type) {
  if (range == "*/*") return 1;
  if (base::equal_ignoring_case(range, type)) return 3;
  const std::string_view all_of_kind = type.substr(0, type.find('/') + 1);
  const bool contains =
      range.ends_with('*') && base::equal_ignoring_case(range.substr(0, range.size() - 1), all_of_kind);
  return contains ? 2 : 0;
}

}  // namespace

Acceptance acceptance_of(std::string_view accept, std::string_view type, std::string_view version) {
  Acceptance found;
  int best = 0;
  for (int position = 0; !accept.empty(); ++position) {
    const MediaRange range = read_range(take_until(accept, ','));
    if (!version.empty() && !range.version.empty() && range.version != version) continue;
    const int rank = specificity(range.type, type);
    const bool decides = rank > best || (rank == best && range.weight > found.weight);
    if (rank == 0 || !decides) continue;
    best = rank;
    found = {range.weight, rank == 3, position};
  }
  return found;
}

}  // namespace dinette::http
