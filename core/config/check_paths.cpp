// SPDX-License-Identifier: GPL-3.0-or-later
// The only part of the checks that looks at the disk.
#include "core/base/files.h"
#include "core/base/url.h"
#include "core/config/resolve.h"
#include "core/config/run_files.h"
#include "core/config/scalars.h"

#include <fmt/format.h>

#include <unistd.h>

namespace roadtune::config {
namespace {

// The one of the most steps; empty when there is none.
fs::path lastCheckpoint(const fs::path& folder) {
  std::pair<std::int64_t, fs::path> last{-1, {}};
  std::error_code code;
  for (fs::directory_iterator at(folder, code), end; !code && at != end; at.increment(code)) {
    const std::string name = at->path().filename().string();
    if (name.rfind("checkpoint-", 0) != 0) continue;
    if (const auto step = parseInteger(name.substr(name.find('-') + 1)); step && *step > last.first)
      last = {*step, at->path()};
  }
  return last.second;
}

class PathChecks {
 public:
  explicit PathChecks(const RunConfig& run) : m_run(run) {}

  void model() {
    const fs::path folder = m_run.text("model_name_or_path");
    if (folder.empty()) return;
    std::error_code ignored;
    if (!fs::exists(folder, ignored)) {
      report("model_name_or_path", "no such folder: " + folder.string(),
             "download the model first, and name its folder");
    } else if (!fs::is_directory(folder, ignored)) {
      report("model_name_or_path", "not a folder: " + folder.string(), "name the folder that holds config.json");
    } else if (!fs::exists(folder / "config.json", ignored)) {
      const fs::path inside = lastCheckpoint(folder);
      report("model_name_or_path", "no config.json in " + folder.string(),
             inside.empty() ? "name a folder in the Hugging Face layout" : inside.string());
    }
  }

  // Of a run that goes on, its own checkpoint counts.
  void adapter() {
    const fs::path folder = m_run.startAdapter();
    const bool latest = m_run.has("resume_from_checkpoint");
    if (folder.empty() || (latest && !lastCheckpoint(m_run.text("output_dir")).empty())) return;
    std::error_code ignored;
    const auto wrong = [&](const std::string& message, const std::string& hint) {
      report("adapter_name_or_path", message, hint);
    };
    if (!fs::exists(folder, ignored))
      return wrong("no such folder: " + folder.string(), "name the folder that holds adapter_config.json");
    if (!fs::exists(folder / "adapter_config.json", ignored)) {
      const fs::path inside = lastCheckpoint(folder);
      return wrong("no adapter_config.json in " + folder.string(),
                   inside.empty() ? "name a folder as peft or a run writes it" : inside.string());
    }
    if (!fs::exists(folder / "adapter_model.safetensors", ignored))
      wrong("no adapter_model.safetensors in " + folder.string(), fs::exists(folder / "adapter_model.bin", ignored)
                                                                      ? "save it again with safe_serialization"
                                                                      : "name a whole adapter");
  }

  void present(const char* key, const std::string& path) {
    std::error_code ignored;
    if (isUrl(path)) return;  // looked at when it is fetched
    if (!path.empty() && !fs::exists(path, ignored)) report(key, "no such file or folder: " + path, "check the path");
  }

  void tokenizer() {
    const fs::path folder = m_run.text("tokenizer_name_or_path");
    std::error_code ignored;
    present("tokenizer_name_or_path", folder.string());
    if (folder.empty() || isUrl(folder.string()) || !fs::exists(folder, ignored)) return;
    if (!fs::exists(folder / "tokenizer.json", ignored) && !fs::exists(folder / "tokenizer.model", ignored))
      report("tokenizer_name_or_path", "neither tokenizer.json nor tokenizer.model in " + folder.string(),
             "name a folder with one of them, or leave it out for the model's own");
  }

  void sources(const char* key) {
    for (const auto& source : m_run.sources(key)) {
      present(key, source.path);
      present(key, source.images);
    }
  }

  // The nearest ancestor that exists must take new folders.
  void output() {
    fs::path at = m_run.text("output_dir");
    if (at.empty()) return;
    std::error_code ignored;
    if (fs::exists(at, ignored) && !fs::is_directory(at, ignored))
      return report("output_dir", "not a folder: " + at.string(), "choose another folder");
    while (!at.empty() && !fs::exists(at, ignored) && at.has_parent_path() && at != at.parent_path())
      at = at.parent_path();
    if (!fs::is_directory(at, ignored))
      return report("output_dir", "not a folder: " + at.string(), "choose another folder");
    if (::access(at.c_str(), W_OK | X_OK) != 0)
      report("output_dir", "cannot write in " + at.string(), "choose a folder of your own");
  }

  void overwriting() {
    if (!m_run.flag("overwrite_output_dir") || m_run.text("output_dir").empty()) return;
    for (const char* key : {"model_name_or_path", "tokenizer_name_or_path"}) keeps(key, m_run.text(key));
    keeps("adapter_name_or_path", m_run.startAdapter());
    for (const char* key : {"train_data", "eval_data"})
      for (const auto& source : m_run.sources(key))
        for (const auto& path : {source.path, source.images}) keeps(key, path);
    if (!m_run.has("resume_from_checkpoint")) return;
    const fs::path from = m_run.text("resume_from_checkpoint"), into = whole(m_run.text("output_dir"));
    if (from.filename() == "latest" ? lastCheckpoint(into).empty() : whole(from).parent_path() != into) return;
    report("overwrite_output_dir", "would delete the checkpoint to go on from",
           "roadtune resume on that folder, or another output_dir");
  }

  std::vector<Problem> take() { return std::move(m_problems); }

 private:
  static fs::path whole(const fs::path& path) {
    std::error_code code;
    const fs::path real = fs::weakly_canonical(path, code);
    return ((code ? fs::absolute(path) : real) / "").lexically_normal().parent_path();
  }

  // What is read must not be part of the run that is removed first.
  void keeps(const char* key, const fs::path& path) {
    if (path.empty() || isUrl(path.string())) return;
    const fs::path inside = whole(path).lexically_relative(whole(m_run.text("output_dir")));
    if (!inside.empty() && isRunFile(inside.begin()->string()))
      report("overwrite_output_dir", fmt::format("would delete what {} names: {}", key, path.string()),
             "another output_dir, or put it elsewhere first");
  }

  void report(const std::string& key, std::string message, std::string hint) {
    const Origin origin = m_run.origin(key);
    m_problems.push_back({origin.line, origin.column, key, std::move(message), std::move(hint), origin.where});
  }

  const RunConfig& m_run;
  std::vector<Problem> m_problems;
};

}  // namespace

std::vector<Problem> checkPaths(const RunConfig& config) {
  PathChecks checks(config);
  checks.model();
  checks.adapter();
  checks.tokenizer();
  checks.sources("train_data");
  checks.sources("eval_data");
  checks.present("fleet", config.text("fleet"));
  if (config.text("resume_from_checkpoint") != "latest")
    checks.present("resume_from_checkpoint", config.text("resume_from_checkpoint"));
  checks.output();
  checks.overwriting();
  return checks.take();
}

std::vector<Problem> checkOverwriting(const RunConfig& config) {
  PathChecks checks(config);
  checks.overwriting();
  return checks.take();
}

}  // namespace roadtune::config
