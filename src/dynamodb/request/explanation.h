#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace dinette::dynamodb {

/// One read or write of those that a request came to. Views, valid while it is added.
struct ExplainedStep {
  std::string_view operation;           ///< that does the same by itself: "Query"
  std::string_view table;               ///< as the client named it
  std::string_view index = {};          ///< empty for the table itself
  std::string_view key_condition = {};  ///< as items/key_text.h writes it; empty for none
  std::size_t looked_at = 0;            ///< items, or entries of the index
  std::size_t returned = 0;
  double units = 0;  ///< of capacity, of table and indexes together
};

/// What was done for a request that asks for it (docs/explain.md), as the value of a response header.
class Explanation {
 public:
  Explanation() = default;
  Explanation(const Explanation&) = delete;
  Explanation& operator=(const Explanation&) = delete;

  /// Makes it a list, of one element per part of the request. Otherwise there is one step at most.
  void be_list() { list_ = true; }

  void add(const ExplainedStep& step);
  /// Adds the place of a part that was not executed.
  void add_nothing() { append("null"); }

  /// Returns one line of JSON in ASCII, of limits::explanation_bytes at most: the elements of a list beyond
  /// that are left out, and counted by its last one. Empty if there is nothing to explain.
  std::string text() const;

 private:
  void append(std::string_view element);

  bool list_ = false;
  std::string elements_;
  std::size_t left_out_ = 0;
};

}  // namespace dinette::dynamodb
