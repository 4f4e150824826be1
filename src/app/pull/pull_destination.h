#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "dinette/dynamodb/item_files/table_file.h"

#include "app/output_format.h"
#include "app/transfer/transfer.h"

namespace dinette::app {

/// A table as a destination needs it.
struct PulledTable {
  std::string name;
  std::string arn;         ///< at the source
  std::string id;          ///< at the source
  std::string definition;  ///< the text of its table.json
  dynamodb::item_files::TableFile requests;
};

/// Where one table goes: call begin() or resume(), then add() and flush(), then finish(). Items may come
/// twice: that changes nothing. For one thread. The errors are sentences.
class PullDestination {
 public:
  using Done = base::Result<void, std::string>;

  PullDestination() = default;
  PullDestination(const PullDestination&) = delete;
  PullDestination& operator=(const PullDestination&) = delete;
  virtual ~PullDestination() = default;

  /// Returns true if there is such a table, unless it is one that an interrupted pull has left.
  virtual base::Result<bool, std::string> exists() = 0;
  /// Removes the table, and what an interrupted pull has left of it.
  virtual Done remove() = 0;

  virtual Done begin() = 0;
  /// Continues with what was there when mark() returned `mark`. Fails if that is not there any more.
  virtual Done resume(const std::string& mark) = 0;

  /// `item`: its attributes as JSON.
  virtual Done add(std::string_view item) = 0;
  /// What has been added is kept, also if this process is killed afterwards.
  virtual Done flush() = 0;
  /// Returns what resume() needs to continue from here; never empty.
  virtual std::string mark() const = 0;

  /// Completes the table. May be repeated.
  virtual Done finish() = 0;

  /// Removes what only an interrupted pull needs.
  virtual void clean_up() = 0;

  /// Where the progress of its pull is kept.
  virtual std::filesystem::path progress_path() const = 0;
};

/// A table of a server or of a data folder, written by `transfer`. `state`: the folder for progress.
std::unique_ptr<PullDestination> table_destination(const Transfer& transfer, const PulledTable& table,
                                                   const std::filesystem::path& state);

/// A folder with files, in `folder`, that has the table's name.
std::unique_ptr<PullDestination> files_destination(const Transfer& transfer, const PulledTable& table,
                                                   const std::filesystem::path& folder, OutputFormat format);

}  // namespace dinette::app
