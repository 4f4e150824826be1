#include "app/pull/run_pull.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <system_error>
#include <utility>

#include "dinette/base/ascii.h"
#include "dinette/base/secret.h"
#include "dinette/base/sha256.h"
#include "dinette/tcp/address.h"

#include "app/called_server.h"
#include "app/credentials/endpoints.h"
#include "app/database_url.h"
#include "app/pull/pull_tables.h"
#include "app/read_file.h"
#include "app/signals.h"
#include "app/transfer/local_operations.h"
#include "app/transfer/open_server.h"
#include "app/transfer/remote_operations.h"

namespace dinette::app {
namespace {

namespace fs = std::filesystem;
using base::Failure;

constexpr const char* state_ending = "~pulling";
constexpr const char* mask_key_name = "mask.key";

std::string variable_or(const char* name, const std::string& fallback) {
  const char* const value = std::getenv(name);
  return value == nullptr || *value == '\0' ? fallback : value;
}

/// Where a pull goes.
struct OpenedDestination {
  std::unique_ptr<Operations> operations;  ///< null: files
  fs::path state;                          ///< of the folder for what an interrupted pull needs
};

/// Returns the folder for what an interrupted pull into a server needs, since nothing can be kept there.
fs::path state_of_server(const tcp::Remote& server) {
  std::string name = tcp::host_and_port(server.host, server.port);
  for (char& c : name) c = base::is_word_character(c) || c == '.' || c == '-' ? c : '_';
  return fs::path(variable_or("XDG_STATE_HOME", variable_or("HOME", ".") + "/.local/state")) / "dinette" /
         "pull" / name;
}

base::Result<OpenedDestination, std::string> open_running(const Options& options,
                                                          const std::string& source_url,
                                                          const base::Clock& clock) {
  DINETTE_TRY(const tcp::Remote server, read_url(options.destination));
  if (options.format) return Failure{std::string("--format is for folders, and --into names a server")};
  if (is_aws_host(server.host))
    return Failure{"pull writes into a Dinette or a folder, not into AWS (" + server.host + ")"};
  if ((server.tls ? "https://" : "http://") + http::host_of(server) == source_url)
    return Failure{"source and destination are the same server, " + source_url +
                   "; does AWS_ENDPOINT_URL name it?"};
  auto operations = std::make_unique<RemoteOperations>(server, identity_of_environment(), clock);
  if (const auto absent = operations->why_absent(std::chrono::seconds(5))) return Failure{*absent};
  return OpenedDestination{std::move(operations), state_of_server(server)};
}

base::Result<OpenedDestination, std::string> open_destination(const Options& options,
                                                              const DataOpeners& openers,
                                                              const std::string& source_url,
                                                              const base::Clock& clock, base::Ids& ids) {
  if (is_url(options.destination)) return open_running(options, source_url, clock);
  if (is_database(options.destination))
    return Failure{std::string("pull writes into a folder or a running server, such as one with --store")};
  fs::path folder = fs::path(options.destination);
  if (!folder.has_filename()) folder = folder.parent_path();  // of "data/"
  if (options.format) return OpenedDestination{nullptr, folder / state_ending};
  DINETTE_TRY(auto operations, open_place(openers, folder.string(), true, clock, ids));
  return OpenedDestination{std::move(operations), folder.string() + state_ending};
}

/// The rules of a run, and the file that keeps a key that was made up until the run is complete, so that a
/// pull that is continued makes the same pseudonyms.
struct RunMasking {
  Masking masking;
  fs::path key_file = {};  ///< empty: none
};

base::Result<RunMasking, std::string> open_masking(const std::string& text, const fs::path& state) {
  if (text.empty()) return RunMasking{Masking({}, "")};
  DINETTE_TRY(auto file, read_mask_file(text));
  if (!file.key.empty()) return RunMasking{Masking(std::move(file.rules), std::move(file.key))};
  const fs::path path = state / mask_key_name;
  std::error_code ignored;
  if (!fs::exists(path, ignored)) DINETTE_CHECK(write_private_file(path, base::make_secret()));
  DINETTE_TRY(std::string key, read_file(path.string(), "key of pseudonyms"));
  return RunMasking{Masking(std::move(file.rules), std::move(key)), path};
}

base::Result<std::string, std::string> mask_text(const Options& options) {
  if (options.mask_file.empty()) return std::string();
  DINETTE_TRY(auto text, read_file(options.mask_file, "file of --mask"));
  const auto rules = read_mask_file(text);
  if (!rules) return Failure{options.mask_file + " " + rules.error()};
  return text;
}

base::Result<ScanWish, std::string> scan_wish(const Options& options) {
  ScanWish wish{
      .limit = options.limit, .sample = options.sample, .rate = static_cast<double>(options.read_rate)};
  if (options.where.empty()) return wish;
  auto where = read_filter(options.where);
  if (!where) return Failure{"--where: " + where.error() + ": " + options.where};
  wish.where = std::move(where).value();
  return wish;
}

/// Returns what makes a pull another one, in the words of the options.
std::string identity_of_pull(const Options& options, const std::string& source_url, const std::string& mask) {
  std::string text = "--from " + source_url;
  if (!options.where.empty()) text += " --where '" + options.where + "'";
  if (options.limit > 0) text += " --limit " + std::to_string(options.limit);
  if (options.sample > 0) text += " --sample " + std::to_string(options.sample);
  if (!mask.empty()) text += " --mask with the digest " + base::hex(base::sha256(mask)).substr(0, 16);
  return text;
}

std::string pulled_summary(const std::vector<PulledItems>& tables) {
  std::uint64_t items = 0;
  std::size_t pulled = 0;
  for (const PulledItems& one : tables) {
    items += one.items;
    pulled += one.skipped ? 0 : 1;
  }
  std::string text =
      "pulled " + with_commas(pulled) + (pulled == 1 ? " table, " : " tables, ") + items_text(items);
  if (pulled < tables.size()) text += "; left as they were: " + with_commas(tables.size() - pulled);
  return text;
}

/// A run of the command, from its source on.
class PullRun {
 public:
  PullRun(const Options& options, const DataOpeners& openers, const EndSignals& end)
      : options_(options), openers_(openers), patience_(patience_until([&end] { return end.arrived(); })) {}

  base::Result<std::vector<PulledItems>, std::string> run() {
    DINETTE_TRY(const ScanWish scan, scan_wish(options_));
    DINETTE_TRY(const std::string mask, mask_text(options_));
    if (!is_server(options_.source))
      return Failure{"--from takes aws, or the URL of a server such as http://127.0.0.1:8000, not '" +
                     options_.source + "'; for files and data folders there is dinette import"};
    DINETTE_TRY(const OpenedServer opened,
                open_server({options_.source, options_.profile, options_.source_region}, clock_));
    std::cerr << "pulling from " << opened.url
              << (opened.signed_by.empty() ? "" : " with the credentials of " + opened.signed_by)
              << std::endl;
    const TableSource source(*opened.operations, patience_, opened.renew);
    PullWish wish{.tables = options_.tables, .scan = scan, .existing = options_.existing};
    wish.identity = identity_of_pull(options_, opened.url, mask);
    if (wish.tables.empty()) {
      DINETTE_TRY(wish.tables, source.table_names());
    }
    if (wish.tables.empty()) return Failure{std::string("the source has no tables in this region")};
    DINETTE_TRY(const auto destination, open_destination(options_, openers_, opened.url, clock_, ids_));
    return pull_into(destination, source, mask, wish);
  }

 private:
  base::Result<std::vector<PulledItems>, std::string> pull_into(const OpenedDestination& destination,
                                                                const TableSource& source,
                                                                const std::string& mask,
                                                                const PullWish& wish) {
    DINETTE_TRY(const RunMasking masking, open_masking(mask, destination.state));
    TransferProgress progress(TransferProgress::suited());
    NoOperations none;
    Operations& operations = destination.operations ? *destination.operations : none;
    const Transfer transfer{operations, clock_, ids_, progress, patience_};
    auto pulled = pull_tables(source, transfer, masking.masking, wish, [&](const PulledTable& table) {
      return options_.format ? files_destination(transfer, table, options_.destination, *options_.format)
                             : table_destination(transfer, table, destination.state);
    });
    std::error_code ignored;
    if (pulled && !masking.key_file.empty()) fs::remove(masking.key_file, ignored);
    if (pulled) fs::remove(destination.state, ignored);  // unless there is more
    return pulled;
  }

  /// Files need no operations.
  class NoOperations final : public Operations {
   public:
    base::Result<OperationReply, NoReply> call(std::string_view, std::string_view) override {
      return Failure{NoReply{"a folder of files has no operations"}};
    }
  };

  const Options& options_;
  const DataOpeners openers_;
  const Patience patience_;
  const base::SystemClock clock_;
  base::SystemIds ids_;
};

}  // namespace

base::Result<void, std::string> run_pull(const Options& options, const DataOpeners& openers) {
  EndSignals end;
  const auto pulled = PullRun(options, openers, end).run();
  if (end.arrived()) end.wait();  // takes the signal, which would end the program without a word
  if (!pulled) return Failure{pulled.error()};
  std::cout << pulled_summary(*pulled) << " into " << options.destination << "\n";
  return {};
}

}  // namespace dinette::app
