#include <istream>
#include <optional>
#include <ostream>
#include <streambuf>
#include <string>

#include "dinette/mcp/server.h"

namespace dinette::mcp {
namespace {

using Traits = std::streambuf::traits_type;

enum class Line { complete, too_long, none };

/// Reads up to the end of a line; of one that is too long keeps nothing.
Line read_line(std::streambuf& input, std::string& line) {
  line.clear();
  bool too_long = false;
  bool any = false;
  for (auto next = input.sbumpc(); next != Traits::eof(); next = input.sbumpc()) {
    any = true;
    const char c = Traits::to_char_type(next);
    if (c == '\n') break;
    too_long = too_long || line.size() == most_message_bytes;
    if (!too_long) line += c;
  }
  if (!any) return Line::none;
  return too_long ? Line::too_long : Line::complete;
}

}  // namespace

void serve_lines(Server& server, std::istream& input, std::ostream& output) {
  std::string line;
  while (output.good()) {
    const Line read = read_line(*input.rdbuf(), line);
    if (read == Line::none) return;
    if (line.ends_with('\r')) line.pop_back();
    if (read == Line::complete && line.empty()) continue;
    const std::string answer = read == Line::complete ? server.handle(line) : Server::refuse_long_message();
    if (!answer.empty()) output << answer << '\n' << std::flush;
  }
}

}  // namespace dinette::mcp
