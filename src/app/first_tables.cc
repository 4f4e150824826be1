#include "app/first_tables.h"

#include "app/tables/keep_tables.h"
#include "app/tables/table_sources.h"
#include "app/transfer/local_operations.h"
#include "app/transfer/transfer_commands.h"

namespace dinette::app {
namespace {

/// What the server does by itself is no client's request.
dynamodb::ServiceOptions quiet(const dynamodb::ServiceOptions& options) {
  auto changed = without_hurdles(options);
  changed.recent = nullptr;
  changed.reports = nullptr;
  return changed;
}

/// The tables of --load and --tables, in the default world of a server.
class FilledServer final : public FirstTables {
 public:
  explicit FilledServer(const FirstTablesPlace& place)
      : options_(place.options),
        clock_(place.clock),
        ids_(place.ids),
        service_(quiet(place.service), place.worlds, place.clock, place.ids),
        others_(place.options, quiet(place.service), place.mappings_changed, place.worlds, place.clock,
                place.ids),
        operations_(service_, &others_),
        keeper_(operations_, sources_of(place.options, place.options.region), place.clock, place.ids) {}

  /// The items of a folder need not come with the definitions of their tables, if --tables has these.
  base::Result<void, std::string> load(const std::function<bool()>& interrupted) {
    if (options_.load_folder.empty()) return {};
    const Existing existing = options_.definitions.files.empty() ? Existing::refuse : Existing::resume;
    return load_tables(operations_, options_.load_folder, existing, clock_, ids_, interrupted);
  }

  base::Result<void, std::string> apply(const std::function<bool()>& interrupted) {
    if (options_.definitions.files.empty()) return {};
    if (!options_.watch) return keeper_.make(interrupted);
    keeper_.make_and_watch(interrupted);
    return {};
  }

 private:
  const Options& options_;
  const base::Clock& clock_;
  base::Ids& ids_;
  dynamodb::Service service_;
  OtherServices others_;
  LocalOperations operations_;
  TableKeeper keeper_;
};

}  // namespace

base::Result<std::unique_ptr<FirstTables>, std::string> make_first_tables(
    const FirstTablesPlace& place, const std::function<bool()>& interrupted) {
  auto tables = std::make_unique<FilledServer>(place);
  DINETTE_CHECK(tables->apply(interrupted));
  DINETTE_CHECK(tables->load(interrupted));
  return std::unique_ptr<FirstTables>(std::move(tables));
}

}  // namespace dinette::app
