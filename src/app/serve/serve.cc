#include "app/serve/serve.h"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <optional>
#include <string_view>
#include <utility>

#include "dinette/admin/api.h"
#include "dinette/base/log.h"

#include "app/serve/credentials.h"
#include "app/serve/greeting.h"
#include "app/serve/host.h"
#include "app/serve/identities_file.h"
#include "app/serve/last_deadline.h"
#include "app/serve/place_of_data.h"
#include "app/serve/self_signed_file.h"
#include "app/signals.h"

namespace dinette::app {
namespace {

// How long a signal waits for requests in progress, and for everything: less than the ten seconds that
// container engines wait.
constexpr std::chrono::seconds drain_deadline{8};
constexpr std::chrono::seconds last_patience{9};
constexpr std::chrono::milliseconds cut_log_patience{200};

base::Result<tcp::SelfSigned, std::string> self_signed_of(const Options& options, std::time_t now) {
  if (!options.tls_self_signed) return tcp::SelfSigned{};
  return options.self_signed_file.empty() ? create_self_signed(now)
                                          : keep_self_signed(options.self_signed_file, now);
}

base::Result<HostFiles, std::string> read_files(const Options& options) {
  HostFiles files;
  if (!options.credentials_file.empty()) {
    DINETTE_TRY(files.credentials, read_credentials(options.credentials_file));
  }
  if (!options.identities_file.empty()) {
    DINETTE_TRY(files.identities, read_identities(options.identities_file));
  }
  DINETTE_TRY(files.self_signed, self_signed_of(options, std::time(nullptr)));
  return files;
}

[[noreturn]] void end_without_waiting(std::string_view cut) {
  base::log(base::LogLevel::error, "stopping takes too long; the program ends", {{"cut", cut}});
  base::flush_log(cut_log_patience);
  std::_Exit(1);
}

void print(const observe::Reports& reports) {
  for (const std::string& world : reports.worlds()) std::cout << "\n" << text_of(reports.of(world));
  std::cout << std::flush;
}

}  // namespace

base::Result<void, std::string> serve(const Options& given, const FullProgram* full) {
  Options options = given;
  DINETTE_TRY(options.data_folder, place_of_data(given));
  base::configure_log(options.log_level, options.log_format);
  DINETTE_TRY(auto files, read_files(options));
  EndSignals end;
  std::atomic<const char*> waiting_for = "requests in progress";
  std::optional<LastDeadline> last_deadline;  // outlives the host, whose end may take long

  DINETTE_TRY(const auto host, Host::open(options, std::move(files), full));
  DINETTE_CHECK(host->prepare([&] { return end.arrived(); }));
  DINETTE_TRY(const auto listening, host->listen());
  std::cout << greeting(options, listening, admin::has_page(), host->visitor_token()) << std::flush;
  end.wait();
  last_deadline.emplace(last_patience, [&] { end_without_waiting(waiting_for.load()); });
  host->stop(drain_deadline);
  if (options.report) print(host->reports());
  waiting_for = "work in the background";
  return {};
}

}  // namespace dinette::app
