// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/preflight_here.h"

#include "core/base/subprocess.h"
#include "core/base/units.h"
#include "remote/agent/nvml.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QStorageInfo>

#include <sys/resource.h>

namespace roadtune::studio {
namespace {

using Check = widgets::PreflightCheck;
using Verdict = Check::Verdict;

constexpr std::uint64_t kLittleDisk = 20'000'000'000;  // a checkpoint of a 3B model with optimizer state is larger
constexpr rlim_t kFewFiles = 1024;

QString word(const char* text) { return QCoreApplication::translate("Preflight", text); }

// Starts a program of ours and takes the first line it prints.
Check programCheck(const QString& title, const std::string& name) {
  const auto path = siblingProgram(name);
  if (!path.ok()) return {Verdict::Bad, title, word("not found"), QString::fromStdString(path.error().hint.empty() ? "install " + name + " beside this program" : path.error().hint)};
  SpawnOptions options;
  options.command = {path.value().string(), "--version"};
  const auto answer = runCommand(options, 20);
  if (!answer.ok() || !answer.value().status.ok()) {
    const QString why = QString::fromStdString(answer.ok() ? answer.value().err : answer.error().text()).section(QLatin1Char('\n'), 0, 0);
    return {Verdict::Bad, title, word("does not start: %1").arg(why), word("run `%1 --version` in a terminal to see why").arg(QString::fromStdString(name))};
  }
  return {Verdict::Good, title, QString::fromStdString(answer.value().out).trimmed().section(QLatin1Char('\n'), 0, 0), {}};
}

Check folderCheck(const QString& folder) {
  const QFileInfo info(folder);
  if (!info.isWritable()) return {Verdict::Bad, word("Folder for runs"), word("%1 cannot be written").arg(folder), word("choose another output_dir, or change its permissions")};
  return {Verdict::Good, word("Folder for runs"), folder, {}};
}

Check diskCheck(const QString& folder) {
  const auto free = static_cast<std::uint64_t>(std::max<qint64>(0, QStorageInfo(folder).bytesAvailable()));
  const QString found = word("%1 free").arg(QString::fromStdString(formatBytes(double(free))));
  if (free < kLittleDisk) return {Verdict::Warning, word("Disk"), found, word("checkpoints of large models may not fit; free some space or use save_total_limit")};
  return {Verdict::Good, word("Disk"), found, {}};
}

Check gpuCheck(const remote::Nvml* nvml) {
  if (!nvml) return {Verdict::Warning, word("Graphics card"), word("none"), word("runs train on the processor; fine for small models")};
  QStringList names;
  for (const remote::GpuInfo& gpu : nvml->gpus()) names << QString::fromStdString(gpu.name);
  names.removeDuplicates();
  return {Verdict::Good, word("Graphics card"), QStringLiteral("%1 × %2").arg(nvml->gpus().size()).arg(names.join(QStringLiteral(", "))), {}};
}

Check filesCheck() {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  const QString found = QString::fromStdString(formatCount(static_cast<std::int64_t>(limit.rlim_cur)));
  if (limit.rlim_cur < kFewFiles) return {Verdict::Warning, word("Open files allowed"), found, word("raise it with `ulimit -n 4096` for large data sets")};
  return {Verdict::Good, word("Open files allowed"), found, {}};
}

QString existingFolder(QString folder) {
  while (!folder.isEmpty() && !QFileInfo::exists(folder)) folder = folder.section(QLatin1Char('/'), 0, -2);
  return folder.isEmpty() ? QStringLiteral("/") : folder;
}

std::vector<Check> quickChecks(const QString& runsFolder) {
  const auto nvml = remote::Nvml::open();
  const QString folder = existingFolder(runsFolder);
  return {gpuCheck(nvml.get()), folderCheck(folder), diskCheck(folder), filesCheck()};
}

}  // namespace

widgets::PreflightChecks glanceAtThisMachine(const QString& runsFolder) { return std::make_shared<const std::vector<Check>>(quickChecks(runsFolder)); }

widgets::PreflightChecks checkThisMachine(const QString& runsFolder) {
  std::vector<Check> checks = quickChecks(runsFolder);
  checks.push_back(programCheck(word("Command line"), "roadtune"));
  checks.push_back(programCheck(word("Agent"), "roadtune-agent"));
  checks.push_back(programCheck(word("Trainer"), "roadtune-train"));
  return std::make_shared<const std::vector<Check>>(std::move(checks));
}

}  // namespace roadtune::studio
