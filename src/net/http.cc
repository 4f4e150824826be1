#include "dinette/net/http.h"

namespace dinette::net {
namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

}  // namespace

bool same_header_name(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (lower(a[i]) != lower(b[i])) return false;
  }
  return true;
}

std::optional<std::string_view> HttpRequest::header(std::string_view name) const {
  for (const HttpHeader& line : headers) {
    if (line.name.size() == name.size() && same_header_name(line.name, name)) return line.value;
  }
  return std::nullopt;
}

std::string_view HttpRequest::query() const {
  const std::size_t mark = target.find('?');
  return mark == std::string_view::npos ? std::string_view() : target.substr(mark + 1);
}

void HttpReply::add_header(std::string_view name, std::string_view value) {
  headers.append(name).append(": ").append(value).append("\r\n");
}

void HttpReply::clear() {
  status = 200;
  content_type = {};
  body.clear();
  headers.clear();
  close = false;
}

}  // namespace dinette::net
