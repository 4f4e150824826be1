#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "dinette/base/clock.h"
#include "dinette/base/ids.h"
#include "dinette/base/result.h"

#include "app/tables/applied.h"
#include "app/tables/table_sources.h"
#include "app/transfer/operations.h"

namespace dinette::app {

/// Makes the tables of a server, and the rest that files define, as these say: when it starts and, if asked,
/// whenever the files change. Everything that happens is in the log.
class TableKeeper {
 public:
  /// `operations`, `clock` and `ids` must outlive the object.
  TableKeeper(Operations& operations, TableSources sources, const base::Clock& clock, base::Ids& ids)
      : operations_(operations), sources_(std::move(sources)), clock_(clock), ids_(ids) {}
  TableKeeper(const TableKeeper&) = delete;
  TableKeeper& operator=(const TableKeeper&) = delete;
  /// Ends the watching.
  ~TableKeeper();

  /// Makes the tables. Tables that exist stay as they are. The error has a sentence per line, one for each
  /// table that could not be made.
  base::Result<void, std::string> make(const std::function<bool()>& interrupted);

  /// Makes the tables now, and again in a thread when a file has changed; tables that exist are changed as
  /// far as the service can change a table. An error is in the log.
  void make_and_watch(const std::function<bool()>& interrupted);

 private:
  std::vector<std::string> apply(OnDifference existing, const std::function<bool()>& interrupted);
  bool stop_now();
  bool stopping_after_a_moment();

  Operations& operations_;
  const TableSources sources_;
  const base::Clock& clock_;
  base::Ids& ids_;
  FileStamps stamps_;
  std::mutex lock_;
  std::condition_variable stopped_;
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace dinette::app
