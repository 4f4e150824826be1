#include "dinette/definitions/read_node.h"

namespace dinette::definitions {

std::string ReadError::text() const {
  const std::string where = place.text();
  return where.empty() ? reason : where + ": " + reason;
}

base::Result<Node, ReadError> read_node(std::string_view text, std::string_view file,
                                        const ReadLimits& limits, RepeatedKeys* repeated) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // a byte order mark
  const auto first = text.find_first_not_of(" \t\r\n");
  const bool json = first != std::string_view::npos && (text[first] == '{' || text[first] == '[');
  return json ? read_json(text, file, limits, repeated) : read_yaml(text, file, limits, repeated);
}

}  // namespace dinette::definitions
