#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/observe/body_text.h"

namespace dinette::observe {

/// The capacity that one request consumed of a table.
struct TableUse {
  std::string name;
  double read_units = 0;   ///< of capacity, with indexes
  double write_units = 0;  ///< likewise
};

struct ReadCounts {
  std::uint64_t scanned = 0;   ///< items that were read
  std::uint64_t returned = 0;  ///< of these
};

/// A read or write of one item, or of a partition.
struct Touch {
  std::string table;
  std::string partition;    ///< its key, as readable text
  std::string item = {};    ///< the item's key, likewise; empty for a partition
  std::uint64_t bytes = 0;  ///< of the item as the service counts them; 0 if it does not exist
};

/// What a write made of an item. Both are in the form of responses, and empty where there was, or is, no
/// item.
struct ItemChange {
  BodyText before = {};
  BodyText after = {};
};

/// What a service reports about one request in addition to its response. Not thread-safe.
struct RequestDetails {
  bool wants_tables = false;   ///< tables that the request only names are to be noted before it runs
  bool wants_keys = false;     ///< `touched` is to be filled
  bool wants_changes = false;  ///< `changes` is to be filled
  bool scans = false;          ///< reads a list without a key
  bool injected = false;       ///< a fault rule made something of it
  std::string world = {};
  std::vector<TableUse> tables = {};      ///< each once
  std::optional<ReadCounts> counts = {};  ///< of operations that read lists
  std::vector<Touch> touched = {};
  std::vector<ItemChange> changes = {};  ///< of writes of single items

  /// Makes it as new, and keeps its memory for the next request.
  void clear() {
    wants_tables = wants_keys = wants_changes = scans = injected = false;
    world.clear();
    tables.clear();
    counts.reset();
    touched.clear();
    changes.clear();
  }
  /// Returns the table of that name, which is added if it is new.
  TableUse& table(std::string_view name);
  /// Adds what one part of the request read.
  void add_counts(std::uint64_t scanned, std::uint64_t returned);

  double read_units() const;
  double write_units() const;
};

}  // namespace dinette::observe
