#include "base/log_writer.h"

#include <cerrno>
#include <csignal>
#include <exception>
#include <thread>
#include <utility>

#include <poll.h>
#include <unistd.h>

namespace dinette::base {
namespace {

/// Waits for a descriptor that is not ready, such as a non-blocking pipe. An error ends the line.
void write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto written = ::write(descriptor, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {
      pollfd ready{.fd = descriptor, .events = POLLOUT, .revents = 0};
      ::poll(&ready, 1, -1);
    } else if (errno != EINTR) {
      return;
    }
  }
}

/// Leaves signals to the threads that wait for them.
void block_signals() {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
}

}  // namespace

LogWriter::LogWriter(DroppedLine dropped_line) : dropped_line_(std::move(dropped_line)) {}

void LogWriter::write(std::string_view line) {
  const std::lock_guard lock(mutex_);
  if (!started_) start_thread();
  if (!queue_.empty() && queue_.size() + line.size() > queue_bytes) {
    ++dropped_;
    return;
  }
  queue_.append(line);
  wake_.notify_one();
}

void LogWriter::redirect(int file_descriptor) {
  const std::lock_guard lock(mutex_);
  descriptor_ = file_descriptor;
}

bool LogWriter::flush(std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  return written_.wait_for(lock, patience, [this] { return !writing_ && queue_.empty() && dropped_ == 0; });
}

// Started by the first line, since many runs never log one.
void LogWriter::start_thread() {
  std::thread([this] { run(); }).detach();
  started_ = true;
}

void LogWriter::run() {
  block_signals();
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] { return !queue_.empty() || dropped_ != 0; });
    writing_ = true;
    const int descriptor = descriptor_;
    const std::string taken = std::exchange(queue_, {});
    const std::uint64_t dropped = std::exchange(dropped_, 0);
    lock.unlock();
    write_all(descriptor, taken);
    if (dropped != 0) write_dropped(descriptor, dropped);  // they came after the queued ones
    lock.lock();
    writing_ = false;
    if (queue_.empty() && dropped_ == 0) written_.notify_all();
  }
}

void LogWriter::write_dropped(int descriptor, std::uint64_t lines) const {
  try {
    write_all(descriptor, dropped_line_(lines));
  } catch (const std::exception&) {  // no memory for the line
  }
}

}  // namespace dinette::base
