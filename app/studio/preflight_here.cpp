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

QString say(const char* text) { return QCoreApplication::translate("Preflight", text); }

// Starts a program of ours and takes the first line it prints.
Check programCheck(const QString& title, const std::string& name) {
  const auto path = siblingProgram(name);
  if (!path.ok()) return {Verdict::Bad, title, say("not found"), QString::fromStdString(path.error().hint.empty() ? "install " + name + " beside this program" : path.error().hint)};
  SpawnOptions options;
  options.command = {path.value().string(), "--version"};
  const auto answer = runCommand(options, 20);
  if (!answer.ok() || !answer.value().status.ok()) {
    const QString why = QString::fromStdString(answer.ok() ? answer.value().err : answer.error().text()).section(QLatin1Char('\n'), 0, 0);
    return {Verdict::Bad, title, say("does not start: %1").arg(why), say("run `%1 --version` in a terminal to see why").arg(QString::fromStdString(name))};
  }
  return {Verdict::Good, title, QString::fromStdString(answer.value().out).trimmed().section(QLatin1Char('\n'), 0, 0), {}};
}

Check folderCheck(const QString& folder) {
  const QFileInfo info(folder);
  if (!info.isWritable()) return {Verdict::Bad, say("Folder for runs"), say("%1 cannot be written").arg(folder), say("choose another output_dir, or change its permissions")};
  return {Verdict::Good, say("Folder for runs"), folder, {}};
}

Check diskCheck(const QString& folder) {
  const auto free = static_cast<std::uint64_t>(std::max<qint64>(0, QStorageInfo(folder).bytesAvailable()));
  const QString found = say("%1 free").arg(QString::fromStdString(formatBytes(double(free))));
  if (free < kLittleDisk) return {Verdict::Warning, say("Disk"), found, say("checkpoints of large models may not fit; free some space or use save_total_limit")};
  return {Verdict::Good, say("Disk"), found, {}};
}

Check gpuCheck(const remote::Nvml* nvml) {
  if (!nvml) return {Verdict::Warning, say("Graphics card"), say("none"), say("runs train on the processor; fine for small models")};
  QStringList names;
  for (const remote::GpuInfo& gpu : nvml->gpus()) names << QString::fromStdString(gpu.name);
  names.removeDuplicates();
  return {Verdict::Good, say("Graphics card"), QStringLiteral("%1 × %2").arg(nvml->gpus().size()).arg(names.join(QStringLiteral(", "))), {}};
}

Check filesCheck() {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  const QString found = QString::fromStdString(formatCount(static_cast<std::int64_t>(limit.rlim_cur)));
  if (limit.rlim_cur < kFewFiles) return {Verdict::Warning, say("Open files allowed"), found, say("raise it with `ulimit -n 4096` for large data sets")};
  return {Verdict::Good, say("Open files allowed"), found, {}};
}

}  // namespace

widgets::PreflightChecks checkThisMachine(const QString& runsFolder) {
  QString folder = runsFolder;
  while (!folder.isEmpty() && !QFileInfo::exists(folder)) folder = folder.section(QLatin1Char('/'), 0, -2);
  const auto nvml = remote::Nvml::open();
  return std::make_shared<const std::vector<Check>>(std::vector<Check>{programCheck(say("Command line"), "roadtune"), programCheck(say("Trainer"), "roadtune-train"),
                                                                       programCheck(say("Agent"), "roadtune-agent"), gpuCheck(nvml.get()), folderCheck(folder),
                                                                       diskCheck(folder), filesCheck()});
}

}  // namespace roadtune::studio
