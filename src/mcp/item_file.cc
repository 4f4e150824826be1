#include "mcp/item_file.h"

#include <algorithm>
#include <fstream>
#include <optional>
#include <system_error>
#include <utility>

namespace dinette::mcp {
namespace {

namespace fs = std::filesystem;

constexpr int most_item_depth = 100;

using Items = base::Result<std::vector<Json>, std::string>;

/// Returns the place of a regular file in a folder, with all links followed; nothing if there is none.
std::optional<fs::path> place_in(const fs::path& folder, const std::string& path) {
  if (path.empty() || path.find('\0') != std::string::npos) return std::nullopt;
  std::error_code error;
  const fs::path root = fs::canonical(folder, error);
  if (error) return std::nullopt;
  const fs::path file = fs::canonical(root / path, error);
  if (error) return std::nullopt;
  const auto [end_of_root, rest] = std::mismatch(root.begin(), root.end(), file.begin(), file.end());
  if (end_of_root != root.end() || rest == file.end() || !fs::is_regular_file(file, error))
    return std::nullopt;
  return file;
}

Items items_in_list(Json list) {
  if (list.size() > most_file_items)
    return base::Failure{"there are more than " + std::to_string(most_file_items) +
                         " items; use dinette import"};
  std::vector<Json> items;
  for (std::size_t at = 0; at < list.size(); ++at) {
    if (!list[at].is_object()) return base::Failure{"element " + std::to_string(at) + " is not an object"};
    items.push_back(unwrapped_item(std::move(list[at])));
  }
  return items;
}

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

Items items_in_lines(std::string_view text) {
  Json list = Json::array();
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (is_blank(line)) continue;
    auto value = read_json(line, most_item_depth);
    if (!value) return base::Failure{"line " + std::to_string(number) + " " + value.error()};
    if (!value->is_object()) return base::Failure{"line " + std::to_string(number) + " is not an object"};
    list.push_back(*std::move(value));
    if (list.size() > most_file_items) break;  // refused below
  }
  return items_in_list(std::move(list));
}

}  // namespace

Json unwrapped_item(Json element) {
  // No item has a map as its only attribute: that would have to be the key.
  const bool wrapped =
      element.is_object() && element.size() == 1 && element.contains("Item") && element["Item"].is_object();
  if (!wrapped) return element;
  Json item = std::move(element["Item"]);
  return item;
}

base::Result<std::string, std::string> read_file_in(const fs::path& folder, const std::string& path) {
  if (folder.empty())
    return base::Failure{std::string(
        "no file may be read: give 'items', or have dinette mcp started with --import-from FOLDER")};
  const auto file = place_in(folder, path);
  if (!file) return base::Failure{"'" + path + "' is not a file in the folder of --import-from"};
  std::ifstream input(*file, std::ios::binary);
  // One byte more than is allowed tells that there are more.
  std::string text(most_file_bytes + 1, '\0');
  input.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!input.is_open() || input.bad()) return base::Failure{"'" + path + "' cannot be read"};
  text.resize(static_cast<std::size_t>(input.gcount()));
  if (text.size() > most_file_bytes)
    return base::Failure{"'" + path + "' has more than " + std::to_string(most_file_bytes) +
                         " bytes; use dinette import"};
  return text;
}

Items items_in_text(std::string_view text) {
  auto whole = read_json(text, most_item_depth);
  if (!whole) return items_in_lines(text);
  if (whole->is_array()) return items_in_list(*std::move(whole));
  if (whole->is_object() && whole->contains("Items") && (*whole)["Items"].is_array())
    return items_in_list(std::move((*whole)["Items"]));
  if (!whole->is_object()) return base::Failure{std::string("it has no items")};
  return items_in_list(Json::array({*std::move(whole)}));
}

}  // namespace dinette::mcp
