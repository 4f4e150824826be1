#pragma once

#include <string>
#include <string_view>

#include <catch2/catch.hpp>

#include "tcp/socket.h"

namespace dinette::http {

struct Answer {
  int status = 0;
  std::string head;  ///< including the empty line
  std::string body;

  bool has(std::string_view line) const { return head.find(line) != std::string::npos; }
};

/// A client that sends given bytes and reads HTTP. `ask` asserts, so it is for the test's own thread.
template <class Socket>
class ClientOver : public Socket {
 public:
  using Socket::Socket;

  /// Returns the next response; status 0 if the connection ended before. Responses `to_head` have no body.
  Answer receive(bool to_head = false) {
    Answer answer;
    answer.head = this->receive_to("\r\n\r\n");
    if (answer.head.empty()) return answer;
    const std::size_t length = answer.head.find("Content-Length: ");
    const std::size_t size =
        to_head || length == std::string::npos ? 0 : std::stoul(answer.head.substr(length + 16));
    answer.body = this->receive_bytes(size);
    if (answer.body.size() == size) answer.status = std::stoi(answer.head.substr(9, 3));
    return answer;
  }

  Answer ask(std::string_view bytes) {
    REQUIRE(this->send(bytes));
    return receive();
  }
};

using Client = ClientOver<tcp::Socket>;

}  // namespace dinette::http
