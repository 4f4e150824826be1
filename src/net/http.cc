#include "dinette/net/http.h"

#include "dinette/base/ascii.h"

namespace dinette::net {

bool same_header_name(std::string_view a, std::string_view b) {
  return base::equal_ignoring_case(a, b);
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
  must_wait = false;
  progress.reset();
}

}  // namespace dinette::net
