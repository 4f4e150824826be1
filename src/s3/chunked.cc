#include "s3/chunked.h"

#include <charconv>

#include "dinette/base/ascii.h"
#include "dinette/http/tokens.h"

namespace dinette::s3 {
namespace {

using std::string_view;

constexpr string_view line_end = "\r\n";
constexpr string_view signature_mark = "chunk-signature=";

/// Removes a line from `rest` and returns it, without its end; nothing if there is no end.
std::optional<string_view> take_line(string_view& rest) {
  const std::size_t end = rest.find(line_end);
  if (end == string_view::npos) return std::nullopt;
  const string_view line = rest.substr(0, end);
  rest.remove_prefix(end + line_end.size());
  return line;
}

std::optional<std::size_t> read_size(string_view digits) {
  std::size_t size = 0;
  const char* const end = digits.data() + digits.size();
  const auto read = std::from_chars(digits.data(), end, size, 16);
  return read.ec == std::errc() && read.ptr == end ? std::optional(size) : std::nullopt;
}

std::optional<Chunk> take_chunk(string_view& rest) {
  auto line = take_line(rest);
  if (!line) return std::nullopt;
  const auto size = read_size(http::take_until(*line, ';'));
  if (!size || *size > rest.size()) return std::nullopt;
  Chunk chunk{rest.substr(0, *size), {}};
  if (line->starts_with(signature_mark)) chunk.signature = line->substr(signature_mark.size());
  rest.remove_prefix(*size);
  if (*size == 0) return chunk;  // trailers follow
  if (!rest.starts_with(line_end)) return std::nullopt;
  rest.remove_prefix(line_end.size());
  return chunk;
}

}  // namespace

std::optional<string_view> ChunkedBody::trailer(string_view name) const {
  for (const auto& [its_name, value] : trailers) {
    if (base::equal_ignoring_case(its_name, name)) return value;
  }
  return std::nullopt;
}

std::string ChunkedBody::joined() const {
  std::string all;
  for (const Chunk& chunk : chunks) all.append(chunk.bytes);
  return all;
}

std::optional<ChunkedBody> read_chunked(string_view body) {
  ChunkedBody read;
  do {
    const auto chunk = take_chunk(body);
    if (!chunk) return std::nullopt;
    read.chunks.push_back(*chunk);
  } while (!read.chunks.back().bytes.empty());
  // An empty line ends the trailers; some clients leave it out.
  while (!body.empty()) {
    auto line = take_line(body);
    if (!line) line = std::exchange(body, {});
    if (line->empty()) break;
    const string_view name = http::take_until(*line, ':');
    read.trailers.emplace_back(http::trimmed(name), http::trimmed(*line));
  }
  return read;
}

}  // namespace dinette::s3
