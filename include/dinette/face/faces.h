#pragma once

#include <utility>
#include <vector>

#include "dinette/face/face.h"
#include "dinette/observe/metrics_writer.h"

namespace dinette::face {

/// Which requests are a face's.
struct Route {
  bool (*owns)(const http::Request& request);
  Face* face;  ///< outlives the routes
};

/// Returns true for all requests: for the last route.
inline bool owns_all(const http::Request&) {
  return true;
}

/// The faces at one port. A request is answered by the face of the first route that owns it. Thread-safe.
class Faces {
 public:
  /// The last route must own all requests. `others`: the counters of what is served at other ports, by
  /// another protocol; they must outlive the object.
  explicit Faces(std::vector<Route> routes, std::vector<const observe::RequestCounters*> others = {})
      : routes_(std::move(routes)), others_(std::move(others)) {}

  void handle(const http::Request& request, http::Response& response) const {
    face_of(request).handle(request, response);
  }
  void refuse(const http::Request& request, http::Response& response) const {
    face_of(request).refuse(request, response);
  }

  /// Writes the requests of all faces, each of which is a label.
  void write_metrics(observe::MetricsWriter& text) const;

 private:
  Face& face_of(const http::Request& request) const;

  const std::vector<Route> routes_;
  const std::vector<const observe::RequestCounters*> others_;
};

}  // namespace dinette::face
