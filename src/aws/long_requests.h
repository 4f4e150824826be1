#pragma once

#include <cstddef>
#include <semaphore>

namespace dinette::aws {

/// Requests that take long by their length alone: parsing one may take a second and much memory. They run
/// outside of the event loops, and only a few at a time.
class LongRequests {
 public:
  static constexpr std::ptrdiff_t at_once = 4;

  /// The turn of one of them, which the constructor waits for; no turn is needed where `all` is null.
  class Turn {
   public:
    explicit Turn(LongRequests* all) : all_(all) {
      if (all_) all_->free_.acquire();
    }
    ~Turn() {
      if (all_) all_->free_.release();
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    LongRequests* all_;
  };

 private:
  std::counting_semaphore<> free_{at_once};
};

}  // namespace dinette::aws
