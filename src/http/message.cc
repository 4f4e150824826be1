#include "dinette/http/message.h"

#include "dinette/base/ascii.h"

namespace dinette::http {

bool same_header_name(std::string_view a, std::string_view b) {
  return a == b || base::equal_ignoring_case(a, b);  // most clients spell names as the RFCs do
}

std::optional<std::string_view> Request::header(std::string_view name) const {
  for (const Header& line : headers) {
    if (line.name.size() == name.size() && same_header_name(line.name, name)) return line.value;
  }
  return std::nullopt;
}

std::string_view Request::query() const {
  const std::size_t mark = target.find('?');
  return mark == std::string_view::npos ? std::string_view() : target.substr(mark + 1);
}

void Response::add_header(std::string_view name, std::string_view value) {
  headers.append(name).append(": ").append(value).append("\r\n");
}

void Response::clear() {
  status = 200;
  content_type = {};
  body.clear();
  headers.clear();
  close = false;
  must_wait = false;
  progress.reset();
}

}  // namespace dinette::http
