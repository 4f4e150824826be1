#pragma once

#include <random>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "dinette/aws/shape.h"

/// Requests out of the tables that the specs became: first ones that look right, then broken ones.
namespace test {

using Json = nlohmann::json;
using Random = std::mt19937_64;

/// One of `count` numbers from 0.
std::size_t pick(Random& random, std::size_t count);

template <class Choices>
const auto& one_of(Random& random, const Choices& choices) {
  return choices[pick(random, std::size(choices))];
}

/// Returns true for maps of attribute values: items, keys, and values by placeholder.
bool is_item(const dinette::aws::Shape& shape);

/// Makes requests whose every value has the type, length and words that the spec wants, for tables `Music`
/// (key `pk` S, with a stream) and `Numbers` (`pk` N, `sk` B). Most would be answered with success.
class RequestMaker {
 public:
  explicit RequestMaker(Random& random) : random_(random) {}

  Json request(const dinette::aws::Operation& operation);
  Json value(const dinette::aws::Shape& shape);
  Json attribute_value(int depth = 0);

 private:
  void tidy_item_request(Json& request);
  void tidy_table(Json& request);
  void tidy_place(Json& request);
  Json structure(std::span<const dinette::aws::Member> members);
  Json member(const dinette::aws::Member& member);
  Json item(bool placeholders);
  std::string text(const dinette::aws::Shape& shape);
  std::string number();

  Random& random_;
};

/// Breaks requests. Every way of breaking is certain: whatever else the request says, no service could accept
/// it.
class RequestBreaker {
 public:
  explicit RequestBreaker(Random& random) : random_(random) {}

  /// The text of `request` after one to three breaks, never a request that could be answered with success.
  /// `notes` gets the name of each break.
  std::string broken(const dinette::aws::Operation& operation, Json request, std::string& notes);

 private:
  bool break_once(const dinette::aws::Operation& operation, Json& request, std::string& notes);
  std::string break_text(const dinette::aws::Operation& operation, std::string text, std::string& notes);

  Random& random_;
};

}  // namespace test
