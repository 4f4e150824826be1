#include "tcp/frames.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace dinette::tcp {
namespace {

constexpr std::size_t head_size = 5;

std::size_t length_of(std::string_view head) {
  std::size_t length = 0;
  for (const char byte : head.substr(1, 4)) length = length << 8 | static_cast<unsigned char>(byte);
  return length;
}

std::string_view words_for(Cutoff why) {
  switch (why) {
    case Cutoff::too_slow:
      return "too slow";
    case Cutoff::out_of_memory:
      return "out of memory";
    case Cutoff::not_tls:
      return "not TLS";
  }
  return "";
}

}  // namespace

std::string frame(char stream, std::string_view body) {
  std::string text(1, stream);
  for (int shift = 24; shift >= 0; shift -= 8) text += static_cast<char>(body.size() >> shift & 0xFF);
  return text.append(body);
}

void Stage::open(const std::string& name) {
  const std::lock_guard lock(mutex_);
  open_.insert(name);
  changed_.notify_all();
}

void Stage::open_all() {
  const std::lock_guard lock(mutex_);
  all_open_ = true;
  changed_.notify_all();
}

void Stage::wait(const std::string& name) {
  std::unique_lock lock(mutex_);
  entered_.insert(name);
  changed_.wait(lock, [&] { return all_open_ || open_.contains(name); });
  ended_.insert(name);
}

bool Stage::entered(const std::string& name) {
  const std::lock_guard lock(mutex_);
  return entered_.contains(name);
}

bool Stage::has_ended(const std::string& name) {
  const std::lock_guard lock(mutex_);
  return ended_.contains(name);
}

std::vector<std::string> Stage::begun() {
  const std::lock_guard lock(mutex_);
  return begun_;
}

void Stage::note_begun(const std::string& body) {
  const std::lock_guard lock(mutex_);
  begun_.push_back(body);
}

void Stage::subscribe(Post post, std::function<State(std::string)> push) {
  const std::lock_guard lock(mutex_);
  subscribers_.push_back({std::move(post), std::move(push)});
}

std::size_t Stage::push(const std::string& body) {
  const std::lock_guard lock(mutex_);
  std::erase_if(subscribers_, [&](const Subscriber& one) {
    return !one.post([push = one.push, body] { return push(body); });
  });
  return subscribers_.size();
}

std::span<char> Frames::room() {
  room_in_use_ = true;
  return chunk_;
}

State Frames::received(std::size_t n) {
  room_in_use_ = false;
  in_.append(chunk_.data(), n);
  stage_.bytes_received += n;
  return go_on();
}

State Frames::resume() {
  if (!asked_for_turn_) ++stage_.unasked_turns;
  asked_for_turn_ = false;
  return go_on();
}

// One request per turn.
State Frames::go_on() {
  if (has_frame() && in_flight_ < stage_.most_in_flight) {
    const std::size_t end = head_size + length_of(in_);
    const char stream = in_[0];
    const std::string body = in_.substr(head_size, end - head_size);
    in_.erase(0, end);
    ++requests_;
    begin(stream, body);
  }
  return state();
}

Output Frames::output() {
  if (sending_.empty()) sending_.swap(queued_);
  // in two pieces, which is allowed
  return {std::string_view(sending_).substr(0, 1), std::string_view(sending_).substr(1)};
}

State Frames::sent() {
  sending_.clear();
  return state();
}

State Frames::refuse(Cutoff why) {
  ending_ = Ending::linger;
  // Memory can be released only while nothing is being sent or awaited.
  const bool free = why != Cutoff::out_of_memory || !room_in_use_;
  return answer(pushed, free && sending_.empty() ? words_for(why) : "not free");
}

std::size_t Frames::memory() const {
  return in_.size() + sending_.size() + queued_.size();
}

bool Frames::has_frame() const {
  return in_.size() >= head_size && in_.size() >= head_size + length_of(in_);
}

void Frames::begin(char stream, const std::string& body) {
  stage_.note_begun(body);
  const auto done = [this, stream, body] { return finish(stream, body); };
  if (body.starts_with("wait")) {
    ++in_flight_;
    link_.run([this, body] { stage_.wait(body); }, done);
  } else if (body == "throw in work") {
    link_.run([] { throw std::runtime_error("provoked by the test"); }, done);
  } else if (body == "throw an int in work") {
    link_.run([] { throw 1; }, done);
  } else if (body == "throw after work") {
    link_.run([] {}, []() -> State { throw std::runtime_error("provoked by the test"); });
  } else if (body == "throw") {
    throw std::runtime_error("provoked by the test");
  } else if (body == "subscribe") {
    stage_.subscribe(link_.post(), [this](std::string text) { return answer(pushed, text); });
    answer(stream, "subscribed");
  } else if (body == "hold the loop") {
    stage_.wait(body);
    answer(stream, body);
  } else if (body == "close") {
    ending_ = Ending::close;
    answer(stream, "closing");
  } else if (body == "secure?") {
    answer(stream, secure_ ? "yes" : "no");
  } else if (body == "trims?") {
    answer(stream, std::to_string(trims_));
  } else {
    answer(stream, body);
  }
}

State Frames::finish(char stream, const std::string& body) {
  --in_flight_;
  return answer(stream, draining_ ? body + ", the last" : body);
}

State Frames::answer(char stream, std::string_view body) {
  queued_ += frame(stream, body);
  return state();
}

State Frames::state() {
  State now;
  const bool may_begin = in_flight_ < stage_.most_in_flight;
  if (!in_.empty() && !has_frame()) {
    now.activity = in_.size() < head_size ? Activity::head : Activity::body;
  } else if (in_flight_ > 0 || !in_.empty()) {
    now.activity = Activity::working;
  }
  now.more = has_frame() && may_begin;
  asked_for_turn_ = asked_for_turn_ || now.more;
  now.reads = !has_frame() && may_begin;
  now.writes = !sending_.empty() || !queued_.empty();
  now.ending = ending_;
  now.requests = requests_;
  return now;
}

}  // namespace dinette::tcp
