#include "mcp/result_page.h"

#include <utility>

#include "dinette/base/base64.h"

#include "mcp/values.h"

namespace dinette::mcp {
namespace {

constexpr int most_token_depth = 16;
constexpr std::size_t shown_beginning_bytes = 200;

/// Returns what is shown of an attribute of a long item.
Json beginning_of(const Json& value) {
  std::string text = text_of(value);
  if (text.size() <= shown_beginning_bytes) return value;
  const std::size_t bytes = text.size();
  text.resize(shown_beginning_bytes);
  return text + "... (" + std::to_string(bytes) + " bytes)";
}

Json shortened(const Json& plain, std::size_t bytes) {
  Json attributes = Json::object();
  std::size_t shown = 0;
  std::size_t left_out = 0;
  for (const auto& [name, value] : plain.items()) {
    Json beginning = beginning_of(value);
    shown += name.size() + text_of(beginning).size();
    if (shown <= most_item_bytes) {
      attributes[name.substr(0, shown_beginning_bytes)] = std::move(beginning);
    } else {
      ++left_out;
    }
  }
  Json item{{"shortened", "this item has " + std::to_string(bytes) +
                              " bytes as JSON; request some of its attributes by name"},
            {"attributes", std::move(attributes)}};
  if (left_out > 0) item["attributes_left_out"] = left_out;
  return item;
}

}  // namespace

std::string PageStart::token() const {
  return base::base64_encode(text_of({{"from", service}, {"skip", skipped}}));
}

base::Result<PageStart, std::string> read_page_start(const std::string& token) {
  if (token.empty()) return PageStart{};
  const auto text = base::base64_decode(token);
  const auto read = text ? read_json(*text, most_token_depth) : base::Failure{std::string()};
  if (!read || !read->is_object() || !read->contains("from") || !read->contains("skip") ||
      !(*read)["skip"].is_number_unsigned()) {
    return base::Failure{std::string("'page' is not the next_page of a result of this tool")};
  }
  return PageStart{(*read)["from"], (*read)["skip"].get<std::size_t>()};
}

ResultPage cut_page(const PageStart& start, Json results, const Json& next) {
  ResultPage page;
  std::size_t bytes = 0;
  for (std::size_t at = start.skipped; at < results.size(); ++at) {
    bytes += text_of(results[at]).size();
    if (bytes > most_result_bytes && !page.results.empty()) {
      page.next = PageStart{start.service, at};
      return page;
    }
    page.results.push_back(std::move(results[at]));
  }
  if (!next.is_null()) page.next = PageStart{next, 0};
  return page;
}

base::Result<Json, std::string> list_page(const std::string& token, Json object, const char* name) {
  DINETTE_TRY(const PageStart start, read_page_start(token));
  if (!object.is_object() || !object.contains(name) || !object[name].is_array()) return object;
  ResultPage page = cut_page(start, std::move(object[name]), nullptr);
  object[name] = std::move(page.results);
  if (page.next) object["next_page"] = page.next->token();
  return object;
}

Json shown_item(const Json& item) {
  Json plain = plain_members(item);
  const std::size_t bytes = text_of(plain).size();
  return bytes <= most_item_bytes ? plain : shortened(plain, bytes);
}

}  // namespace dinette::mcp
