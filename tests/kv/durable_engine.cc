#include "kv/durable_engine.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "support/temporary_folder.h"

namespace dinette::test {
namespace {

using namespace kv;

/// An engine that keeps something else alive.
class HoldingEngine final : public Engine {
 public:
  HoldingEngine(std::shared_ptr<void> held, std::shared_ptr<Engine> engine)
      : held_(std::move(held)), engine_(std::move(engine)) {}

  Capabilities capabilities() const override { return engine_->capabilities(); }
  Result<std::optional<Value>> get(std::string_view key) const override { return engine_->get(key); }
  Result<Values> get_many(std::span<const std::string_view> keys) const override {
    return engine_->get_many(keys);
  }
  Result<std::shared_ptr<const Snapshot>> snapshot() const override { return engine_->snapshot(); }
  Result<CommitNumber> write(const WriteBatch& batch) override { return engine_->write(batch); }
  Result<CommitNumber> transact(const TransactionPlan& plan, Deadline deadline, Body body) override {
    return engine_->transact(plan, deadline, body);
  }
  Result<std::unique_ptr<Engine>> fork() const override {
    DINETTE_TRY(auto fork, engine_->fork());
    return std::unique_ptr<Engine>(std::make_unique<HoldingEngine>(held_, std::move(fork)));
  }
  Result<void> reset(const Snapshot& snapshot) override { return engine_->reset(snapshot); }

 private:
  std::shared_ptr<void> held_;  ///< destroyed after the engine
  std::shared_ptr<Engine> engine_;
};

}  // namespace

std::unique_ptr<Engine> open_durable_engine(const std::filesystem::path& folder,
                                            const DataFolderOptions& options) {
  const auto engines = open_data_folder(folder, options).value();
  std::shared_ptr<Engine> engine;
  if (engines->kept().empty()) {
    engine = engines->make().value();
    if (!engines->keep("", "", *engine)) throw std::runtime_error("an engine cannot be kept");
  } else {
    auto opened = engines->open("");
    if (!opened) throw std::runtime_error(opened.error().message);
    engine = std::move(opened).value();
  }
  return std::make_unique<HoldingEngine>(engines, std::move(engine));
}

std::unique_ptr<Engine> make_durable_engine(const DataFolderOptions& options) {
  auto folder = std::make_shared<::test::TemporaryFolder>();
  const auto engines = open_data_folder(folder->path(), options).value();
  auto engine = engines->make().value();
  return std::make_unique<HoldingEngine>(std::move(folder), std::move(engine));
}

std::filesystem::path durable_engine_log(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> logs;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder / "engines")) {
    if (entry.path().extension() == ".log") logs.push_back(entry.path());
  }
  return *std::ranges::max_element(logs);
}

}  // namespace dinette::test
