// SPDX-License-Identifier: GPL-3.0-or-later
// The sentences of core/runs/diagnosis*.cpp, core/policy/divergence.cpp and core/protocol/known_failure.cpp, and
// of core/model/tree_notes.cpp.
#include "widgets/common/told_patterns.h"
#include "widgets/common/told_words.h"

#include <QCoreApplication>

namespace roadtune::widgets {
namespace {

constexpr const char* kVerdicts[] = {
    QT_TRANSLATE_NOOP("Verdict", "Steps wait for samples"),
    QT_TRANSLATE_NOOP("Verdict", "%1 takes %2 of a step of %3 (%4 %), over %5 steps"),
    QT_TRANSLATE_NOOP("Verdict", "waiting for samples"),
    QT_TRANSLATE_NOOP("Verdict", "loading is %1 % reading"),
    QT_TRANSLATE_NOOP("Verdict", "loading is %1 % decoding"),
    QT_TRANSLATE_NOOP("Verdict", "loading is %1 % tokenising"),
    QT_TRANSLATE_NOOP("Verdict", "Steps wait for batches on their way to the card"),
    QT_TRANSLATE_NOOP("Verdict", "copying batches to the device"),
    QT_TRANSLATE_NOOP(
        "Verdict",
        "image_cache: memory keeps pictures small; look at the PCIe rate of the card and at who else uses "
        "it"),
    QT_TRANSLATE_NOOP("Verdict", "%1 waits for its own memory"),
    QT_TRANSLATE_NOOP("Verdict", "memory is busy %1 % of the time, the units %2 %"),
    QT_TRANSLATE_NOOP("Verdict", "bf16: true, a larger per_device_train_batch_size, or fewer modules in float32"),
    QT_TRANSLATE_NOOP("Verdict", "%1 waits for work to be handed to it"),
    QT_TRANSLATE_NOOP("Verdict", "steps are %1 % computing, but the units are busy only %2 % of the time"),
    QT_TRANSLATE_NOOP("Verdict", "communication that is not hidden behind computing"),
    QT_TRANSLATE_NOOP("Verdict", "work with no name of its own"),
    QT_TRANSLATE_NOOP("Verdict", "computing"),
    QT_TRANSLATE_NOOP("Verdict", "the processor is %1 % busy"),
    QT_TRANSLATE_NOOP("Verdict",
                      "all cores are busy: more workers will not help; store the images smaller, or on a faster disk"),
    QT_TRANSLATE_NOOP("Verdict", "raise dataloader_num_workers"),
    QT_TRANSLATE_NOOP("Verdict", "Steps wait for the network"),
    QT_TRANSLATE_NOOP("Verdict",
                      "accumulate more micro-batches per step, check the interface (NCCL_SOCKET_IFNAME), or shard "
                      "within a node only"),
    QT_TRANSLATE_NOOP("Verdict", "Steps spend time on unnamed work"),
    QT_TRANSLATE_NOOP("Verdict", "log and save less often; look at the log for what runs between steps"),
    QT_TRANSLATE_NOOP("Verdict", "Steps are spent computing"),
    QT_TRANSLATE_NOOP("Verdict", "it works %1 longer per step than the others (%2 % of a step of %3)"),
    QT_TRANSLATE_NOOP("Verdict", "compare its machine with the others: clocks, other processes, disk"),
    QT_TRANSLATE_NOOP("Verdict", "it loses the time in %1"),
    QT_TRANSLATE_NOOP("Verdict", "the forward pass"),
    QT_TRANSLATE_NOOP("Verdict", "the backward pass"),
    QT_TRANSLATE_NOOP("Verdict", "the optimizer"),
    QT_TRANSLATE_NOOP("Verdict", "unnamed work"),
    QT_TRANSLATE_NOOP("Verdict", "Steps take longer than they did"),
    QT_TRANSLATE_NOOP("Verdict", "%1 instead of %2 in the last %3 steps"),
    QT_TRANSLATE_NOOP("Verdict", "look at the disk the data is read from, and at what else the machines do"),
    QT_TRANSLATE_NOOP("Verdict",
                      "look at the clocks and temperatures of the cards, at the disk the data is read from, and at "
                      "what else the machines do"),
    QT_TRANSLATE_NOOP("Verdict", "No step for %1"),
    QT_TRANSLATE_NOOP("Verdict", "after step %1; a step usually takes %2"),
    QT_TRANSLATE_NOOP("Verdict", "%1 is held back: %2"),
    QT_TRANSLATE_NOOP("Verdict", "thermal"),
    QT_TRANSLATE_NOOP("Verdict", "hardware thermal"),
    QT_TRANSLATE_NOOP("Verdict", "hardware slowdown"),
    QT_TRANSLATE_NOOP("Verdict", "power brake"),
    QT_TRANSLATE_NOOP("Verdict", "power cap"),
    QT_TRANSLATE_NOOP("Verdict", "in %1 % of %2 samples"),
    QT_TRANSLATE_NOOP("Verdict", "normal under full load; a higher power limit would raise the clocks"),
    QT_TRANSLATE_NOOP("Verdict", "check cooling and power of this machine"),
    QT_TRANSLATE_NOOP("Verdict", "%1 is nearly out of memory"),
    QT_TRANSLATE_NOOP("Verdict", "%1 of %2 were used"),
    QT_TRANSLATE_NOOP("Verdict",
                      "gradient_checkpointing: true, or a smaller per_device_train_batch_size with more accumulation"),
    QT_TRANSLATE_NOOP("Verdict", "%1 is busy %2 % of the time"),
    QT_TRANSLATE_NOOP("Verdict", "and uses %1 of its %2"),
    QT_TRANSLATE_NOOP("Verdict",
                      "mean utilization while training (100 % would not yet mean that all of the card works)"),
    QT_TRANSLATE_NOOP("Verdict", "a larger per_device_train_batch_size with less accumulation"),
    QT_TRANSLATE_NOOP("Verdict", "see where the steps spend their time"),
    QT_TRANSLATE_NOOP("Verdict", "The disk of the run is nearly full"),
    QT_TRANSLATE_NOOP("Verdict", "The disk of the run is full"),
    QT_TRANSLATE_NOOP("Verdict", "how the run ended could not be written"),
    QT_TRANSLATE_NOOP("Verdict", "free some space, then roadtune resume"),
    QT_TRANSLATE_NOOP("Verdict", "%1 are free"),
    QT_TRANSLATE_NOOP("Verdict", "a checkpoint takes %1"),
    QT_TRANSLATE_NOOP("Verdict", "full in %1 min at this rate"),
    QT_TRANSLATE_NOOP("Verdict", "free some space, or lower save_total_limit"),
    QT_TRANSLATE_NOOP("Verdict", "The machine is nearly out of memory"),
    QT_TRANSLATE_NOOP("Verdict", "fewer dataloader workers, or close other programs"),
    QT_TRANSLATE_NOOP("Verdict", "Nobody has heard of this run any more"),
    QT_TRANSLATE_NOOP("Verdict", "its last event was not a goodbye, and its processes are gone or silent"),
    QT_TRANSLATE_NOOP("Verdict", "roadtune resume goes on from the last complete checkpoint"),
    QT_TRANSLATE_NOOP("Verdict", "there is no checkpoint yet: start it again with overwrite_output_dir: true"),
    QT_TRANSLATE_NOOP("Verdict", "free some space; %1"),
    QT_TRANSLATE_NOOP("Verdict", "The run failed"),
    QT_TRANSLATE_NOOP("Verdict", "rank %1: %2"),
    QT_TRANSLATE_NOOP("Verdict", "step %1: %2"),
    QT_TRANSLATE_NOOP("Verdict", "%1 (try: %2)"),
    QT_TRANSLATE_NOOP("Verdict", "loss %1 and gradient norm %2 are not finite: the step was not applied"),
    QT_TRANSLATE_NOOP("Verdict", "loss %1 is not finite: the step was not applied"),
    QT_TRANSLATE_NOOP("Verdict", "loss %1 is not finite, %2 times in a row: the step was not applied"),
    QT_TRANSLATE_NOOP("Verdict", "gradient norm %1 is not finite: the step was not applied"),
    QT_TRANSLATE_NOOP("Verdict", "gradient norm %1 is not finite, %2 times in a row: the step was not applied"),
    QT_TRANSLATE_NOOP("Verdict",
                      "loss %1 and gradient norm %2 are not finite, %3 times in a row: the step was not applied"),
    QT_TRANSLATE_NOOP("Verdict", "lower learning_rate, or look at the samples of this step"),
    QT_TRANSLATE_NOOP("Verdict", "lower learning_rate or max_grad_norm"),
    QT_TRANSLATE_NOOP("Verdict", "Process %1 holds the others up"),
    QT_TRANSLATE_NOOP("Verdict", "Process %1 on %2 holds the others up"),
    QT_TRANSLATE_NOOP("Verdict", "process %1 on %2"),
    QT_TRANSLATE_NOOP("Verdict", "process %1"),
    QT_TRANSLATE_NOOP("Verdict", "GPU %1 on %2"),
    QT_TRANSLATE_NOOP("Verdict", "process %1 of %2 failed first: %3"),
    QT_TRANSLATE_NOOP("Verdict", "process %1 of %2 on %3 failed first: %4"),
    QT_TRANSLATE_NOOP("Verdict", "process %1 of %2: %3"),
    QT_TRANSLATE_NOOP("Verdict", "exit code %1"),
    QT_TRANSLATE_NOOP("Verdict", "exit code %1: %2"),
    QT_TRANSLATE_NOOP("Verdict", "killed by %1"),
    QT_TRANSLATE_NOOP("Verdict", "killed by %1 by the kernel, which ran out of memory"),
    QT_TRANSLATE_NOOP("Verdict", "it gave no reason; see its log"),
    QT_TRANSLATE_NOOP("Verdict", "The run has lost its agent"),
    QT_TRANSLATE_NOOP("Verdict", "read the last lines of its log"),
    QT_TRANSLATE_NOOP("Verdict", "The loss rises from step %1 on"),
    QT_TRANSLATE_NOOP("Verdict", "a lower learning_rate, more warmup_steps, or max_grad_norm: 1.0"),
    QT_TRANSLATE_NOOP("Verdict", "The loss ended higher than it began"),
    QT_TRANSLATE_NOOP("Verdict", "The loss is higher than it began"),
    QT_TRANSLATE_NOOP("Verdict", "%1 at the start, %2 in the last steps"),
    QT_TRANSLATE_NOOP("Verdict", "The evaluation loss has risen since step %1"),
    QT_TRANSLATE_NOOP("Verdict", "from %1 to %2, while the training loss fell"),
    QT_TRANSLATE_NOOP("Verdict", "use %1, where it was lowest"),
    QT_TRANSLATE_NOOP("Verdict", "fewer steps, or keep the best checkpoint with load_best_model_at_end"),
    QT_TRANSLATE_NOOP("Verdict", "The loss was not a number"),
    QT_TRANSLATE_NOOP("Verdict", "at step %1"),
    QT_TRANSLATE_NOOP("Verdict", "%1 times, first at step %2"),
    QT_TRANSLATE_NOOP("Verdict", "a lower learning_rate or more warmup_steps, and a look at the samples of that step"),
    QT_TRANSLATE_NOOP("Verdict", "What was trained is not what was asked for"),
    QT_TRANSLATE_NOOP("Verdict", "compare with roadtune model tree"),
    QT_TRANSLATE_NOOP("Verdict", "Some answers were cut"),
    QT_TRANSLATE_NOOP("Verdict", "%1 samples were longer than max_length, the first in step %2"),
    QT_TRANSLATE_NOOP("Verdict", "raise max_length; on_long_sample: skip leaves such samples out"),
    QT_TRANSLATE_NOOP("Verdict", "the last evaluation was no better"),
    QT_TRANSLATE_NOOP("Verdict", "none of the last %1 evaluations was better"),
    QT_TRANSLATE_NOOP("Verdict", "Some samples could not be used"),
    QT_TRANSLATE_NOOP("Verdict", "%1 were left out, the first in step %2; the run's warnings name them"),
    QT_TRANSLATE_NOOP("Verdict", "look whether the pictures are where the data says; on_bad_sample: stop ends a run"),
    QT_TRANSLATE_NOOP("Verdict", "Some events are missing or damaged"),
    QT_TRANSLATE_NOOP("Verdict", "%1 places in the event files; roadtune runs show lists them"),
    QT_TRANSLATE_NOOP("Verdict", "a full disk or a broken copy does this"),
    QT_TRANSLATE_NOOP("Verdict", "the loss is %1"),
    QT_TRANSLATE_NOOP("Verdict", "the loss %1 lies %2 deviations above its average %3"),
    QT_TRANSLATE_NOOP("Verdict", "the loss was not finite %1 times in a row"),
    QT_TRANSLATE_NOOP("Verdict", "the loss lay far above its average %1 %2 times in a row, at %3 now"),
    QT_TRANSLATE_NOOP("Verdict", "the loss averages %1 now and %2 before: %3 times as much"),
    QT_TRANSLATE_NOOP(
        "Verdict",
        "gradient_checkpointing: true, a smaller per_device_train_batch_size with more accumulation, or qlora"),
    QT_TRANSLATE_NOOP("Verdict", "a smaller per_device_train_batch_size, or fewer dataloader_num_workers"),
    QT_TRANSLATE_NOOP("Verdict", "The card ran out of memory"),
    QT_TRANSLATE_NOOP("Verdict", "The disk is full"),
    QT_TRANSLATE_NOOP("Verdict", "The quota is used up"),
    QT_TRANSLATE_NOOP("Verdict", "The driver is older than the CUDA libraries"),
    QT_TRANSLATE_NOOP("Verdict", "install a newer driver on that machine"),
    QT_TRANSLATE_NOOP("Verdict", "A library is of another version than the program"),
    QT_TRANSLATE_NOOP("Verdict", "install the torch that roadtune fleet check names on every machine"),
    QT_TRANSLATE_NOOP("Verdict", "The system is older than the program"),
    QT_TRANSLATE_NOOP("Verdict", "Debian 12, Ubuntu 24.04 or later on that machine"),
    QT_TRANSLATE_NOOP("Verdict", "A library is missing"),
    QT_TRANSLATE_NOOP("Verdict", "roadtune fleet check names it"),
    QT_TRANSLATE_NOOP("Verdict", "A kernel read or wrote outside its memory"),
    QT_TRANSLATE_NOOP("Verdict", "run once more with environment: {CUDA_LAUNCH_BLOCKING: 1}; report it with the log"),
    QT_TRANSLATE_NOOP("Verdict", "A collective did not come to its end"),
    QT_TRANSLATE_NOOP("Verdict", "NCCL failed"),
    QT_TRANSLATE_NOOP("Verdict", "Another machine does not answer any more"),
    QT_TRANSLATE_NOOP("Verdict", "look whether it is on; roadtune fleet check tries the network"),
    QT_TRANSLATE_NOOP("Verdict", "nccl_debug: INFO and nccl_socket_ifname, and run roadtune fleet check"),
    QT_TRANSLATE_NOOP("Verdict", "The card reported an error"),
    QT_TRANSLATE_NOOP("Verdict", "see dmesg for Xid messages on that machine"),
    QT_TRANSLATE_NOOP("Verdict", "The machine ran out of memory"),
    QT_TRANSLATE_NOOP("Verdict", "check master_addr, master_port and the firewall: roadtune fleet check"),
    QT_TRANSLATE_NOOP("Verdict",
                      "target_modules also adapt %1 layers of the vision tower (%2): %3 of the trainable parameters. "
                      "To adapt the language model alone: %4"),
    QT_TRANSLATE_NOOP(
        "Verdict",
        "target_modules also adapt %1 layers of the vision tower (%2): %3 of the trainable parameters. "
        "freeze_vision_tower freezes the tower's own weights, not its adapters. To adapt the language model alone: %4"),
    QT_TRANSLATE_NOOP("Verdict", "target_modules: %1 hit nothing in this model"),
    QT_TRANSLATE_NOOP("Verdict",
                      "modules_to_save trains a copy of embed_tokens; the output head stays tied to the frozen "
                      "original, as in peft"),
    QT_TRANSLATE_NOOP("Verdict",
                      "the vision tower and the projector are quantised to NF4 too, as transformers does; keeping "
                      "them in 16 bits costs 0.6 GB on a 3B model and is gentler on accuracy"),
};

constexpr ToldPatterns::Reworded kVerdictsReworded[] = {
    {"missing at the %1: %2 (ranks that wait there: %3)",
     QT_TRANSLATE_NOOP("Verdict", "missing at the %1: %2 (processes that wait there: %3)")},
    {"see the logs of all ranks; save and stop, then resume goes on from the last checkpoint",
     QT_TRANSLATE_NOOP("Verdict",
                       "see the logs of all processes; save and stop, then resume goes on from the last checkpoint")},
    {"look for the rank that ended or stalled first; roadtune fleet check tries the network",
     QT_TRANSLATE_NOOP("Verdict",
                       "look for the process that ended or stalled first; roadtune fleet check tries the network")},
    {"look for the rank that died or stalled first; check the network between the machines",
     QT_TRANSLATE_NOOP("Verdict",
                       "look for the process that died or stalled first; check the network between the machines")},
    {"Another rank went away", QT_TRANSLATE_NOOP("Verdict", "Another process went away")},
    {"Ranks waited too long for another one",
     QT_TRANSLATE_NOOP("Verdict", "Processes waited too long for another one")},
    {"look for the rank that stalled; ddp_timeout is how long they wait",
     QT_TRANSLATE_NOOP("Verdict", "look for the process that stalled; ddp_timeout is how long they wait")},
    {"Ranks could not reach each other", QT_TRANSLATE_NOOP("Verdict", "Processes could not reach each other")},
};

const ToldPatterns& patterns() {
  static const ToldPatterns kPatterns("Verdict", kVerdicts, kVerdictsReworded, ToldPatterns::Numbers::AllInTheLanguage);
  return kPatterns;
}

// "where: what (try: hint)", the line that a program ends with (Error::text), where the what is known.
std::optional<QString> errorLine(const QString& english) {
  static const QRegularExpression kLine(QStringLiteral("^(.*?)(?: \\(try: (.*)\\))?$"));
  const auto line = kLine.match(english);
  const QString said = line.captured(1), hint = line.captured(2);
  for (qsizetype from = 0;;) {
    if (const auto what = errorSentence(said.mid(from))) {
      const QString where = said.left(std::max<qsizetype>(from - 2, 0));
      const QString told = from == 0 ? *what : patterns().translate(where) + QStringLiteral(": ") + *what;
      return hint.isEmpty()
                 ? told
                 : QCoreApplication::translate("Verdict", "%1 (try: %2)").arg(told, errorWords(hint.toStdString()));
    }
    const qsizetype next = said.indexOf(QLatin1String(": "), from);
    if (next < 0) return std::nullopt;
    from = next + 2;
  }
}

}  // namespace

QString verdictWords(const std::string& english) {
  const QString text = QString::fromStdString(english);
  if (auto told = errorLine(text)) return *std::move(told);
  return patterns().translate(text);
}

}  // namespace roadtune::widgets
