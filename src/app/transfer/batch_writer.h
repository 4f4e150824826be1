#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/transfer/transfer.h"

namespace dinette::app {

/// Puts items into a table, or deletes some, several per request and in their order. For one thread.
class BatchWriter {
 public:
  struct Write {
    std::string item;   ///< its attributes, or those of its key, as JSON
    std::string place;  ///< where it is from, for errors
    bool deletes = false;
  };

  /// `transfer` must outlive the writer.
  BatchWriter(const Transfer& transfer, std::string_view table);

  /// The error is a sentence for the user.
  base::Result<void, std::string> add(Write write);
  /// Writes what has been added and not written yet.
  base::Result<void, std::string> flush();

  /// Returns how many items have been put.
  std::uint64_t written() const { return written_; }
  /// Returns where the last one that has been put or deleted is from; empty if there is none.
  const std::string& last_place() const { return last_place_; }

 private:
  void count(const Write& write);
  base::Result<void, CallError> write_batch() const;
  base::Result<void, std::string> write_one_by_one();

  const Transfer& transfer_;
  const std::string table_;  ///< as a JSON string
  std::vector<Write> pending_;
  std::size_t pending_bytes_ = 0;
  std::uint64_t written_ = 0;
  std::string last_place_;
};

}  // namespace dinette::app
