#pragma once

#include <span>
#include <string_view>

namespace dinette::mcp {

/// A revision of the protocol, as far as it concerns a server of tools.
struct Revision {
  std::string_view name;
  bool annotations = false;  ///< tools say what they may do to data
  bool titles = false;       ///< tools and the server have titles
  bool batches = false;      ///< a message may be a list of messages
  /// A client begins with `initialize`. Else each request names its revision, and each result the server.
  bool sessions = true;
};

/// Returns all that are spoken, the newest first.
std::span<const Revision> revisions();

/// Returns the revision of that name; null if it is not spoken.
const Revision* find_revision(std::string_view name);

/// Returns the newest one that has sessions.
const Revision& newest_with_sessions();

}  // namespace dinette::mcp
