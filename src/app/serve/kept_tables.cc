#include "app/serve/kept_tables.h"

#include "app/tables/table_sources.h"

namespace dinette::app {

KeptTables::KeptTables(const Options& options, const dynamodb::ServiceOptions& service,
                       tenancy::Worlds& worlds, const base::Clock& clock, base::Ids& ids)
    : watches_(options.watch),
      service_(service, worlds, clock, ids),
      operations_(service_),
      keeper_(operations_, sources_of(options, options.region), clock, ids) {}

base::Result<void, std::string> KeptTables::begin(const std::function<bool()>& interrupted) {
  if (!watches_) return keeper_.make(interrupted);
  keeper_.make_and_watch(interrupted);
  return {};
}

}  // namespace dinette::app
