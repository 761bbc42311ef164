// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/doctor_here.h"

#include "core/base/exit_code.h"
#include "core/base/files.h"
#include "core/base/host_name.h"
#include "core/base/json_text.h"
#include "core/base/subprocess.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "remote/agent/nvml.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <gnu/libc-version.h>
#include <sys/utsname.h>
#include <thread>
#include <unistd.h>

namespace roadtune::cli {

namespace {

using nlohmann::json;

// "MemTotal:  16303428 kB" -> bytes
double meminfo(const std::string& text, const std::string& key) {
  const std::size_t at = text.find(key + ":");
  return at == std::string::npos ? 0 : 1024 * std::strtod(text.c_str() + at + key.size() + 1, nullptr);
}

json processor() {
  json result = {{"threads", std::thread::hardware_concurrency()}, {"model", nullptr}, {"features", json::array()}};
  const Result<std::string> info = readFile("/proc/cpuinfo");
  if (!info.ok()) return result;
  for (const std::string& line : split(info.value(), '\n')) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    const std::string key(trim(std::string_view(line).substr(0, colon)));
    if (key == "model name") result["model"] = std::string(trim(std::string_view(line).substr(colon + 1)));
    if (key != "flags") continue;
    const auto flags = split(std::string_view(line).substr(colon + 1), ' ');
    for (const char* wanted : {"sse4_2", "avx2", "fma", "avx512f", "avx512_bf16", "amx_bf16"})
      if (std::find(flags.begin(), flags.end(), wanted) != flags.end()) result["features"].push_back(wanted);
    break;
  }
  return result;
}

json memory() {
  const Result<std::string> info = readFile("/proc/meminfo");
  if (!info.ok()) return nullptr;
  return {{"total", meminfo(info.value(), "MemTotal")}, {"available", meminfo(info.value(), "MemAvailable")}};
}

json disk(const fs::path& path) {
  std::error_code code;
  const fs::space_info space = fs::space(path, code);
  if (code) return nullptr;
  return {
      {"path", fs::absolute(path).lexically_normal().string()}, {"total", space.capacity}, {"free", space.available}};
}

// "__version__ = '2.11.0+cu130'" in the wheel's version.py, beside its lib folder.
std::string torchVersion(const fs::path& library) {
  const Result<std::string> text = readFile(library.parent_path().parent_path() / "version.py");
  if (!text.ok()) return {};
  const std::size_t at = text.value().find("__version__ = '");
  if (at == std::string::npos) return {};
  const std::size_t begin = at + 15;
  return text.value().substr(begin, text.value().find('\'', begin) - begin);
}

// What the loader would load for the trainer, asked of the loader itself; the trainer does not run.
json trainer() {
  json result = {
      {"path", nullptr}, {"starts", false}, {"torch", nullptr}, {"torch_version", nullptr}, {"missing", json::array()}};
  const auto program = siblingProgram("roadtune-train");
  if (!program.ok()) return result;
  result["path"] = program.value().string();
  SpawnOptions options;
  options.command = {program.value().string()};
  options.environment = {{"LD_TRACE_LOADED_OBJECTS", "1"}};
  const auto listed = runCommand(options, 20);
  if (!listed.ok()) return result;
  for (const std::string& line : split(listed.value().out, '\n')) {
    const std::string_view entry = trim(line);
    const std::size_t arrow = entry.find(" => ");
    if (arrow == std::string_view::npos) continue;
    const std::string name(entry.substr(0, arrow));
    const std::string found(entry.substr(arrow + 4, entry.find(" (", arrow) - arrow - 4));
    if (found == "not found") result["missing"].push_back(name);
    if (name != "libtorch_cpu.so" || found == "not found") continue;
    result["torch"] = found;
    if (const std::string version = torchVersion(found); !version.empty()) result["torch_version"] = version;
  }
  result["starts"] = result["missing"].empty() && !result["torch"].is_null();
  return result;
}

json gpus() {
  json result = {{"driver", nullptr}, {"cuda", nullptr}, {"cards", json::array()}};
  const auto nvml = remote::Nvml::open();
  if (!nvml) return result;
  result["driver"] = nvml->driverVersion();
  result["cuda"] = nvml->cudaVersion();
  for (std::size_t i = 0; i < nvml->gpus().size(); ++i) {
    const auto& card = nvml->gpus()[i];
    const auto sample = nvml->sample(i);
    json one = {{"index", card.index},
                {"name", card.name},
                {"memory", card.memory},
                {"memory_used", nullptr},
                {"processes", nullptr}};
    if (sample.memoryUsed) one["memory_used"] = *sample.memoryUsed;
    if (const auto processes = nvml->computeProcesses(i)) one["processes"] = *processes;
    result["cards"].push_back(std::move(one));
  }
  return result;
}

json system() {
  utsname names{};
  ::uname(&names);
  std::string distribution;
  if (const auto text = readFile("/etc/os-release"); text.ok()) {
    for (const std::string& line : split(text.value(), '\n'))
      if (startsWith(line, "PRETTY_NAME=")) distribution = line.substr(12);
    std::erase(distribution, '"');
  }
  return {{"host", hostName()}, {"os", distribution}, {"kernel", names.release}, {"glibc", ::gnu_get_libc_version()}};
}

std::string textOf(const json& value, const char* otherwise) {
  return value.is_string() ? value.get<std::string>() : otherwise;
}

void print(const json& report) {
  const json& system = report["system"];
  fmt::print("{}: {}, kernel {}, glibc {}\n", textOf(system["host"], ""), textOf(system["os"], "Linux"),
             textOf(system["kernel"], ""), textOf(system["glibc"], ""));
  std::vector<std::string> features;
  for (const auto& one : report["cpu"]["features"]) features.push_back(one);
  fmt::print("  processor  {} threads, {} ({})\n", report["cpu"]["threads"].get<int>(),
             textOf(report["cpu"]["model"], "unknown"), join(features, " "));
  if (report["memory"].is_object())
    fmt::print("  memory     {} of {} available\n", formatBytes(report["memory"]["available"]),
               formatBytes(report["memory"]["total"]));
  if (report["disk"].is_object())
    fmt::print("  disk       {} free at {}\n", formatBytes(report["disk"]["free"]), textOf(report["disk"]["path"], ""));
  const json& trainer = report["trainer"];
  fmt::print("  trainer    {}\n", textOf(trainer["path"], "not built"));
  fmt::print("  torch      {} {}\n", textOf(trainer["torch_version"], ""),
             textOf(trainer["torch"], "not found (try: ./dev setup)"));
  for (const auto& name : trainer["missing"]) fmt::print("  missing    {}\n", name.get<std::string>());
  if (report["gpu"]["driver"].is_null())
    fmt::print("  driver     none: training runs on the processor\n");
  else
    fmt::print("  driver     {} (CUDA {})\n", textOf(report["gpu"]["driver"], ""), textOf(report["gpu"]["cuda"], ""));
  for (const auto& card : report["gpu"]["cards"])
    fmt::print("  gpu {}      {}, {}{}\n", card["index"].get<int>(), textOf(card["name"], ""),
               formatBytes(card["memory"]),
               card["processes"].is_number() && card["processes"] > 0
                   ? fmt::format(", {} processes compute on it", card["processes"].get<int>())
                   : "");
}

}  // namespace

Result<int> doctorHere(bool asJson) {
  const json report = {
      {"version", ROADTUNE_VERSION},      {"system", system()},   {"cpu", processor()}, {"memory", memory()},
      {"disk", disk(fs::current_path())}, {"trainer", trainer()}, {"gpu", gpus()}};
  if (asJson)
    fmt::print("{}\n", jsonText(report));
  else
    print(report);
  return report["trainer"]["starts"].get<bool>() ? kExitDone : kExitMissing;
}

}  // namespace roadtune::cli
