// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/trainer.h"

#include "core/base/exit_code.h"
#include "core/base/host_name.h"
#include "core/base/units.h"
#include "core/config/resolve.h"
#include "core/engine/cuda/ranks.h"
#include "core/engine/dist/recorded.h"
#include "core/engine/loop/dry_run.h"
#include "core/engine/loop/kept_features.h"
#include "core/engine/loop/memory_words.h"
#include "core/engine/loop/run_loop.h"
#include "core/engine/nn/device.h"
#include "core/engine/nn/guarded.h"
#include "core/engine/nn/host_memory.h"
#include "core/engine/nn/tensor_memory.h"
#include "core/policy/device_peak.h"
#include "core/policy/reading_threads.h"
#include "core/protocol/dry_run.h"
#include "core/protocol/event.h"
#include "core/protocol/known_failure.h"

#include <ATen/Context.h>

#include <cstdlib>
#include <thread>
#include <unistd.h>

namespace roadtune::engine {
namespace {

using nlohmann::json;

// Said at once with the device that was asked for, and again when the one that was opened and the counts are known.
void sayHello(Session& session, const json& more = json::object()) {
  const auto& environment = session.environment;
  json body = {{"version", ROADTUNE_VERSION},
               {"host", hostName()},
               {"pid", ::getpid()},
               {"device", session.config.text("device")},
               {"world_size", environment.worldSize},
               {"local_rank", environment.localRank},
               {"node", environment.node},
               {"config_hash", session.config.hash()}};
  body.update(more);
  session.reporter->event("hello", body);
}

void sayCounts(Session& session) {
  const auto& tree = session.model->tree;
  session.reporter->setStep(session.state.globalStep);
  sayHello(session, {{"device", session.device.str()},
                     {"total_steps", session.plan.totalSteps},
                     {"total_params", tree.allParameters()},
                     {"trainable_params", tree.trainableParameters()}});
  session.reporter->print(model::trainableLine(tree));
}

const char* reasonOf(TrainEnd end) {
  switch (end) {
    case TrainEnd::Finished: return "finished";
    case TrainEnd::Stopped: return "stopped";
    case TrainEnd::Orphaned: return "lost";
    case TrainEnd::Diverged: return "diverged";
  }
  return "finished";
}

json summaryOf(const Session& session) {
  auto text = readFile(session.layout.allResults());
  auto all = text.ok() ? json::parse(text.value(), nullptr, false) : json();
  json summary = json::object();
  if (!all.is_object()) return summary;
  for (const char* key : {"train_runtime", "train_samples_per_second", "train_steps_per_second", "train_loss", "epoch"})
    if (all.contains(key)) summary[key] = all[key];
  return summary;
}

// Where each exchange between ranks is written down; a run whose disk does not take it goes on without.
void recordExchanges(Session& session) {
  if (session.ranks->size() == 1) return;
  auto log = protocol::ExchangeLog::create(session.layout.rankExchanges(session.environment.rank));
  if (!log.ok()) return session.reporter->warning(log.error());
  session.ranks = recorded(std::move(session.ranks), std::make_shared<protocol::ExchangeLog>(std::move(log).value()));
}

Error silenceOf(const std::string& address, int seconds) {
  return failed("another machine does not answer any more, for " + std::to_string(seconds) + " s now", address,
                "look whether it is on; roadtune fleet check tries the network; peer_timeout is how long is waited");
}

// Nothing to watch where all ranks are on this machine.
void watchPeers(Session& session) {
  const auto limit = session.settings.peerTimeoutSeconds;
  if (limit == 0 || session.environment.worldSize <= session.environment.localWorldSize) return;
  session.silentPeers = std::make_unique<SilentPeers>(
      std::chrono::seconds(limit), [limit, reporter = session.reporter.get()](const std::string& address) {
        reporter->warning(silenceOf(address, limit));
      });
}

// Where the network says that a connection was closed, we may know better why.
Error withCause(const Session& session, Error error) {
  const auto silent = session.silentPeers ? session.silentPeers->first() : std::string();
  const auto known = protocol::explainLog({error.what});
  const bool ofTheNetwork = known && (known->consequence || known->id == "nccl-error");
  return silent.empty() || !ofTheNetwork ? std::move(error) : silenceOf(silent, session.settings.peerTimeoutSeconds);
}

void chooseReadingThreads(Session& session) {
  if (!session.config.has("dataloader_num_workers"))
    session.settings.workers =
        policy::readingThreads(!session.device.is_cpu(), static_cast<int>(std::thread::hardware_concurrency()),
                               session.environment.localWorldSize);
  if (const int threads = session.settings.workers; threads > 0 && session.environment.leads())
    session.reporter->print("reading with " + formatCount(threads) + (threads == 1 ? " thread" : " threads"));
}

Result<TrainOutcome> course(Session& session, bool dry) {
  if (dry) return dryRun(session);
  if (session.environment.leads() && session.settings.tensorboard)
    ROADTUNE_CHECK(session.reporter->startTensorboard(session.layout));
  return RunLoop(session).run();
}

Result<TrainOutcome> trainRank(Session& session, bool dry) {
  ROADTUNE_TRY(session.settings, trainSettings(session.config));
  ROADTUNE_TRY(session.device, openDevice(session.config.text("device"), session.environment.localRank,
                                          session.config.integers("gpus")));
  if (const auto gpu = gpuInUse()) session.peakFlops = policy::peakFlops(gpu->name, session.settings.bf16).value_or(0);
  if (session.config.flag("tf32")) {
    at::globalContext().setAllowTF32CuBLAS(true);
    at::globalContext().setAllowTF32CuDNN(true);
  }
  session.reporter->phase("starting");
  chooseReadingThreads(session);
  ROADTUNE_TRY(session.ranks, connectRanks(session.environment, {session.settings.ddpTimeoutSeconds,
                                                                 session.config.text("gloo_socket_ifname")}));
  watchPeers(session);
  // NCCL's own record of its last calls, written when one of them does not end.
  ::setenv("TORCH_FR_BUFFER_SIZE", "2000", 0);
  ::setenv("TORCH_NCCL_DEBUG_INFO_TEMP_FILE", (session.layout.logs() / "nccl-rank-").c_str(), 0);
  ROADTUNE_TRY(session.ranks,
               cuda::ranksOn(session.device, session.config.text("ddp_backend"), std::move(session.ranks),
                             session.environment, session.settings.ddpTimeoutSeconds));
  recordExchanges(session);
  session.reporter->phase("loading");
  ROADTUNE_CHECK(prepareData(session));
  ROADTUNE_CHECK(prepareModel(session));
  ROADTUNE_CHECK(prepareFeatures(session));
  returnFreedMemory();
  session.reporter->phase("preparing");
  sayCounts(session);
  ROADTUNE_TRY(auto outcome, course(session, dry));
  tellOfFeatures(session);
  session.reporter->phase("finishing");
  session.ranks->close();
  return outcome;
}

void sayBye(Session& session, const Result<TrainOutcome>& outcome) {
  json body;
  if (outcome.ok()) {
    const auto& done = outcome.value();
    body = {{"reason", reasonOf(done.end)},
            {"exit_code", done.end == TrainEnd::Diverged ? kExitFailed : kExitDone},
            {"message", done.cause.text()},
            {"summary", summaryOf(session)}};
  } else {
    session.reporter->error(outcome.error());
    body = {{"reason", "failed"}, {"exit_code", exitCode(outcome.error().kind)}, {"message", outcome.error().text()}};
  }
  session.reporter->event("bye", body);
  session.reporter->finish();
}

}  // namespace

Result<TrainOutcome> train(const TrainRequest& request) {
  keepFreedMemory();
  countTensorMemory();
  ROADTUNE_TRY(const auto environment, rankEnvironment());
  Session session{protocol::RunLayout(request.run)};
  session.environment = environment;
  ROADTUNE_TRY(session.config, config::loadRunConfig(session.layout.config()));
  ROADTUNE_TRY(session.reporter, Reporter::open(session.layout, environment));
  if (request.profileSteps > 0)
    session.profile = std::make_unique<StepProfile>(
        session.layout.root() / "profile" / ("rank-" + std::to_string(environment.rank) + ".json"),
        request.profileSteps);
  sayHello(session);
  const bool dry = request.dryRun || protocol::dryRunAsked();
  auto outcome = guarded(request.run.string(), [&] { return trainRank(session, dry); });
  if (!outcome.ok()) outcome = withMemoryByPart(session, withCause(session, outcome.error()));
  sayBye(session, outcome);
  return outcome;
}

}  // namespace roadtune::engine
