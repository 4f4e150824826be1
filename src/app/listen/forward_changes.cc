#include "app/listen/forward_changes.h"

#include <chrono>
#include <utility>

#include "app/listen/listener.h"
#include "app/listen/remote_stream.h"

namespace dinette::app {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds between_streams{250};
/// After these the user learns that there is nothing to forward: tests create a table again sooner than that.
constexpr unsigned looks_until_word = 8;

/// Forwards the changes in one stream. Returns the one that the table has after it; empty if a stop is
/// requested first. A stream whose shards have all ended may get others: they are looked for as well.
base::Result<std::string, std::string> forward_one(const ForwardSettings& settings, const std::string& arn,
                                                   bool from_beginning, const std::stop_token& stop) {
  RemoteStream stream(settings.streams, settings.patience, arn);
  unsigned looks = 0;
  Listener listener({.source = stream,
                     .stream = arn,
                     .place = settings.place,
                     .clock = settings.clock,
                     .ids = settings.ids,
                     .show = settings.show,
                     .wait =
                         [&](milliseconds time) {
                           looks = 0;  // there is a shard
                           settings.patience.wait(time);
                         },
                     .from_beginning = from_beginning});
  while (true) {
    DINETTE_TRY(const ListenEnd end, listener.run(stop));
    if (end == ListenEnd::stopped || stop.stop_requested()) return std::string();
    DINETTE_TRY(const LatestStream latest, latest_stream(settings.tables, settings.patience, settings.table));
    if (!latest.arn.empty() && latest.arn != arn) return latest.arn;
    if (++looks == looks_until_word)
      settings.say(
          (latest.missing.empty() ? "the stream of " + settings.table + " has ended" : latest.missing) +
          ". Waiting for another stream of the table");
    settings.patience.wait(between_streams);
  }
}

}  // namespace

base::Result<void, std::string> forward_changes(const ForwardSettings& settings, std::string arn,
                                                const std::stop_token& stop) {
  bool from_beginning = false;
  while (true) {
    DINETTE_TRY(arn, forward_one(settings, arn, from_beginning, stop));
    if (arn.empty()) return {};
    from_beginning = true;  // of a stream that has begun since
    settings.say("the table " + settings.table +
                 " has a new stream, as when it is created again: forwarding its changes");
  }
}

}  // namespace dinette::app
