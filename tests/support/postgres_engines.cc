#include <atomic>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dinette/kv/postgres.h"

#include "support/engines.h"

namespace test {
namespace {

namespace kv = dinette::kv;

/// The engines of a database that keep names of their own in it, so that no test finds those of another.
class OwnNames final : public kv::Engines {
 public:
  OwnNames(std::shared_ptr<kv::Engines> engines, std::string prefix)
      : engines_(std::move(engines)), prefix_(std::move(prefix)) {}
  ~OwnNames() override {
    for (const Kept& one : kept()) (void)forget(one.name);
  }

  kv::Capabilities capabilities() const override { return engines_->capabilities(); }
  kv::Result<std::shared_ptr<kv::Engine>> make() override { return engines_->make(); }
  std::vector<Kept> kept() const override {
    std::vector<Kept> own;
    for (Kept& one : engines_->kept()) {
      if (!one.name.starts_with(prefix_)) continue;
      one.name.erase(0, prefix_.size());
      own.push_back(std::move(one));
    }
    return own;
  }
  kv::Result<std::shared_ptr<kv::Engine>> open(std::string_view name) override {
    return engines_->open(own(name));
  }
  kv::Result<void> keep(std::string_view name, std::string_view note, const kv::Engine& engine) override {
    return engines_->keep(own(name), note, engine);
  }
  kv::Result<bool> keep_new(std::string_view name, std::string_view note, const kv::Engine& engine) override {
    return engines_->keep_new(own(name), note, engine);
  }
  kv::Result<void> forget(std::string_view name) override { return engines_->forget(own(name)); }
  void look_after() override { engines_->look_after(); }
  std::optional<std::string> trouble() const override { return engines_->trouble(); }
  kv::EngineFigures figures() const override { return engines_->figures(); }
  kv::Coordinator* coordinator() override { return engines_->coordinator(); }
  std::uint64_t number_of(const kv::Engine& engine) const override { return engines_->number_of(engine); }

 private:
  std::string own(std::string_view name) const { return prefix_ + std::string(name); }

  const std::shared_ptr<kv::Engines> engines_;
  const std::string prefix_;
};

/// All tests of a program share the connections.
std::shared_ptr<kv::Engines> open_database() {
  static const auto engines =
      kv::open_postgres(std::getenv("DINETTE_TEST_STORE"), {.patience = std::chrono::minutes(2)}).value();
  static std::atomic<int> opened = 0;
  return std::make_shared<OwnNames>(engines, std::to_string(++opened) + "/");
}

const bool is_set = (open_test_database = &open_database) != nullptr;

}  // namespace
}  // namespace test
