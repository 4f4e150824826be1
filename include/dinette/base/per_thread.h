#pragma once

#include <memory>
#include <new>

#include <pthread.h>

namespace dinette::base {

namespace detail {

template <class T, class Tag>
T* make_per_thread() {
  static const pthread_key_t key = [] {
    pthread_key_t made;
    if (pthread_key_create(&made, [](void* object) { delete static_cast<T*>(object); }) != 0)
      throw std::bad_alloc();
    return made;
  }();
  auto object = std::make_unique<T>();
  if (pthread_setspecific(key, object.get()) != 0) throw std::bad_alloc();
  return object.release();
}

}  // namespace detail

/// Returns this thread's `T` named `Tag`, created on first use and destroyed with the thread. Throws
/// std::bad_alloc if it cannot be created. A thread_local object with a destructor costs the same, but ends
/// the process if there is no memory to register the destructor.
template <class T, class Tag = T>
T& per_thread() {
  thread_local T* object = nullptr;
  if (object == nullptr) [[unlikely]]
    object = detail::make_per_thread<T, Tag>();
  return *object;
}

}  // namespace dinette::base
