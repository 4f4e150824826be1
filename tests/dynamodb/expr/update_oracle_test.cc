#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "notation.h"
#include "support/random_seed.h"

/// Random SETs and REMOVEs, and random projections, done a second time one path after another on JSON.
namespace dinette::dynamodb::expr::update_oracle_test {
namespace {

using notation::Json;

struct Path {
  std::string text;
  std::vector<Json> steps;  // strings and numbers
};

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : engine_(seed) {}

  std::size_t below(std::size_t limit) {
    return std::uniform_int_distribution<std::size_t>(0, limit - 1)(engine_);
  }

  Json value(int depth) {
    const std::size_t kind = below(depth > 0 ? 4 : 1);
    if (kind < 2) return {{"N", std::to_string(below(1000))}};
    if (kind == 2) {
      Json list = Json::array();
      for (std::size_t i = below(5); i > 0; --i) list.push_back(value(depth - 1));
      return {{"L", list}};
    }
    return {{"M", map(depth - 1)}};
  }

  Json map(int depth) {
    Json map = Json::object();
    for (const char* name : {"p", "q", "r"}) {
      if (below(4) > 0) map[name] = value(depth);
    }
    return map;
  }

  // Mostly along what is there, so that many paths lead somewhere.
  Path path(const Json& item) {
    Path path;
    Json here = {{"M", item}};
    const std::size_t steps = 1 + below(4);
    for (std::size_t i = 0; i < steps; ++i) {
      const bool list = here.is_object() && here.contains("L") ? below(10) > 0 : below(10) == 0;
      if (list && i > 0) {
        path.steps.emplace_back(below(7));
        path.text += "[" + path.steps.back().dump() + "]";
        const auto index = path.steps.back().get<std::size_t>();
        const bool there = here.is_object() && here.contains("L") && index < here["L"].size();
        here = there ? Json(here["L"][index]) : Json();
      } else {
        const std::string name = std::string(1, "pqr"[below(3)]);
        path.steps.emplace_back(name);
        path.text += (i == 0 ? "" : ".") + name;
        const bool there = here.is_object() && here.contains("M") && here["M"].contains(name);
        here = there ? Json(here["M"][name]) : Json();
      }
    }
    return path;
  }

  std::vector<Path> paths(const Json& item) {
    std::vector<Path> paths;
    for (std::size_t i = 1 + below(5); i > 0; --i) {
      const Path candidate = path(item);
      if (std::ranges::none_of(paths, [&](const Path& other) { return collide(candidate, other); })) {
        paths.push_back(candidate);
      }
    }
    return paths;
  }

 private:
  static bool collide(const Path& a, const Path& b) {
    for (std::size_t i = 0; i < std::min(a.steps.size(), b.steps.size()); ++i) {
      if (a.steps[i].is_string() != b.steps[i].is_string()) return true;
      if (a.steps[i] != b.steps[i]) return false;
    }
    return true;
  }

  std::mt19937_64 engine_;
};

/// The container a path's last step leads into; null when there is none of the right kind.
Json* parent(Json& item, const Path& path) {
  Json* here = &item;
  for (std::size_t i = 0; i < path.steps.size(); ++i) {
    const Json& step = path.steps[i];
    if (step.is_string() != here->is_object()) return nullptr;
    if (i + 1 == path.steps.size()) return here;
    if (step.is_string() ? !here->contains(step.get<std::string>())
                         : step.get<std::size_t>() >= here->size()) {
      return nullptr;
    }
    Json& next = step.is_string() ? (*here)[step.get<std::string>()] : (*here)[step.get<std::size_t>()];
    if (!next.is_object() || !(next.contains("L") || next.contains("M"))) return nullptr;
    here = &next.begin().value();
  }
  return nullptr;
}

void drop_holes(Json& json) {
  if (json.is_array()) json.erase(std::remove(json.begin(), json.end(), Json()), json.end());
  if (json.is_structured()) {
    for (Json& one : json) drop_holes(one);
  }
}

struct Action {
  Path path;
  std::optional<Json> value;  // none: REMOVE
};

/// One action after another: what is removed from a list leaves a hole until the end, what lies past the end
/// waits.
std::optional<Json> updated(Json item, const std::vector<Action>& actions) {
  std::map<Json*, std::map<std::size_t, Json>> appended;
  for (const Action& action : actions) {
    Json* const container = parent(item, action.path);
    if (container == nullptr) return std::nullopt;
    const Json& last = action.path.steps.back();
    if (last.is_string()) {
      if (action.value) {
        (*container)[last.get<std::string>()] = *action.value;
      } else {
        container->erase(last.get<std::string>());
      }
    } else if (last.get<std::size_t>() < container->size()) {
      (*container)[last.get<std::size_t>()] = action.value.value_or(Json());
    } else if (action.value) {
      appended[container][last.get<std::size_t>()] = *action.value;
    }
  }
  // Containers do not move: paths do not overlap, so none lies in what another action replaced.
  for (auto& [container, elements] : appended) {
    for (auto& [index, element] : elements) container->push_back(element);
  }
  drop_holes(item);
  return item;
}

TEST_CASE("random updates do the same as one action after another") {
  Generator random(test::random_seed());
  std::size_t succeeded = 0;
  const auto rounds = static_cast<std::size_t>(dinette::test::rounds_of(20'000));
  for (std::size_t round = 0; round < rounds; ++round) {
    const Json before = random.map(3);
    std::vector<Action> actions;
    Json values = Json::object();
    std::string set;
    std::string remove;
    for (Path& path : random.paths(before)) {
      if (random.below(3) == 0) {
        remove += (remove.empty() ? "REMOVE " : ", ") + path.text;
        actions.push_back({std::move(path), std::nullopt});
      } else {
        const std::string placeholder = ":v" + std::to_string(values.size());
        values[placeholder] = random.value(1);
        set += (set.empty() ? "SET " : ", ") + path.text + " = " + placeholder;
        actions.push_back({std::move(path), values[placeholder]});
      }
    }
    const std::string text = set + " " + remove;
    CAPTURE(before.dump(), text, values.dump());
    notation::Request request("{}", values.dump());
    const auto parsed = parse(Kind::update, text, SizeTail::omitted);
    REQUIRE(parsed.ok());
    const auto update = bind_update(*parsed, request.placeholders);
    if (!update.ok()) FAIL(update.error().message);
    const model::Item old = notation::map(before);
    const auto result = update->apply(&old, {});
    const auto expected = updated(before, actions);
    REQUIRE(result.ok() == expected.has_value());
    if (!expected) continue;
    ++succeeded;
    REQUIRE(notation::json(**result) == *expected);
  }
  CHECK(succeeded > rounds / 10);
}

/// Keeps what some path ends at or passes through; none when nothing is kept.
std::optional<Json> kept(const Json& value, const std::vector<std::vector<Json>>& paths) {
  std::map<Json, std::vector<std::vector<Json>>> by_step;
  for (const auto& path : paths) {
    if (path.empty()) return value;
    by_step[path.front()].emplace_back(path.begin() + 1, path.end());
  }
  const bool list = value.contains("L");
  if (!list && !value.contains("M")) return std::nullopt;
  Json result = list ? Json::array() : Json::object();
  for (const auto& [step, rest] : by_step) {
    if (step.is_string() == list) continue;
    const Json& content = value.begin().value();
    if (list ? step.get<std::size_t>() >= content.size() : !content.contains(step.get<std::string>()))
      continue;
    const auto part = kept(list ? content[step.get<std::size_t>()] : content[step.get<std::string>()], rest);
    if (part && list) result.push_back(*part);
    if (part && !list) result[step.get<std::string>()] = *part;
  }
  if (result.empty()) return std::nullopt;
  return Json{{list ? "L" : "M", result}};
}

TEST_CASE("random projections keep the same as a walk over the paths") {
  Generator random(test::random_seed());
  for (int round = 0; round < dinette::test::rounds_of(20'000); ++round) {
    const Json before = random.map(3);
    std::string text;
    std::vector<std::vector<Json>> paths;
    for (const Path& path : random.paths(before)) {
      text += (text.empty() ? "" : ", ") + path.text;
      paths.push_back(path.steps);
    }
    CAPTURE(before.dump(), text);
    notation::Request request;
    const auto projection =
        bind_projection(parse(Kind::projection, text, SizeTail::omitted).value(), request.placeholders);
    REQUIRE(projection.ok());
    const auto expected = kept(Json{{"M", before}}, paths);
    REQUIRE(notation::json(projection->project(notation::map(before))) ==
            (expected ? (*expected)["M"] : Json::object()));
  }
}

}  // namespace
}  // namespace dinette::dynamodb::expr::update_oracle_test
