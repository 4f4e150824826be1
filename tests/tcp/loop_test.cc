#include "tcp/loop.h"

#include <memory>
#include <stdexcept>

#include <catch2/catch.hpp>

namespace dinette::tcp::loop_test {
namespace {

/// Counts its sweeps, and fails in them if told to.
class Swept final : public Connection {
 public:
  Swept(Loop& loop, bool fails) : loop_(loop), fails_(fails) {}

  void start() override {}
  void sweep(SteadyTime) override {
    ++sweeps;
    if (fails_) throw std::runtime_error("provoked by the test");
  }
  void drain() override {}
  void cut() override { loop_.forget(*this); }
  std::optional<Idle> idle() const override { return std::nullopt; }
  std::size_t held() const override { return 0; }
  void give_way() override {}

  int sweeps = 0;

 private:
  Loop& loop_;
  bool fails_;
};

TEST_CASE("a connection that fails in a sweep is closed, and the others are swept") {
  Shared shared;
  Loop loop(shared);
  std::vector<std::shared_ptr<Swept>> connections;
  for (const bool fails : {false, true, false, true}) {
    connections.push_back(std::make_shared<Swept>(loop, fails));
    loop.adopt(connections.back(), shared.connections.enter());
  }
  loop.sweep();
  CHECK(shared.connections.value() == 2);
  loop.sweep();
  CHECK(connections[0]->sweeps == 2);
  CHECK(connections[1]->sweeps == 1);
  CHECK(connections[2]->sweeps == 2);
  CHECK(connections[3]->sweeps == 1);
}

TEST_CASE("dropping a ticket releases its place among the connections") {
  ConnectionCount count;
  auto first = count.enter();
  const auto second = count.enter();
  CHECK(count.value() == 2);
  first.reset();
  CHECK(count.value() == 1);
}

}  // namespace
}  // namespace dinette::tcp::loop_test
