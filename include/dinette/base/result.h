#pragma once

#include <type_traits>
#include <utility>
#include <variant>

namespace dinette::base {
namespace detail {

/// An error on the heap. So a Result is hardly larger than its value, and the code that copies and frees an
/// error, which is never on the success path, is compiled out of line (`cold`), once per type instead of at
/// every call that may fail.
template <class E>
class Boxed {
 public:
  explicit Boxed(E error) : error_(boxed(std::move(error))) {}
  Boxed(const Boxed& other) : error_(other.error_ ? boxed(*other) : nullptr) {}
  Boxed(Boxed&& other) noexcept : error_(std::exchange(other.error_, nullptr)) {}
  Boxed& operator=(Boxed other) noexcept {
    std::swap(error_, other.error_);
    return *this;
  }
  ~Boxed() { free(error_); }

  E& operator*() { return *error_; }
  const E& operator*() const { return *error_; }

 private:
  [[gnu::cold, gnu::noinline]] static E* boxed(E error) { return new E(std::move(error)); }
  [[gnu::cold, gnu::noinline]] static void free(E* error) { delete error; }

  E* error_;
};

/// An error of a few bytes, such as an enumerator, stored in place.
template <class E>
class Plain {
 public:
  explicit Plain(E error) : error_(error) {}

  E& operator*() { return error_; }
  const E& operator*() const { return error_; }

 private:
  E error_;
};

template <class E>
using Kept = std::conditional_t<std::is_trivially_copyable_v<E>, Plain<E>, Boxed<E>>;

}  // namespace detail

/// The failure half of a Result: `return Failure{error};`
template <class E>
class Failure {
 public:
  Failure(E error) : kept_(std::move(error)) {}
  explicit Failure(detail::Kept<E> kept) : kept_(std::move(kept)) {}

  E& error() & { return *kept_; }
  E&& error() && { return std::move(*kept_); }
  detail::Kept<E>&& kept() && { return std::move(kept_); }

 private:
  detail::Kept<E> kept_;
};

/// A value or the reason why there is none. Expected failures are returned as Results; an exception is a bug
/// or exhausted memory. Reading the half that is absent is a programming error (std::bad_variant_access).
template <class T, class E>
class [[nodiscard]] Result {
 public:
  using value_type = T;
  using error_type = E;

  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Failure<E> failure) : state_(std::in_place_index<1>, std::move(failure).kept()) {}
  template <class F>
  Result(Failure<F> failure) : state_(std::in_place_index<1>, E(std::move(failure).error())) {}

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

  E& error() & { return *std::get<1>(state_); }
  const E& error() const& { return *std::get<1>(state_); }
  E&& error() && { return std::move(*std::get<1>(state_)); }
  Failure<E> failure() && { return Failure<E>(std::get<1>(std::move(state_))); }

 private:
  std::variant<T, detail::Kept<E>> state_;
};

/// Success without a value, or the reason for failure: `return {};` succeeds.
template <class E>
class [[nodiscard]] Result<void, E> {
 public:
  using value_type = void;
  using error_type = E;

  Result() = default;
  Result(Failure<E> failure) : state_(std::in_place_index<1>, std::move(failure).kept()) {}
  template <class F>
  Result(Failure<F> failure) : state_(std::in_place_index<1>, E(std::move(failure).error())) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  E& error() & { return *std::get<1>(state_); }
  const E& error() const& { return *std::get<1>(state_); }
  E&& error() && { return std::move(*std::get<1>(state_)); }
  Failure<E> failure() && { return Failure<E>(std::get<1>(std::move(state_))); }

 private:
  std::variant<std::monostate, detail::Kept<E>> state_;
};

}  // namespace dinette::base

// [[unlikely]] keeps the success path contiguous.

/// Returns from the enclosing function with the failure of `expression` (a Result), if it failed.
#define DINETTE_CHECK(expression)                                                \
  do {                                                                           \
    if (auto dinette_checked = (expression); !dinette_checked.ok()) [[unlikely]] \
      return std::move(dinette_checked).failure();                               \
  } while (false)

#define DINETTE_CONCAT_(a, b) a##b
#define DINETTE_CONCAT(a, b) DINETTE_CONCAT_(a, b)
#define DINETTE_TRY_(holder, declaration, expression) \
  auto holder = (expression);                         \
  if (!holder.ok()) [[unlikely]]                      \
    return std::move(holder).failure();               \
  declaration = std::move(holder).value()

/// Initializes `declaration` with the value of `expression` (a Result), or returns from the enclosing
/// function with its failure: `DINETTE_TRY(auto table, catalog.open(name));`
#define DINETTE_TRY(declaration, ...) \
  DINETTE_TRY_(DINETTE_CONCAT(dinette_result_, __LINE__), declaration, (__VA_ARGS__))
