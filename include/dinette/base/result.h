#pragma once

#include <type_traits>
#include <utility>
#include <variant>

namespace dinette::base {

/// The failure half of a Result: `return Failure{error};`
template <class E>
struct Failure {
  E error;
};
template <class E>
Failure(E) -> Failure<E>;

/// A value or the reason why there is none. Expected failures are returned as Results; an exception is a bug
/// or exhausted memory. Reading the half that is absent is a programming error (std::bad_variant_access).
template <class T, class E>
class [[nodiscard]] Result {
 public:
  using value_type = T;
  using error_type = E;

  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  template <class F>
  Result(Failure<F> failure) : state_(std::in_place_index<1>, std::move(failure.error)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& value() & { return std::get<0>(state_); }
  const T& value() const& { return std::get<0>(state_); }
  T&& value() && { return std::get<0>(std::move(state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  E& error() & { return std::get<1>(state_); }
  const E& error() const& { return std::get<1>(state_); }
  E&& error() && { return std::get<1>(std::move(state_)); }

 private:
  std::variant<T, E> state_;
};

/// Success without a value, or the reason for failure: `return {};` succeeds.
template <class E>
class [[nodiscard]] Result<void, E> {
 public:
  using value_type = void;
  using error_type = E;

  Result() = default;
  template <class F>
  Result(Failure<F> failure) : state_(std::in_place_index<1>, std::move(failure.error)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  E& error() & { return std::get<1>(state_); }
  const E& error() const& { return std::get<1>(state_); }
  E&& error() && { return std::get<1>(std::move(state_)); }

 private:
  std::variant<std::monostate, E> state_;
};

}  // namespace dinette::base

// [[unlikely]] keeps the success path contiguous.

/// Returns from the enclosing function with the failure of `expression` (a Result), if it failed.
#define DINETTE_CHECK(expression)                                                \
  do {                                                                           \
    if (auto dinette_checked = (expression); !dinette_checked.ok()) [[unlikely]] \
      return ::dinette::base::Failure{std::move(dinette_checked).error()};       \
  } while (false)

#define DINETTE_CONCAT_(a, b) a##b
#define DINETTE_CONCAT(a, b) DINETTE_CONCAT_(a, b)
#define DINETTE_TRY_(holder, declaration, expression)           \
  auto holder = (expression);                                   \
  if (!holder.ok()) [[unlikely]]                                \
    return ::dinette::base::Failure{std::move(holder).error()}; \
  declaration = std::move(holder).value()

/// Initializes `declaration` with the value of `expression` (a Result), or returns from the enclosing
/// function with its failure: `DINETTE_TRY(auto table, catalog.open(name));`
#define DINETTE_TRY(declaration, ...) \
  DINETTE_TRY_(DINETTE_CONCAT(dinette_result_, __LINE__), declaration, (__VA_ARGS__))
