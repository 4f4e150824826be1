#include "tenancy/shared_faults.h"

#include <bit>
#include <chrono>
#include <string>
#include <string_view>
#include <utility>

#include "dinette/base/log.h"
#include "dinette/base/record_bytes.h"
#include "dinette/store/kept_setting.h"

namespace dinette::tenancy {
namespace {

constexpr std::string_view rules_name = "faults";

std::string counts_name(std::size_t rule) {
  return "faults counted by rule " + std::to_string(rule);
}

void add(base::RecordWriter& writer, double number) {
  writer.add(std::bit_cast<std::uint64_t>(number));
}
void add(base::RecordWriter& writer, std::chrono::milliseconds time) {
  writer.add(static_cast<std::int64_t>(time.count()));
}

void add(base::RecordWriter& writer, const FaultEffect& effect) {
  writer.add(effect.phase == FaultEffect::Phase::after);
  writer.add(std::string_view(effect.error));
  writer.add(std::string_view(effect.message));
  add(writer, effect.delay.least);
  add(writer, effect.delay.most);
  add(writer, effect.delay.mean);
  writer.add(effect.drop);
  writer.add_list(effect.unprocessed, [&](std::uint64_t position) { writer.add(position); });
  add(writer, effect.unprocessed_share);
}

void add(base::RecordWriter& writer, const FaultRule& rule) {
  writer.add(std::string_view(rule.operation));
  writer.add(std::string_view(rule.table));
  writer.add_list(rule.key, [&](const FaultAttribute& attribute) {
    writer.add(std::string_view(attribute.name));
    writer.add(std::string_view(attribute.type));
    writer.add(std::string_view(attribute.value));
  });
  writer.add(rule.nth);
  writer.add(rule.times.has_value());
  writer.add(rule.times.value_or(0));
  add(writer, rule.probability);
  writer.add(rule.seed);
  add(writer, rule.effect);
}

double read_double(base::RecordReader& reader) {
  return std::bit_cast<double>(reader.number<std::uint64_t>());
}
std::chrono::milliseconds read_time(base::RecordReader& reader) {
  return std::chrono::milliseconds(reader.int64());
}

FaultEffect read_effect(base::RecordReader& reader) {
  FaultEffect effect;
  effect.phase = reader.truth() ? FaultEffect::Phase::after : FaultEffect::Phase::before;
  effect.error = reader.text();
  effect.message = reader.text();
  effect.delay.least = read_time(reader);
  effect.delay.most = read_time(reader);
  effect.delay.mean = read_time(reader);
  effect.drop = reader.truth();
  reader.read_list([&] { effect.unprocessed.push_back(reader.number<std::uint64_t>()); });
  effect.unprocessed_share = read_double(reader);
  return effect;
}

FaultRule read_rule(base::RecordReader& reader) {
  FaultRule rule;
  rule.operation = reader.text();
  rule.table = reader.text();
  reader.read_list([&] {
    FaultAttribute& attribute = rule.key.emplace_back();
    attribute.name = reader.text();
    attribute.type = reader.text();
    attribute.value = reader.text();
  });
  rule.nth = reader.number<std::uint64_t>();
  const bool limited = reader.truth();
  const auto times = reader.number<std::uint64_t>();
  if (limited) rule.times = times;
  rule.probability = read_double(reader);
  rule.seed = reader.number<std::uint64_t>();
  rule.effect = read_effect(reader);
  return rule;
}

FaultCount read_count(std::string_view kept, std::uint64_t set) {
  base::RecordReader reader(kept);
  const bool is_of_set = reader.number<std::uint64_t>() == set;
  const auto matched = reader.number<std::uint64_t>();
  const auto fired = reader.number<std::uint64_t>();
  return is_of_set && reader.complete() ? FaultCount{matched, fired} : FaultCount{};
}

void warn(const kv::Error& error) {
  base::log(base::LogLevel::warn, "faults cannot be counted with other servers", {{"reason", error.message}});
}

}  // namespace

kv::Result<FaultSet> read_faults(const kv::Engine& engine) {
  DINETTE_TRY(const auto kept, store::read_setting(engine, rules_name));
  FaultSet set;
  if (!kept) return set;
  base::RecordReader reader(kept->view());
  set.number = reader.number<std::uint64_t>();
  reader.read_list([&] { set.rules.push_back(read_rule(reader)); });
  if (!reader.complete())
    return base::Failure{kv::Error{kv::ErrorKind::corrupt, "the fault rules of a world cannot be read"}};
  return set;
}

kv::Result<std::uint64_t> keep_faults(kv::Engine& engine, const std::vector<FaultRule>& rules) {
  std::uint64_t number = 0;
  DINETTE_CHECK(store::change_setting(engine, rules_name, [&](std::string_view kept) {
    number = base::RecordReader(kept).number<std::uint64_t>() + 1;
    base::RecordWriter writer;
    writer.add(number);
    writer.add_list(rules, [&](const FaultRule& rule) { add(writer, rule); });
    return std::move(writer).take();
  }));
  return number;
}

FaultCount SharedFaultCounts::read(std::uint64_t set, std::size_t rule) const {
  const auto kept = store::read_setting(engine_, counts_name(rule));
  if (!kept) warn(kept.error());
  return kept && *kept ? read_count((*kept)->view(), set) : FaultCount{};
}

void SharedFaultCounts::change(std::uint64_t set, std::size_t rule,
                               base::FunctionRef<void(FaultCount&)> count) {
  const auto changed = store::change_setting(engine_, counts_name(rule), [&](std::string_view kept) {
    FaultCount counted = read_count(kept, set);
    count(counted);
    base::RecordWriter writer;
    writer.add(set);
    writer.add(counted.matched);
    writer.add(counted.fired);
    return std::move(writer).take();
  });
  if (!changed) warn(changed.error());
}

}  // namespace dinette::tenancy
