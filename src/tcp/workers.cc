#include "tcp/workers.h"

#include <exception>
#include <system_error>
#include <utility>

#include <boost/asio/post.hpp>

#include "tcp/loop.h"

namespace dinette::tcp {

Workers::Workers(unsigned most) : most_(most), work_(context_.get_executor()) {}

Workers::~Workers() {
  end();
}

void Workers::start(unsigned count) {
  const std::lock_guard guard(mutex_);
  while (threads_.size() < count) add_thread();
}

void Workers::run(std::function<void()> task) {
  const std::lock_guard guard(mutex_);
  if (tasks_ >= threads_.size() && threads_.size() < most_) {
    try {
      add_thread();
    } catch (const std::system_error&) {
      if (threads_.empty()) throw;
    }
  }
  boost::asio::post(context_, [this, task = std::move(task)] {
    const Finish finish{*this};  // even if the task throws
    task();
  });
  ++tasks_;
}

void Workers::end() {
  work_.reset();
  std::vector<std::thread> threads;
  {
    const std::lock_guard guard(mutex_);
    threads.swap(threads_);
  }
  for (std::thread& thread : threads) thread.join();
}

void Workers::add_thread() {
  threads_.emplace_back([this] { run_all(context_); });
}

}  // namespace dinette::tcp
