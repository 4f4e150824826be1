#include "dinette/kv/engines.h"

#include "dinette/kv/memory.h"

namespace dinette::kv {
namespace {

class MemoryEngines final : public Engines {
 public:
  Capabilities capabilities() const override { return origin_->capabilities(); }
  Result<std::shared_ptr<Engine>> make() override {
    DINETTE_TRY(std::shared_ptr<Engine> fork, origin_->fork());
    return fork;
  }
  std::vector<Kept> kept() const override { return {}; }
  Result<std::shared_ptr<Engine>> open(std::string_view) override {
    return base::Failure{Error{ErrorKind::unsupported, "no engine in memory is kept"}};
  }
  Result<void> keep(std::string_view, std::string_view, const Engine&) override { return {}; }
  Result<void> forget(std::string_view) override { return {}; }

 private:
  const std::unique_ptr<Engine> origin_ = make_memory_engine();  ///< always empty
};

}  // namespace

std::shared_ptr<Engines> make_memory_engines() {
  return std::make_shared<MemoryEngines>();
}

}  // namespace dinette::kv
