#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/output_format.h"
#include "app/pull/masking.h"
#include "app/pull/pull_destination.h"
#include "app/pull/table_scan.h"
#include "app/pull/table_source.h"
#include "app/transfer/transfer.h"

namespace dinette::app {

struct PullWish {
  std::vector<std::string> tables;
  ScanWish scan = {};
  /// What makes a pull another one, as text: where from, which items, how masked. One that is continued must
  /// have the same.
  std::string identity = {};
  Existing existing = Existing::refuse;
};

struct PulledItems {
  std::string table;
  std::uint64_t items = 0;
  bool skipped = false;  ///< it was there already
};

using OpenDestination = std::function<std::unique_ptr<PullDestination>(const PulledTable& table)>;

/// Reads tables from `source` and creates and fills them at their destinations, one after the other. After a
/// failure, or if the process is killed, the same call with Existing::resume continues: no item is lost or
/// counted twice. `transfer` is what writes, and must not be the source's. The error is a sentence for the
/// user.
base::Result<std::vector<PulledItems>, std::string> pull_tables(const TableSource& source,
                                                                const Transfer& transfer,
                                                                const Masking& masking, const PullWish& wish,
                                                                const OpenDestination& open);

}  // namespace dinette::app
