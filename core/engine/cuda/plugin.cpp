// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/cuda/plugin.h"

#include "core/base/subprocess.h"
#include "core/base/text.h"
#include "core/base/units.h"

#include <torch/headeronly/version.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <link.h>

namespace roadtune::engine::cuda {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPluginName = "libroadtune_cuda.so";
constexpr int kOldestDriver = 13000;  // CUDA 13.0, driver 580
constexpr std::uint64_t kLeastMemory = 1ull << 30;

struct Active {
  const PluginTable* plugin = nullptr;
  int device = 0;
};

Active& active() {
  static Active slot;
  return slot;
}

int rememberTorch(dl_phdr_info* info, std::size_t, void* into) {
  const fs::path path = info->dlpi_name ? info->dlpi_name : "";
  if (path.filename() != "libtorch_cpu.so") return 0;
  *static_cast<fs::path*>(into) = path.parent_path();
  return 1;
}

// Folder of the torch that is already part of this process.
fs::path torchFolder() {
  fs::path folder;
  dl_iterate_phdr(rememberTorch, &folder);
  return folder;
}

// Its symbols join those of libtorch_cpu: both halves share types and registries.
Status openLibrary(const fs::path& file) {
  if (dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL)) return {};
  const char* why = dlerror();
  return missing(std::string("cannot be loaded: ") + (why ? why : "no reason given"), file.string());
}

Status sameRelease(const PluginTable& table, const fs::path& file) {
  const std::string hint = "build or install the trainer and the plugin together";
  if (table.api != kPluginApi || table.bytes != sizeof(PluginTable))
    return missing("the GPU plugin speaks version " + std::to_string(table.api) + " of the interface, this program " +
                       std::to_string(kPluginApi),
                   file.string(), hint);
  if (std::strcmp(table.version, ROADTUNE_VERSION) != 0)
    return missing(
        std::string("the GPU plugin is of release ") + table.version + ", this program of " + ROADTUNE_VERSION,
        file.string(), hint);
  if (std::strcmp(table.torch, TORCH_VERSION) != 0)
    return missing(
        std::string("the GPU plugin was built with torch ") + table.torch + ", this program with " + TORCH_VERSION,
        file.string(), hint);
  return {};
}

std::string versionText(int number) { return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10); }

Status suitableDevice(const PluginTable& plugin, int index) {
  const auto where = "cuda:" + std::to_string(index);
  const int driver = plugin.driverVersion();
  if (driver < kOldestDriver)
    return missing("the driver runs CUDA up to " + versionText(driver) + ", 13.0 is needed", where,
                   "install driver 580 or newer, or use device: cpu");
  std::array<char, 512> words{};
  const int count = plugin.deviceCount(words.data(), words.size());
  if (count < 0)
    return missing(std::string("the driver does not answer: ") + words.data(), where, "look at nvidia-smi");
  if (index >= count)
    return missing("there are " + std::to_string(count) + " GPUs here, numbered from 0", where,
                   "look at CUDA_VISIBLE_DEVICES, or start fewer ranks");
  DeviceFacts facts{};
  if (!plugin.describe(index, facts, words.data(), words.size()))
    return missing(std::string("the GPU does not answer: ") + words.data(), where, "look at nvidia-smi");
  if (!suits(plugin.architectures, facts.major, facts.minor))
    return missing(std::string(facts.name) + " has compute capability " + std::to_string(facts.major) + "." +
                       std::to_string(facts.minor) + ", this build serves " + plugin.architectures,
                   where, "use a GPU of the Ampere generation or newer, or device: cpu");
  if (facts.freeBytes < kLeastMemory)
    return missing(std::string(facts.name) + " has " + formatBytes(facts.freeBytes) + " of " +
                       formatBytes(facts.totalBytes) + " free",
                   where, "end what uses it (nvidia-smi lists processes), or choose another GPU");
  return {};
}

}  // namespace

bool driverInstalled() {
  static const bool there = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL) != nullptr;
  return there;
}

Result<fs::path> findPlugin() {
  const char* asked = std::getenv("ROADTUNE_CUDA_PLUGIN");
  if (asked && *asked) return fs::path(asked);
  const auto folder = programFolder();
  std::error_code code;
  for (const auto& candidate : {folder.parent_path() / "lib" / "roadtune", folder.parent_path() / "lib", folder})
    if (fs::exists(candidate / kPluginName, code)) return candidate / kPluginName;
  return missing(std::string(kPluginName) + " is not beside this program", folder.string(),
                 "build where a CUDA compiler is, or use device: cpu");
}

Result<const PluginTable*> openPlugin(const fs::path& file) {
  std::error_code code;
  if (!fs::exists(file, code)) return missing("there is no such file", file.string(), "ROADTUNE_CUDA_PLUGIN names it");
  const auto torch = torchFolder();
  if (!fs::exists(torch / "libtorch_cuda.so", code))
    return missing("the torch in use has no GPU half (libtorch_cuda.so)", torch.string(),
                   std::string("install torch ") + TORCH_VERSION + " for CUDA 13, or the package roadtune-studio-gpu");
  for (const char* name : {"libc10_cuda.so", "libtorch_cuda.so"}) ROADTUNE_CHECK(openLibrary(torch / name));
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) return missing(std::string("the GPU plugin cannot be loaded: ") + dlerror(), file.string());
  const auto entry = reinterpret_cast<PluginEntry>(dlsym(library, kPluginEntry));
  if (!entry) return missing("this is no GPU plugin of Roadtune", file.string());
  const auto* table = entry();
  ROADTUNE_CHECK(sameRelease(*table, file));
  return table;
}

bool suits(const std::string& architectures, int major, int minor) {
  const int capability = major * 10 + minor;
  for (const auto& word : split(architectures, ' ')) {
    const int built = std::atoi(word.c_str());
    const bool intermediate = endsWith(word, "+PTX");
    if (intermediate ? capability >= built : built / 10 == major && capability >= built) return true;
  }
  return false;
}

Result<const PluginTable*> startDevice(int index) {
  if (active().plugin) return active().plugin;
  if (!driverInstalled())
    return missing("there is no NVIDIA driver here (libcuda.so.1)", "cuda:" + std::to_string(index),
                   "install one, or use device: cpu");
  ROADTUNE_TRY(const auto file, findPlugin());
  // Batches differ in length from step to step; whoever knows better says so in the environment.
  if (!std::getenv("PYTORCH_CUDA_ALLOC_CONF")) ::setenv("PYTORCH_ALLOC_CONF", "expandable_segments:True", 0);
  ROADTUNE_TRY(const auto* plugin, openPlugin(file));
  ROADTUNE_CHECK(suitableDevice(*plugin, index));
  std::array<char, 512> words{};
  if (!plugin->start(index, words.data(), words.size()))
    return missing(std::string("the GPU cannot be used: ") + words.data(), "cuda:" + std::to_string(index),
                   "look at nvidia-smi and dmesg, or try PYTORCH_ALLOC_CONF=expandable_segments:False");
  active() = {plugin, index};
  return plugin;
}

const PluginTable* activePlugin() { return active().plugin; }

int activeIndex() { return active().device; }

}  // namespace roadtune::engine::cuda
