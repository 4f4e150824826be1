#pragma once

#include <cstddef>
#include <semaphore>

namespace dinette::aws {

/// Requests that take long by their length alone: parsing one may take a second and much memory. They run
/// outside of the event loops, and only a few at a time.
class LongRequests {
 public:
  static constexpr std::ptrdiff_t at_once = 4;

  /// Lets one of them run. The constructor waits until fewer than `at_once` run, unless `all` is null.
  class Permit {
   public:
    explicit Permit(LongRequests* all) : all_(all) {
      if (all_) all_->free_.acquire();
    }
    ~Permit() {
      if (all_) all_->free_.release();
    }
    Permit(const Permit&) = delete;
    Permit& operator=(const Permit&) = delete;

   private:
    LongRequests* all_;
  };

 private:
  std::counting_semaphore<> free_{at_once};
};

}  // namespace dinette::aws
