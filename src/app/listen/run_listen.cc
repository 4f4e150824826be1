#include "app/listen/run_listen.h"

#include <chrono>
#include <iostream>
#include <stop_token>
#include <thread>

#include "dinette/base/clock.h"
#include "dinette/base/ids.h"

#include "app/listen/forward_changes.h"
#include "app/listen/listener.h"
#include "app/listen/remote_stream.h"
#include "app/signals.h"
#include "app/transfer/open_server.h"

namespace dinette::app {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds between_looks{50};

/// Requests a stop once the user wants the program to end.
class StopAtSignal {
 public:
  explicit StopAtSignal(const EndSignals& signals)
      : thread_([this, &signals](const std::stop_token& ending) {
          while (!ending.stop_requested() && !signals.arrived()) std::this_thread::sleep_for(between_looks);
          if (!ending.stop_requested()) stop_.request_stop();
        }) {}

  std::stop_token token() const { return stop_.get_token(); }

 private:
  std::stop_source stop_;
  std::jthread thread_;
};

}  // namespace

base::Result<void, std::string> run_listen(const Options& options) {
  EndSignals signals;
  const StopAtSignal at_signal(signals);
  const base::SystemClock clock;
  base::SystemIds ids;
  const Patience patience = patience_until([&signals] { return signals.arrived(); });
  DINETTE_TRY(const auto place, lambda::read_function_url(options.destination));
  DINETTE_TRY(
      const auto server,
      open_server({.name = options.source, .profile = options.profile, .region = options.source_region},
                  clock));
  DINETTE_TRY(const std::string arn, stream_of_table(*server.operations, patience, options.tables.front()));
  DINETTE_TRY(const auto streams, open_server({.name = options.source,
                                               .profile = options.profile,
                                               .region = options.source_region,
                                               .of_streams = true},
                                              clock));
  std::cerr << "forwarding the changes of " << options.tables.front() << " at " << server.url << " to "
            << options.destination << std::endl;
  const ForwardSettings forwarded{
      .tables = *server.operations,
      .streams = *streams.operations,
      .patience = patience,
      .table = options.tables.front(),
      .place = place,
      .clock = clock,
      .ids = ids,
      .show = [](const auto& delivery) { std::cout << line_of(delivery) << std::endl; },
      .say = [](const std::string& sentence) { std::cerr << sentence << std::endl; }};
  const auto ended = forward_changes(forwarded, arn, at_signal.token());
  if (!signals.arrived()) return ended;
  signals.wait();
  return {};
}

}  // namespace dinette::app
