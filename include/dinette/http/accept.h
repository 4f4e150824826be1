#pragma once

#include <string_view>

namespace dinette::http {

/// What an Accept header says about one media type (RFC 9110 section 12.5.1).
struct Acceptance {
  double weight = 0;   ///< 0 to 1; 0: not accepted
  bool named = false;  ///< by its name, not only by a range such as "text/*"
  int position = 0;    ///< of the element that decides, from 0
};

/// Returns what `accept` says about a type such as "text/plain" and, if it is not empty, this version of it:
/// the most specific element decides, of several the one with the greatest weight. An element that asks for
/// another version does not count. Lenient: a weight that is no number is 1.
Acceptance acceptance_of(std::string_view accept, std::string_view type, std::string_view version = {});

}  // namespace dinette::http
