#include "cql/wire/fixture.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include <catch2/catch.hpp>

#include "dinette/base/bytes.h"

#include "support/engines.h"

namespace dinette::cql::test {
namespace {

constexpr base::TimePoint start_of_time = std::chrono::sys_days(std::chrono::year(2026) / 2 / 3);
constexpr std::size_t head = 9;

template <class Unsigned>
Unsigned number_at(std::string_view bytes, std::size_t at) {
  REQUIRE(bytes.size() >= at + sizeof(Unsigned));
  return base::load_big_endian<Unsigned>(bytes.data() + at);
}

void append_text(std::string& out, std::string_view text) {
  base::append_big_endian(out, static_cast<std::uint16_t>(text.size()));
  out += text;
}

tenancy::WorldsOptions worlds_for_cql() {
  tenancy::WorldsOptions options;
  options.engines = ::test::make_test_engines();
  options.faces = {world_face()};
  options.run_jobs = false;
  return options;
}

}  // namespace

std::string SentFrame::error() const {
  if (opcode != 0) return "";
  char code[8];
  std::snprintf(code, sizeof code, "%04X", static_cast<unsigned>(number_at<std::uint32_t>(body, 0)));
  const auto size = number_at<std::uint16_t>(body, 4);
  return std::string(code) + " " + body.substr(6, size);
}

int SentFrame::kind() const {
  return opcode == 8 ? static_cast<int>(number_at<std::uint32_t>(body, 0)) : -1;
}

std::string request_frame(int opcode, std::string_view body, int stream, int version) {
  std::string frame(1, static_cast<char>(version));
  frame += '\0';
  base::append_big_endian(frame, static_cast<std::uint16_t>(stream));
  frame += static_cast<char>(opcode);
  base::append_big_endian(frame, static_cast<std::uint32_t>(body.size()));
  return frame.append(body);
}

std::string query_body(std::string_view statement, int consistency) {
  std::string body;
  base::append_big_endian(body, static_cast<std::uint32_t>(statement.size()));
  body += statement;
  base::append_big_endian(body, static_cast<std::uint16_t>(consistency));
  return body + '\0';
}

std::string startup_body(std::string_view application) {
  std::string body;
  base::append_big_endian(body, static_cast<std::uint16_t>(application.empty() ? 1 : 2));
  append_text(body, "CQL_VERSION");
  append_text(body, "3.0.0");
  if (application.empty()) return body;
  append_text(body, "APPLICATION_NAME");
  append_text(body, application);
  return body;
}

TestConnection::TestConnection(Service& service) : protocol_(service.make(*this, {.remote = "1.2.3.4:5"})) {
  follow(protocol_->resume());
}

std::vector<SentFrame> TestConnection::send(std::string_view bytes) {
  while (!bytes.empty() && state_.reads) {
    const auto room = protocol_->room();
    const std::size_t count = std::min(room.size(), bytes.size());
    std::copy_n(bytes.data(), count, room.data());
    bytes.remove_prefix(count);
    follow(protocol_->received(count));
  }
  return take_frames();
}

SentFrame TestConnection::ask(int opcode, std::string_view body, int stream) {
  auto frames = send(request_frame(opcode, body, stream));
  if (frames.empty()) frames = run_posted();  // long ones are answered by workers
  REQUIRE(frames.size() == 1);
  CHECK(frames.front().stream == stream);
  return std::move(frames.front());
}

void TestConnection::start(std::string_view application) {
  REQUIRE(ask(1, startup_body(application)).opcode == 2);
}

SentFrame TestConnection::query(std::string_view statement, int consistency) {
  return ask(7, query_body(statement, consistency));
}

std::vector<SentFrame> TestConnection::run_posted() {
  while (!posted_->empty()) {
    const tcp::Action action = std::move(posted_->front());
    posted_->pop_front();
    follow(action());
  }
  return take_frames();
}

void TestConnection::run(std::function<void()> work, tcp::Action done) {
  work();
  posted_->push_back(std::move(done));
}

tcp::Post TestConnection::post() {
  return [posted = posted_](tcp::Action action) {
    posted->push_back(std::move(action));
    return true;
  };
}

/// Does what a socket does that takes everything.
void TestConnection::follow(const tcp::State& state) {
  state_ = state;
  while (state_.writes || state_.more) {
    if (state_.writes) {
      const tcp::Output output = protocol_->output();
      received_.append(output.first).append(output.second);
      state_ = protocol_->sent();
    } else {
      state_ = protocol_->resume();
    }
  }
}

std::vector<SentFrame> TestConnection::take_frames() {
  std::vector<SentFrame> frames;
  while (received_.size() >= head) {
    const std::size_t size = number_at<std::uint32_t>(received_, 5);
    REQUIRE(received_.size() >= head + size);
    frames.push_back({.version = static_cast<unsigned char>(received_[0]),
                      .flags = static_cast<unsigned char>(received_[1]),
                      .stream = static_cast<std::int16_t>(number_at<std::uint16_t>(received_, 2)),
                      .opcode = received_[4],
                      .body = received_.substr(head, size)});
    received_.erase(0, head + size);
  }
  return frames;
}

TestServer::TestServer(ServiceOptions options)
    : clock_(start_of_time),
      worlds_(worlds_for_cql(), clock_, ids_),
      service_(std::move(options), worlds_, clock_, ids_) {}

}  // namespace dinette::cql::test
