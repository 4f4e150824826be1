#include "dinette/dinette.h"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>
#include <string_view>

#include "dinette/embedded.h"

struct dinette_service {
  dinette::Embedded embedded;
};

namespace {

/// Returns a copy for C, or null if memory is exhausted.
char* copy_of(std::string_view text) {
  auto* const copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (!copy) return nullptr;
  std::memcpy(copy, text.data(), text.size());
  copy[text.size()] = '\0';
  return copy;
}

/// Runs `body`; returns `failure` if it throws, which exhausted memory makes it do.
template <class Body, class Value>
Value guarded(Value failure, const Body& body) noexcept try {
  return body();
} catch (const std::exception&) {
  return failure;
}

}  // namespace

dinette_service* dinette_open() {
  return guarded<>(static_cast<dinette_service*>(nullptr), [] { return new dinette_service; });
}

void dinette_close(dinette_service* service) {
  delete service;
}

int dinette_call(dinette_service* service, const char* operation, const char* json, char** reply) {
  if (reply) *reply = nullptr;
  return guarded(0, [&] {
    const dinette::EmbeddedReply answer = service->embedded.call(operation, json);
    if (!reply) return answer.status;
    *reply = copy_of(answer.json);
    return *reply ? answer.status : 0;
  });
}

void dinette_free(char* text) {
  std::free(text);
}

int64_t dinette_now(dinette_service* service) {
  return service->embedded.now().time_since_epoch().count();
}

int dinette_set_time(dinette_service* service, int64_t microseconds_since_1970) {
  const dinette::EmbeddedTime time{std::chrono::microseconds(microseconds_since_1970)};
  return guarded(0, [&] { return service->embedded.set_time(time) ? 1 : 0; });
}

int dinette_advance(dinette_service* service, int64_t microseconds) {
  return guarded(0,
                 [&] { return service->embedded.advance(std::chrono::microseconds(microseconds)) ? 1 : 0; });
}

void dinette_freeze(dinette_service* service, int frozen) {
  guarded(0, [&] { return service->embedded.freeze(frozen != 0), 1; });
}

void dinette_reset(dinette_service* service) {
  guarded(0, [&] { return service->embedded.reset(), 1; });
}

uint16_t dinette_serve(dinette_service* service, uint16_t port, char** error) {
  if (error) *error = nullptr;
  return guarded(uint16_t{0}, [&] {
    const auto served = service->embedded.serve(port);
    if (served) return *served;
    if (error) *error = copy_of(served.error());
    return uint16_t{0};
  });
}

void dinette_stop(dinette_service* service) {
  guarded(0, [&] { return service->embedded.stop(), 1; });
}
