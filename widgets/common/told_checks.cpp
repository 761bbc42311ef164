// SPDX-License-Identifier: GPL-3.0-or-later
// The sentences of the preflight checks in remote/launch.
#include "widgets/common/told_patterns.h"
#include "widgets/common/told_words.h"

#include <QCoreApplication>

namespace roadtune::widgets {
namespace {

constexpr const char* kChecks[] = {
    QT_TRANSLATE_NOOP("CheckText", "%1 threads"),
    QT_TRANSLATE_NOOP("CheckText", "without AVX2"),
    QT_TRANSLATE_NOOP("CheckText", "arithmetic on this processor will be slow"),
    QT_TRANSLATE_NOOP("CheckText", "%1 of %2 available"),
    QT_TRANSLATE_NOOP("CheckText", "not told"),
    QT_TRANSLATE_NOOP("CheckText", "end other programs: at least %1 are needed"),
    QT_TRANSLATE_NOOP("CheckText", "%1 free at %2"),
    QT_TRANSLATE_NOOP("CheckText", "writes %1"),
    QT_TRANSLATE_NOOP("CheckText", "cannot write: %1"),
    QT_TRANSLATE_NOOP("CheckText", "make that folder writable, or choose another output_dir"),
    QT_TRANSLATE_NOOP("CheckText", "too little for %1 checkpoints of %2"),
    QT_TRANSLATE_NOOP(
        "CheckText", "free space, a larger disk for that folder, a smaller save_total_limit, or save_only_model: true"),
    QT_TRANSLATE_NOOP("CheckText", "free space, or set save_total_limit: checkpoints need room"),
    QT_TRANSLATE_NOOP("CheckText", "%1 inodes left"),
    QT_TRANSLATE_NOOP("CheckText", "remove small files: the file system has no room for more names"),
    QT_TRANSLATE_NOOP("CheckText", "checkpoints will be slow; a local disk for that folder helps"),
    QT_TRANSLATE_NOOP("CheckText", "/dev/shm is not there"),
    QT_TRANSLATE_NOOP("CheckText", "mount a tmpfs at /dev/shm"),
    QT_TRANSLATE_NOOP("CheckText", "%1 free in /dev/shm"),
    QT_TRANSLATE_NOOP("CheckText", "in a container: --shm-size=1g; NCCL needs it"),
    QT_TRANSLATE_NOOP("CheckText", "open files unlimited"),
    QT_TRANSLATE_NOOP("CheckText", "%1 open files"),
    QT_TRANSLATE_NOOP("CheckText", "none: training runs on the processor"),
    QT_TRANSLATE_NOOP("CheckText", "install the NVIDIA driver"),
    QT_TRANSLATE_NOOP("CheckText", "%1: %2 of %3 free"),
    QT_TRANSLATE_NOOP("CheckText", "%1 other process"),
    QT_TRANSLATE_NOOP("CheckText", "%1 other processes"),
    QT_TRANSLATE_NOOP("CheckText", "other programs compute on a card: end them, or choose cards with gpus:"),
    QT_TRANSLATE_NOOP("CheckText", "uncorrected memory errors"),
    QT_TRANSLATE_NOOP("CheckText", "reset the card or leave it out with gpus:"),
    QT_TRANSLATE_NOOP("CheckText", "none"),
    QT_TRANSLATE_NOOP("CheckText", "driver 580 or later: this build computes with CUDA 13"),
    QT_TRANSLATE_NOOP("CheckText", "kernel %1"),
    QT_TRANSLATE_NOOP("CheckText", "Debian 12, Ubuntu 24.04 or later: programs of this build need glibc 2.36"),
    QT_TRANSLATE_NOOP("CheckText", "%1 from here"),
    QT_TRANSLATE_NOOP("CheckText", "let chrony or systemd-timesyncd set the clock"),
    QT_TRANSLATE_NOOP("CheckText", "%1 on %2"),
    QT_TRANSLATE_NOOP("CheckText", "install the same driver on every machine"),
    QT_TRANSLATE_NOOP("CheckText", "pip install nvidia-nccl-cu13 beside torch, or train with ddp_backend: gloo"),
    QT_TRANSLATE_NOOP("CheckText", "on %1: pip install nvidia-nccl-cu13==%2 beside torch"),
    QT_TRANSLATE_NOOP("CheckText", "%1 and %2 are the same machine"),
    QT_TRANSLATE_NOOP("CheckText", "name each machine once; more ranks to a machine give it more"),
    QT_TRANSLATE_NOOP("CheckText", "%1 was not found"),
    QT_TRANSLATE_NOOP(
        "CheckText",
        "the first run installs it with pip, which takes minutes; or set ROADTUNE_TORCH there to its folder"),
    QT_TRANSLATE_NOOP("CheckText", "the first run copies it from here (%1); or set ROADTUNE_TORCH there to its folder"),
    QT_TRANSLATE_NOOP("CheckText", "free %1 in its home, where the first run copies it to from here: %2 are free"),
    QT_TRANSLATE_NOOP("CheckText", "%1, without its GPU half"),
    QT_TRANSLATE_NOOP("CheckText", "connected in %1, host key known"),
    QT_TRANSLATE_NOOP("CheckText", "libraries are missing: %1"),
    QT_TRANSLATE_NOOP("CheckText", "./dev setup brings them"),
    QT_TRANSLATE_NOOP("CheckText", "torch is not linked"),
    QT_TRANSLATE_NOOP("CheckText", "torch %1 at %2"),
    QT_TRANSLATE_NOOP("CheckText", "does not start"),
    QT_TRANSLATE_NOOP("CheckText", "run `roadtune-agent --version` in a terminal to see why"),
    QT_TRANSLATE_NOOP("CheckText", "no machine reaches another one"),
    QT_TRANSLATE_NOOP("CheckText", "open the ports between the machines"),
    QT_TRANSLATE_NOOP("CheckText", "%1 of %2 pairs; %3 to %4, %5 to %6 there and back"),
    QT_TRANSLATE_NOOP("CheckText", "let %1 open connections to %2: firewall, route, interface"),
    QT_TRANSLATE_NOOP("CheckText", "%1, %2 there and back; %3 is usual here"),
    QT_TRANSLATE_NOOP("CheckText",
                      "a bad cable, a slow switch port or the wrong interface; this pair slows every step"),
    QT_TRANSLATE_NOOP("CheckText", "they cannot add up: %1"),
    QT_TRANSLATE_NOOP("CheckText", "%1 for 1 MB; %2 is usual here"),
    QT_TRANSLATE_NOOP("CheckText", "%1 machines add up 4 MB in %2"),
    QT_TRANSLATE_NOOP("CheckText", "%1 machines add up 4 MB in %2 over NCCL between graphics cards"),
    QT_TRANSLATE_NOOP("CheckText", "%1 machines add up 4 MB in %2 over Gloo"),
    QT_TRANSLATE_NOOP("CheckText", "no NCCL: %1"),
    QT_TRANSLATE_NOOP("CheckText", "every pair can, all together cannot: %1"),
    QT_TRANSLATE_NOOP("CheckText", "not all machines can add up with each other"),
    QT_TRANSLATE_NOOP("CheckText", "see the pairs below"),
    QT_TRANSLATE_NOOP("CheckText", "not tried: %1"),
    QT_TRANSLATE_NOOP("CheckText", "not tried"),
    QT_TRANSLATE_NOOP("CheckText", "the first run on these machines brings what is needed"),
    QT_TRANSLATE_NOOP("CheckText", "%1 file, %2"),
    QT_TRANSLATE_NOOP("CheckText", "%1 files, %2"),
    QT_TRANSLATE_NOOP("CheckText", "the same everywhere"),
    QT_TRANSLATE_NOOP("CheckText", "is not on %1"),
    QT_TRANSLATE_NOOP("CheckText", "`roadtune fleet sync` copies it there from here; or use a shared file system"),
    QT_TRANSLATE_NOOP("CheckText",
                      "`roadtune fleet sync` copies it there from here, %1 each; or use a shared file system"),
    QT_TRANSLATE_NOOP("CheckText", "differs: %1"),
    QT_TRANSLATE_NOOP("CheckText", "%1: %2 a sample (95 % under %3), %4/s"),
    QT_TRANSLATE_NOOP("CheckText", "%1: %2 a read (95 % under %3), %4/s"),
    QT_TRANSLATE_NOOP("CheckText", "%1: there is nothing at this address"),
    QT_TRANSLATE_NOOP("CheckText", "there is nothing at this address"),
    QT_TRANSLATE_NOOP("CheckText", "%1: holds no sample"),
    QT_TRANSLATE_NOOP("CheckText", "holds no sample"),
    QT_TRANSLATE_NOOP("CheckText", "`roadtune data pack` onto a local disk"),
    QT_TRANSLATE_NOOP("CheckText",
                      "`roadtune data fetch %1 --cache DIR` with DIR on a file system that all machines share, or on "
                      "each machine, and name the folder that it prints"),
    QT_TRANSLATE_NOOP("CheckText", "not asked"),
    QT_TRANSLATE_NOOP("CheckText", "no answer"),
    QT_TRANSLATE_NOOP("CheckText", "unknown host key %1"),
    QT_TRANSLATE_NOOP("CheckText", "permission denied: %1"),
    QT_TRANSLATE_NOOP("CheckText", "%1: '%2' is not supported"),
    QT_TRANSLATE_NOOP("CheckText", "%1: Match %2 is not supported; the block is skipped"),
    QT_TRANSLATE_NOOP("CheckText", "%1: StrictHostKeyChecking %2 is not followed; unknown keys are always shown first"),
};

constexpr ToldPatterns::Reworded kChecksReworded[] = {
    {"%1 is fetched by runs of this machine only, and the ranks run elsewhere",
     QT_TRANSLATE_NOOP("CheckText", "%1 is fetched by runs of this machine only, and the processes run elsewhere")},
    {"`roadtune fleet sync` makes it what it is here; ranks would not see the same",
     QT_TRANSLATE_NOOP("CheckText",
                       "`roadtune fleet sync` makes it what it is here; processes would not see the same")},
};

}  // namespace

QString checkWords(const QString& english) {
  static const ToldPatterns kPatterns("CheckText", kChecks, kChecksReworded, ToldPatterns::Numbers::OnlyWithUnits);
  const QString told = kPatterns.translate(english);
  return told == english ? errorWords(english.toStdString()) : told;
}

}  // namespace roadtune::widgets
