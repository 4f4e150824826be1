#include "dinette/http/content_coding.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "dinette/http/tokens.h"

#include "http/weight.h"

namespace dinette::http {
namespace {

using base::Compression;

constexpr std::array codings{Compression::gzip, Compression::zlib};

/// Returns the weight of an element such as "gzip;q=0.5": the number after its first "q=", wherever that is,
/// from 0 to 1. Without such a number it is 1.
double weight_of(std::string_view element) {
  constexpr std::string_view mark = "q=";
  const std::size_t at = element.find(mark);
  if (at == std::string_view::npos) return 1;
  std::string_view rest = element.substr(at + mark.size());
  return read_weight(trimmed(take_until(rest, ';')));
}

/// What a header says about one coding. Greater is preferred.
struct Standing {
  double weight = 0;
  bool named = false;
  std::ptrdiff_t earliness = 0;  ///< of the first mention

  auto operator<=>(const Standing&) const = default;
};

/// Returns those of gzip and deflate, in the order of `codings`.
std::array<Standing, codings.size()> standings(std::string_view accept_encoding) {
  std::array<Standing, codings.size()> found;
  std::optional<double> star;
  std::ptrdiff_t position = 0;
  while (!accept_encoding.empty()) {
    const std::string_view element = take_until(accept_encoding, ',');
    --position;
    std::string_view rest = element;
    const std::string_view name = trimmed(take_until(rest, ';'));
    const double weight = weight_of(element);
    if (name == "*") star = std::max(star.value_or(0), weight);
    const auto coding = coding_named(name);
    if (!coding) continue;
    Standing& standing =
        found[static_cast<std::size_t>(std::ranges::find(codings, *coding) - codings.begin())];
    if (!standing.named) standing = {0, true, position};
    standing.weight = std::max(standing.weight, weight);
  }
  for (Standing& standing : found) {
    if (!standing.named && star) standing.weight = *star;
  }
  return found;
}

}  // namespace

std::optional<Compression> coding_named(std::string_view name) {
  for (const Compression coding : codings) {
    if (same_header_name(name, coding_name(coding))) return coding;
  }
  return std::nullopt;
}

std::string_view coding_name(Compression coding) {
  return coding == Compression::gzip ? "gzip" : "deflate";
}

std::optional<Compression> chosen_coding(std::string_view accept_encoding) {
  const auto all = standings(accept_encoding);
  const auto best = std::ranges::max_element(all);  // the first of equals, gzip
  if (!(best->weight > 0)) return std::nullopt;
  return codings[static_cast<std::size_t>(best - all.begin())];
}

bool compress_for(std::string_view accept_encoding, Response& response) {
  const auto coding = chosen_coding(accept_encoding);
  if (!coding) return false;
  response.body = base::compress(*coding, response.body);
  response.add_header("Content-Encoding", coding_name(*coding));
  return true;
}

}  // namespace dinette::http
