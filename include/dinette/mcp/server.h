#pragma once

#include <cstddef>
#include <filesystem>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>

#include "dinette/mcp/backend.h"

/// The Model Context Protocol (modelcontextprotocol.io, revisions 2024-11-05, 2025-03-26, 2025-06-18,
/// 2025-11-25 and 2026-07-28), by which programs that work with language models call tools: here, the
/// operations of a DynamoDB.
namespace dinette::mcp {

/// The longest message that is read, in bytes: an item of 400 KB needs several times that as escaped JSON.
inline constexpr std::size_t most_message_bytes = 4 << 20;
/// The deepest nesting of a message. Values of items nest up to 32 levels, each of which may be two of JSON.
inline constexpr int most_message_depth = 100;

struct ServerOptions {
  bool allow_writes = false;                 ///< else the tools that write are neither listed nor executed
  std::filesystem::path import_folder = {};  ///< whose files import_items may read; empty: it reads none
  std::string version = {};                  ///< of the program
};

/// One client: its session, from the initialization on, or, from revision 2026-07-28 on, requests that each
/// stand alone; even both in turns. For one thread at a time.
class Server {
 public:
  /// `backend` must outlive it.
  Server(ServerOptions options, Backend& backend);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// Reads one message, executes it, and returns the response: one line without its end. Returns an empty
  /// string if the message gets no response, as for notifications.
  std::string handle(std::string_view message);

  /// Returns the response to a message over `most_message_bytes`, which has not been kept.
  static std::string refuse_long_message();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// Handles messages, one per line, until the input ends or the output fails. Writes only responses.
void serve_lines(Server& server, std::istream& input, std::ostream& output);

}  // namespace dinette::mcp
