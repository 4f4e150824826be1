#include "app/tables/keep_tables.h"

#include <chrono>
#include <utility>
#include <vector>

#include "dinette/base/log.h"

#include "app/tables/apply_definitions.h"
#include "app/tables/apply_report.h"

namespace dinette::app {
namespace {

using base::LogLevel;

constexpr std::chrono::milliseconds look_interval{500};

void log_resource(const AppliedResource& resource) {
  const bool is_well = is_as_defined(resource);
  std::string details;
  const auto add = [&details](const std::string& text) { details += (details.empty() ? "" : "; ") + text; };
  for (const std::string& part : resource.parts) add(part);
  for (const Difference& difference : resource.differences) add(text_of_difference(resource, difference));
  const std::string noun(noun_of(resource.kind));
  base::log(is_well ? LogLevel::info : LogLevel::warn, noun + " " + std::string(name_of(resource.outcome)),
            {{noun, resource.name}, {"id", resource.id}, {"details", details}});
  for (const std::string& remark : resource.remarks)
    base::log(LogLevel::warn, "part of a table definition left out",
              {{noun, resource.name}, {"part", remark}});
}

void log_notes(const definitions::Definitions& definitions) {
  for (const definitions::Note& warning : definitions.warnings)
    base::log(LogLevel::warn, "table definitions: " + text_of(warning));
}

/// Returns a line for each resource that could not be made.
std::vector<std::string> errors_of(const definitions::Definitions& definitions,
                                   const std::vector<AppliedResource>& resources) {
  std::vector<std::string> errors;
  for (const definitions::Note& error : definitions.errors) errors.push_back(text_of(error));
  for (const AppliedResource& resource : resources) {
    const std::string title = std::string(noun_of(resource.kind)) + " " + resource.name;
    for (const std::string& error : resource.errors)
      errors.push_back("the " + title + " is not as its file defines it: " + error);
  }
  return errors;
}

}  // namespace

TableKeeper::~TableKeeper() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard guard(lock_);
    stop_ = true;
  }
  stopped_.notify_all();
  thread_.join();
}

base::Result<void, std::string> TableKeeper::make(const std::function<bool()>& interrupted) {
  const auto errors = apply(OnDifference::keep, interrupted);
  if (errors.empty()) return {};
  std::string text;
  for (const std::string& error : errors) text += (text.empty() ? "" : "\n") + error;
  return base::Failure{std::move(text)};
}

void TableKeeper::make_and_watch(const std::function<bool()>& interrupted) {
  const auto log_errors = [](const std::vector<std::string>& errors) {
    for (const std::string& error : errors) base::log(LogLevel::error, "table definitions: " + error);
  };
  log_errors(apply(OnDifference::update, interrupted));
  thread_ = std::thread([this, log_errors] {
    std::string seen = stamps_.before();
    while (!stopping_after_a_moment()) {
      const std::string now = stamps_.now();
      // A change is applied when it is over: the files look as they did a moment ago.
      if (now == std::exchange(seen, now) && now != stamps_.before()) {
        base::log(LogLevel::info, "files of table definitions have changed");
        log_errors(apply(OnDifference::update, [this] { return stop_now(); }));
        seen = stamps_.before();
      }
    }
  });
}

std::vector<std::string> TableKeeper::apply(OnDifference existing, const std::function<bool()>& interrupted) {
  FileStamps stamps;
  const auto definitions = read_sources(sources_, &stamps);
  stamps_ = std::move(stamps);
  log_notes(definitions);
  TransferProgress progress(TransferProgress::Shown::log);
  const auto resources = apply_definitions({operations_, clock_, ids_, progress, patience_until(interrupted)},
                                           definitions, {.existing = existing});
  for (const AppliedResource& resource : resources) log_resource(resource);
  return errors_of(definitions, resources);
}

bool TableKeeper::stop_now() {
  const std::lock_guard guard(lock_);
  return stop_;
}

bool TableKeeper::stopping_after_a_moment() {
  std::unique_lock guard(lock_);
  return stopped_.wait_for(guard, look_interval, [this] { return stop_; });
}

}  // namespace dinette::app
