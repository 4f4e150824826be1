#include "objects/key_path.h"

#include <algorithm>
#include <array>

#include "dinette/objects/names.h"

namespace dinette::objects {
namespace {

using std::string;
using std::string_view;

constexpr char escape = '%';
constexpr string_view goes_on = "%~";
constexpr std::size_t longest_piece = 253;  // file systems allow 255

struct Escaped {
  string_view text;
  char byte;
};
constexpr std::array<Escaped, 4> escapes{{{"%00", '\0'}, {"%25", '%'}, {"%2E", '.'}, {"%2F", '/'}}};

bool reads_as_escape(string_view text) {
  return text.starts_with(goes_on) || text.starts_with(beside_folder) ||
         std::ranges::any_of(escapes, [&](const Escaped& one) { return text.starts_with(one.text); });
}

/// Returns how the character at the beginning of `text` is written, which is `size` bytes of it.
string_view written(string_view text, std::size_t& size) {
  size = 1;
  if (text.front() == '/') return "%2F";
  if (text.front() == '\0') return "%00";
  if (text.front() == escape && reads_as_escape(text)) return "%25";
  const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; };
  while (size < text.size() && continues(text[size])) ++size;
  return text.substr(0, size);
}

void add_pieces(std::vector<string>& path, string_view name) {
  string piece;
  while (!name.empty()) {
    std::size_t size = 0;
    const string_view next = written(name, size);
    if (piece.size() + next.size() > longest_piece) {
      path.push_back(piece.append(goes_on));
      piece.clear();
    }
    piece.append(next);
    name.remove_prefix(size);
  }
  if (piece == "." || piece == "..") piece.replace(0, 1, "%2E");
  path.push_back(std::move(piece));
}

bool separates(string_view key, std::size_t at) {
  const auto is_name = [&](std::size_t i) { return i < key.size() && key[i] != '/'; };
  return key[at] == '/' && at > 0 && is_name(at - 1) && is_name(at + 1);
}

void append_read(string& out, string_view name) {
  while (!name.empty()) {
    const auto found =
        std::ranges::find_if(escapes, [&](const Escaped& one) { return name.starts_with(one.text); });
    out.push_back(found == escapes.end() ? name.front() : found->byte);
    name.remove_prefix(found == escapes.end() ? 1 : found->text.size());
  }
}

}  // namespace

std::vector<string> path_of(string_view key) {
  std::vector<string> path;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < key.size(); ++i) {
    if (!separates(key, i)) continue;
    add_pieces(path, key.substr(begin, i - begin));
    begin = i + 1;
  }
  add_pieces(path, key.substr(begin));
  return path;
}

string text_of_folders(std::span<const string> folders) {
  string text;
  for (string_view name : folders) {
    const bool more = name.ends_with(goes_on);
    if (more) name.remove_suffix(goes_on.size());
    append_read(text, name);
    if (!more) text.push_back('/');
  }
  return text;
}

std::optional<string> key_of(std::span<const string> folders, string_view name) {
  if (name.ends_with(beside_folder)) name.remove_suffix(beside_folder.size());
  string key = text_of_folders(folders);
  append_read(key, name);
  if (!check_key(key)) return std::nullopt;
  const std::vector<string> path = path_of(key);
  if (path.back() != name || !std::ranges::equal(std::span(path).first(path.size() - 1), folders))
    return std::nullopt;
  return key;
}

}  // namespace dinette::objects
