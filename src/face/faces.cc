#include "dinette/face/faces.h"

#include <algorithm>

namespace dinette::face {

Face& Faces::face_of(const http::Request& request) const {
  for (const Route& route : routes_) {
    if (route.owns(request)) return *route.face;
  }
  return *routes_.back().face;
}

void Faces::write_metrics(observe::MetricsWriter& text) const {
  std::vector<const observe::RequestCounters*> services;
  for (const Route& route : routes_) {
    const observe::RequestCounters* const requests = &route.face->requests();
    if (std::ranges::find(services, requests) == services.end()) services.push_back(requests);
  }
  services.insert(services.end(), others_.begin(), others_.end());
  observe::RequestCounters::write(text, services);
}

}  // namespace dinette::face
