// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/host_sample.h"

#include <QStringList>

#include <algorithm>
#include <map>

namespace roadtune::studio {
namespace {

constexpr std::uint64_t kKilo = 1024;

double numberIn(const QStringList& words, qsizetype at) { return words.value(at).toDouble(); }
std::uint64_t countIn(const QStringList& words, qsizetype at) { return words.value(at).toULongLong(); }

double rate(std::uint64_t now, std::uint64_t before, double seconds) {
  return seconds > 0 && now >= before ? double(now - before) / seconds : 0;
}

std::optional<double> toldNumber(const QString& text) {
  bool ok = false;
  const double value = text.trimmed().toDouble(&ok);  // "[N/A]" is not a number
  return ok ? std::optional(value) : std::nullopt;
}

using CardNumbers = std::map<QString, int>;  // by the name that the driver gives each card of the world

// "0, NVIDIA H200, 37, 1024, 143771, 121.5, 40, GPU-1a2b": index, name, %, MiB, MiB, W, degrees, the card's own name.
void takeGpu(const QString& line, widgets::MachineReading& reading, CardNumbers& cards) {
  const QStringList cells = line.split(QLatin1Char(','));
  if (cells.size() < 7) return;
  const auto mebibytes = [&](qsizetype at) { return static_cast<std::uint64_t>(cells[at].toDouble()) * kKilo * kKilo; };
  widgets::GpuReading gpu;
  gpu.index = cells[0].toInt();
  gpu.name = cells[1].trimmed();
  gpu.utilization = toldNumber(cells[2]);
  gpu.memoryUsed = mebibytes(3);
  gpu.memoryTotal = mebibytes(4);
  gpu.powerWatts = toldNumber(cells[5]);
  gpu.temperature = toldNumber(cells[6]);
  cards[cells.value(7).trimmed()] = gpu.index;
  reading.gpus.push_back(std::move(gpu));
}

widgets::ProcessReading& processIn(widgets::MachineReading& reading, qint64 pid) {
  for (widgets::ProcessReading& one : reading.processes)
    if (one.pid == pid) return one;
  return reading.processes.emplace_back(widgets::ProcessReading{.pid = pid});
}

// "GPU-1a2b, 4711, 1024, /usr/bin/python3": card, process, MiB, program.
void takeApp(const QString& line, widgets::MachineReading& reading, const CardNumbers& cards) {
  const QStringList cells = line.split(QLatin1Char(','));
  if (cells.size() < 4 || cells[1].trimmed().toLongLong() <= 0) return;
  widgets::ProcessReading& process = processIn(reading, cells[1].trimmed().toLongLong());
  if (const auto card = cards.find(cells[0].trimmed()); card != cards.end()) process.gpus << card->second;
  process.gpuMemory += static_cast<std::uint64_t>(toldNumber(cells[2]).value_or(0)) * kKilo * kKilo;
  if (!cells[3].contains(QLatin1String("[Not Found]")))
    process.program = cells[3].trimmed().section(QLatin1Char('/'), -1);
}

// "4711|alice|20480|roadtune-train|/home/alice/runs/night": process, user, KiB, program, folder of its run.
void takeProcess(const QString& line, widgets::MachineReading& reading) {
  const QStringList cells = line.split(QLatin1Char('|'));
  if (cells.size() < 5 || cells[0].toLongLong() <= 0) return;
  widgets::ProcessReading& process = processIn(reading, cells[0].toLongLong());
  process.user = cells[1];
  process.memory = cells[2].toULongLong() * kKilo;
  process.program = cells[3];
  process.run = cells.mid(4).join(QLatin1Char('|')).section(QLatin1Char('/'), -1, -1, QString::SectionSkipEmpty);
}

// user nice system idle iowait irq softirq steal
void takeProcessor(const QStringList& words, widgets::MachineReading& reading, HostCounters& counters) {
  std::uint64_t all = 0;
  for (qsizetype i = 1; i < std::min<qsizetype>(words.size(), 9); ++i) all += countIn(words, i);
  const std::uint64_t busy = all - std::min(all, countIn(words, 4) + countIn(words, 5));
  if (counters.time > 0 && all > counters.all)
    reading.cpuPercent = 100.0 * double(busy - std::min(busy, counters.busy)) / double(all - counters.all);
  counters.busy = busy;
  counters.all = all;
}

}  // namespace

const char* hostSampleCommand() {
  return "export LC_ALL=C; date '+clock %s.%N'; "
         "echo \"host $(hostname)\"; "
         "sed -n 's/^PRETTY_NAME=/os /p' /etc/os-release; "
         "grep -m1 '^model name' /proc/cpuinfo | sed 's/^[^:]*: */cpuname /'; "
         "echo \"cores $(getconf _NPROCESSORS_ONLN)\"; "
         "head -n1 /proc/stat; "
         "echo \"load $(cat /proc/loadavg)\"; "
         "sed -n 's/^MemTotal:/memtotal/p; s/^MemAvailable:/memfree/p' /proc/meminfo; "
         "df -Pk \"$HOME\" | tail -n1 | sed 's/^/df /'; "
         "sed 's/:/ /' /proc/net/dev | awk 'NR>2 && $1!=\"lo\"{r+=$2;t+=$10} END{printf \"net %.0f %.0f\\n\",r,t}'; "
         "awk '$3 ~ /^(sd[a-z]+|vd[a-z]+|xvd[a-z]+|nvme[0-9]+n[0-9]+)$/{r+=$6;w+=$10} END{printf \"disk %.0f "
         "%.0f\\n\",r*512,w*512}' /proc/diskstats; "
         "if command -v nvidia-smi >/dev/null; then "
         "nvidia-smi --query-gpu=driver_version --format=csv,noheader 2>/dev/null | head -n1 | sed 's/^/driver /'; "
         "nvidia-smi --query-gpu=index,name,utilization.gpu,memory.used,memory.total,power.draw,temperature.gpu,"
         "uuid --format=csv,noheader,nounits 2>/dev/null | sed 's/^/gpu /'; "
         "apps=$(nvidia-smi --query-compute-apps=gpu_uuid,pid,used_memory,process_name "
         "--format=csv,noheader,nounits 2>/dev/null); printf '%s\\n' \"$apps\" | sed -n 's/^..*$/app &/p'; fi; "
         // Ranks of ours, and who computes on the cards. Of a command line only the run is read, of that its name.
         "for p in $({ grep -lsx roadtune-train /proc/[0-9]*/comm | cut -d/ -f3; printf '%s\\n' \"$apps\" "
         "| cut -s -d, -f2; } | sort -un); do [ -r /proc/$p/comm ] || continue; "
         "r=$(tr '\\000' '\\n' </proc/$p/cmdline | sed -n '/^--run$/{n;p;q;}'); "
         "n=$(sed -n 's/^  \"name\": \"\\(.*\\)\",*$/\\1/p' \"$r/manifest.json\" 2>/dev/null | head -n1); "
         "printf 'proc %s|%s|%s|%s|%s\\n' \"$p\" \"$(stat -c %U /proc/$p)\" "
         "\"$(sed -n 's/^VmRSS:[^0-9]*\\([0-9]*\\).*/\\1/p' /proc/$p/status)\" \"$(cat /proc/$p/comm)\" "
         "\"${n:-$r}\"; "
         "done; date '+clock %s.%N'; true";
}

widgets::MachineReading parseHostSample(const std::string& text, double now, HostCounters& counters) {
  widgets::MachineReading reading;
  CardNumbers cards;
  const double seconds = counters.time > 0 ? now - counters.time : 0;
  for (const QString& line : QString::fromStdString(text).split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
    const QStringList words = line.simplified().split(QLatin1Char(' '));
    const QString& tag = words[0];
    const QString rest = line.mid(tag.size()).trimmed();
    if (tag == QLatin1String("host")) reading.host = rest;
    if (tag == QLatin1String("os")) reading.system = QString(rest).remove(QLatin1Char('"'));
    if (tag == QLatin1String("cpuname")) reading.processor = rest.simplified();
    if (tag == QLatin1String("cores")) reading.cores = rest.toInt();
    if (tag == QLatin1String("cpu")) takeProcessor(words, reading, counters);
    if (tag == QLatin1String("load")) reading.load = numberIn(words, 1);
    if (tag == QLatin1String("memtotal")) reading.memoryTotal = countIn(words, 1) * kKilo;
    if (tag == QLatin1String("memfree"))
      reading.memoryUsed = reading.memoryTotal - std::min(reading.memoryTotal, countIn(words, 1) * kKilo);
    if (tag == QLatin1String("df")) {
      reading.diskTotal = countIn(words, 2) * kKilo;
      reading.diskFree = countIn(words, 4) * kKilo;
      reading.diskFolder = words.value(6);
    }
    if (tag == QLatin1String("net")) {
      reading.received = rate(countIn(words, 1), counters.received, seconds);
      reading.sent = rate(countIn(words, 2), counters.sent, seconds);
      counters.received = countIn(words, 1);
      counters.sent = countIn(words, 2);
    }
    if (tag == QLatin1String("disk")) {
      reading.diskRead = rate(countIn(words, 1), counters.diskRead, seconds);
      reading.diskWrite = rate(countIn(words, 2), counters.diskWrite, seconds);
      counters.diskRead = countIn(words, 1);
      counters.diskWrite = countIn(words, 2);
    }
    if (tag == QLatin1String("driver")) reading.driver = rest;
    if (tag == QLatin1String("gpu")) takeGpu(rest, reading, cards);
    if (tag == QLatin1String("app")) takeApp(rest, reading, cards);
    if (tag == QLatin1String("proc")) takeProcess(rest, reading);
  }
  counters.time = now;
  return reading;
}

// Both looks at it fell between asking and the answer.
double clockAhead(const std::string& text, double asked, double answered) {
  double ahead = 0;
  for (const QString& line : QString::fromStdString(text).split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
    if (!line.startsWith(QLatin1String("clock "))) continue;
    const double clock = line.mid(6).toDouble();
    if (clock > answered) ahead = std::max(ahead, clock - answered);
    if (clock > 0 && clock < asked) ahead = std::min(ahead, clock - asked);
  }
  return ahead;
}

}  // namespace roadtune::studio
