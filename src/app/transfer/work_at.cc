#include "app/transfer/work_at.h"

#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "dinette/base/clock.h"
#include "dinette/base/ids.h"

#include "app/called_server.h"
#include "app/database_url.h"
#include "app/signals.h"
#include "app/transfer/local_operations.h"
#include "app/transfer/open_server.h"

namespace dinette::app {
namespace {

/// Returns true for "localhost:8000", unless there is a folder of that name.
bool lacks_scheme(const std::string& place) {
  std::error_code ignored;
  return read_url("http://" + place).ok() && place.find(':') != std::string::npos &&
         !std::filesystem::exists(place, ignored);
}

base::Result<std::unique_ptr<Operations>, std::string> open(const DataOpeners& openers,
                                                            const WorkPlace& place, const base::Clock& clock,
                                                            base::Ids& ids) {
  if (!is_database(place.name) && lacks_scheme(place.name))
    return base::Failure{"'" + place.name + "' is not a folder; for a server begin with http://"};
  if (!is_url(place.name)) return open_place(openers, place.name, place.make_folder, clock, ids);
  DINETTE_TRY(auto server, open_server({.name = place.name, .region = place.region}, clock));
  return std::move(server.operations);
}

}  // namespace

base::Result<void, std::string> work_at(const DataOpeners& openers, const WorkPlace& place,
                                        const std::function<void(const Transfer&)>& work) {
  EndSignals end;
  const base::SystemClock clock;
  base::SystemIds ids;
  DINETTE_TRY(const auto operations, open(openers, place, clock, ids));
  TransferProgress progress(TransferProgress::suited());
  work(Transfer{*operations, clock, ids, progress, patience_until([&] { return end.arrived(); })});
  if (end.arrived()) end.wait();  // takes the signal, which would end the program without a word
  return {};
}

}  // namespace dinette::app
