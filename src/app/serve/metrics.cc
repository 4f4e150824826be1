#include "app/serve/metrics.h"

#include <chrono>
#include <cstddef>
#include <fstream>
#include <utility>

#include <sys/resource.h>
#include <unistd.h>

#include "dinette/observe/metrics_writer.h"

namespace dinette::app {
namespace {

using observe::MetricsWriter;

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

std::size_t resident_bytes() {
  std::size_t total_pages = 0;
  std::size_t resident_pages = 0;
  std::ifstream("/proc/self/statm") >> total_pages >> resident_pages;
  return resident_pages * static_cast<std::size_t>(::sysconf(_SC_PAGE_SIZE));
}

void write_process(MetricsWriter& text, base::TimePoint start) {
  text.family("dinette_build", MetricsWriter::Type::info, "The program");
  text.sample("_info", {{"version", DINETTE_VERSION}}, std::uint64_t{1});
  const std::chrono::duration<double> since_1970 = start.time_since_epoch();
  text.gauge("process_start_time_seconds", "Start of the program, in seconds since 1970", since_1970.count(),
             "seconds");
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  text.counter("process_cpu_seconds", "CPU time of the program, its own and the system's",
               seconds_of(used.ru_utime) + seconds_of(used.ru_stime), "seconds");
  text.gauge("process_resident_memory_bytes", "Resident memory of the program",
             static_cast<double>(resident_bytes()), "bytes");
}

void write_connections(MetricsWriter& text, const tcp::ConnectionCounts& counts) {
  text.gauge("dinette_connections_open", "Open connections", static_cast<double>(counts.open));
  text.counter("dinette_connections_accepted", "Connections accepted, with those that were refused then",
               static_cast<double>(counts.accepted));
  text.counter("dinette_connections_refused", "Connections refused because there was no room",
               static_cast<double>(counts.refused));
  text.gauge("dinette_connections_held_bytes",
             "Memory of incomplete requests, and of responses that clients have not taken",
             static_cast<double>(counts.held_bytes), "bytes");
}

void write_worlds(MetricsWriter& text, const tenancy::Worlds& worlds) {
  const auto all = worlds.list();
  std::size_t jobs = 0;
  for (const tenancy::ListedWorld& one : all) jobs += one.world->jobs().waiting();
  store::KeptHistory history;
  for (const tenancy::ListedWorld& one : all) {
    const auto kept = one.world->kept_history();
    if (kept) history += *kept;
  }
  text.gauge("dinette_worlds", "Worlds, with the default one", static_cast<double>(all.size()));
  text.gauge("dinette_jobs_waiting", "Jobs in the background that wait for their time or their turn",
             static_cast<double>(jobs));
  text.gauge("dinette_stream_records", "Records of streams: see --stream-retention",
             static_cast<double>(history.stream_records.rows));
  text.gauge("dinette_stream_bytes", "Bytes of the records of streams",
             static_cast<double>(history.stream_records.bytes), "bytes");
  text.gauge("dinette_former_values", "Former values of items, for recovery: see --recovery-window",
             static_cast<double>(history.former_values.rows));
  text.gauge("dinette_former_value_bytes", "Bytes of the former values of items",
             static_cast<double>(history.former_values.bytes), "bytes");
}

void write_engines(MetricsWriter& text, const kv::EngineFigures& figures) {
  text.gauge("dinette_engine_values", "Values in memory, of rows and index entries",
             static_cast<double>(figures.values));
  text.gauge("dinette_engine_value_bytes", "Bytes of the values in memory",
             static_cast<double>(figures.value_bytes), "bytes");
  text.gauge("dinette_engine_nodes", "Nodes of the trees in memory", static_cast<double>(figures.nodes));
  if (!figures.durable) return;
  const auto& durable = *figures.durable;
  text.gauge("dinette_engine_memory_limit_bytes", "Memory for data, beyond which the disk answers",
             static_cast<double>(durable.memory_limit), "bytes");
  text.gauge("dinette_rocksdb_cache_bytes", "Memory that RocksDB's cache takes",
             static_cast<double>(durable.cache_bytes), "bytes");
  text.gauge("dinette_rocksdb_cache_limit_bytes", "Memory that RocksDB's cache may take",
             static_cast<double>(durable.cache_limit), "bytes");
  text.gauge("dinette_rocksdb_unflushed_bytes", "Data that are only in RocksDB's memory and log",
             static_cast<double>(durable.unflushed_bytes), "bytes");
}

}  // namespace

std::string metrics_text(const Measured& measured, observe::MetricsFormat format) {
  MetricsWriter text(format);
  write_process(text, measured.start);
  write_connections(text, measured.server.connections());
  write_worlds(text, measured.worlds);
  write_engines(text, measured.engines.figures());
  measured.faces.write_metrics(text);
  measured.service.write_consumption(text);
  measured.cql.write_figures(text);
  return std::move(text).finish();
}

}  // namespace dinette::app
