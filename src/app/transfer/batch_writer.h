#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/transfer/transfer.h"

namespace dinette::app {

/// Puts items into a table, several per request. For one thread.
class BatchWriter {
 public:
  /// `transfer` must outlive the writer.
  BatchWriter(const Transfer& transfer, std::string_view table);

  /// `item`: its attributes as JSON; `place`: where it is from, for errors. The error is a sentence for the
  /// user.
  base::Result<void, std::string> add(std::string_view item, std::string place);
  /// Writes what has been added and not written yet.
  base::Result<void, std::string> flush();

  /// Returns how many items have been written.
  std::uint64_t written() const { return written_; }

 private:
  struct Pending {
    std::string item;
    std::string place;
  };

  base::Result<void, CallError> write_batch() const;
  base::Result<void, std::string> write_one_by_one();

  const Transfer& transfer_;
  const std::string table_;  ///< as a JSON string
  std::vector<Pending> pending_;
  std::size_t pending_bytes_ = 0;
  std::uint64_t written_ = 0;
};

}  // namespace dinette::app
