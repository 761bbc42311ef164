// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/transfer/torch_here.h"

#include "core/base/files.h"
#include "core/base/subprocess.h"
#include "core/base/text.h"
#include "remote/transfer/loader_list.h"

#include <algorithm>
#include <map>

namespace roadtune::remote {

namespace {

// What the libraries open by name while they run; it lies beside a library that the loader finds.
constexpr const char* kOpenedLater[] = {"libcudnn_", "libnvrtc.so",        "libnvrtc-builtins.so",
                                        "nvshmem_",  "libcaffe2_nvrtc.so", "libtorch_cuda_linalg.so"};

using Files = std::map<std::string, fs::path>;  // by target

// "torch/lib/libc10.so" of "/usr/lib/roadtune/torch/lib/libc10.so"; empty for libraries of the system.
std::string targetOf(const fs::path& library) {
  const std::string path = library.string();
  for (const char* folder : {"/torch/lib/", "/nvidia/"})
    if (const auto at = path.rfind(folder); at != std::string::npos) return path.substr(at + 1);
  return {};
}

// False where a part of torch is not found.
Result<bool> addLibraries(const fs::path& file, Files& files) {
  ROADTUNE_TRY(const auto libraries, linkedLibraries(file));
  for (const auto& one : libraries) {
    if (one.path.empty() && !startsWith(one.name, "libcuda.so")) return false;  // that one belongs to the driver
    if (std::string target = targetOf(one.path); !target.empty()) files.emplace(std::move(target), one.path);
  }
  return true;
}

std::vector<fs::path> openedLater(const Files& files) {
  std::vector<fs::path> folders, found;
  for (const auto& [target, path] : files) folders.push_back(path.parent_path());
  std::sort(folders.begin(), folders.end());
  folders.erase(std::unique(folders.begin(), folders.end()), folders.end());
  for (const auto& folder : folders) {
    std::error_code code;
    for (const auto& entry : fs::directory_iterator(folder, code)) {
      const std::string name = entry.path().filename().string();
      const auto named = [&name](const char* begin) { return startsWith(name, begin); };
      if (name.find(".so") != std::string::npos && std::any_of(std::begin(kOpenedLater), std::end(kOpenedLater), named))
        found.push_back(entry.path());
    }
  }
  return found;
}

Result<bool> addCards(Files& files) {
  const fs::path plugin = pluginHere();
  if (plugin.empty()) return false;
  Files all = files;
  ROADTUNE_TRY(const bool whole, addLibraries(plugin, all));
  if (!whole) return false;
  for (const auto& file : openedLater(all)) {
    all.emplace(targetOf(file), file);
    // One that misses something, such as a transport over a network that is not here, is missed by nobody.
    [[maybe_unused]] const auto added = addLibraries(file, all);
  }
  files = std::move(all);
  return true;
}

}  // namespace

std::uint64_t TorchParts::bytes() const {
  std::uint64_t sum = 0;
  for (const auto& file : files) sum += file.bytes;
  return sum;
}

fs::path pluginHere() {
  const auto trainer = siblingProgram("roadtune-train");
  if (!trainer.ok()) return {};
  const fs::path plugin = trainer.value().parent_path().parent_path() / "lib/roadtune/libroadtune_cuda.so";
  std::error_code code;
  return fs::exists(plugin, code) ? plugin : fs::path();
}

Result<TorchParts> torchHere(bool cards) {
  ROADTUNE_TRY(const fs::path trainer, siblingProgram("roadtune-train"));
  Files files;
  ROADTUNE_TRY(const bool whole, addLibraries(trainer, files));
  const auto first = files.find("torch/lib/libtorch_cpu.so");
  if (!whole || first == files.end()) return missing("libraries of torch are missing here", trainer.string());
  TorchParts parts;
  ROADTUNE_TRY(parts.version, readFile(first->second.parent_path().parent_path() / "version.py"));
  if (parts.version.find(kTorchVersion) == std::string::npos)
    return missing(std::string("torch here is not ") + kTorchVersion, first->second.parent_path().string());
  if (cards) {
    ROADTUNE_TRY(parts.cards, addCards(files));
  }
  for (const auto& [target, path] : files) {
    std::error_code code;
    const auto bytes = fs::file_size(path, code);
    if (code) return missing("cannot be read: " + code.message(), path.string());
    parts.files.push_back({path, target, bytes});
  }
  std::stable_partition(parts.files.begin(), parts.files.end(),
                        [](const auto& file) { return !file.target.ends_with("/libtorch_cuda.so"); });
  return parts;
}

}  // namespace roadtune::remote
