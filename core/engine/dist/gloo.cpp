// SPDX-License-Identifier: GPL-3.0-or-later
// The only source that sees c10d: its headers are as heavy as torch's umbrella.
#include "core/engine/dist/communicator.h"
#include "core/engine/reduce_probe.h"

#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <string_view>
#include <thread>

namespace roadtune::engine {
namespace {

using GroupOptions = c10::intrusive_ptr<c10d::ProcessGroupGloo::Options>;

class GlooTransfer final : public Transfer {
 public:
  explicit GlooTransfer(c10::intrusive_ptr<c10d::Work> work) : m_work(std::move(work)) {}
  void wait() override { m_work->wait(); }

 private:
  c10::intrusive_ptr<c10d::Work> m_work;
};

class GlooRanks final : public Communicator {
 public:
  GlooRanks(c10::intrusive_ptr<c10d::Store> store, GroupOptions options, int rank, int size)
      : m_store(std::move(store)),
        m_options(std::move(options)),
        m_group(c10::make_intrusive<c10d::ProcessGroupGloo>(m_store, rank, size, m_options)) {}

  int rank() const override { return m_group->getRank(); }
  int size() const override { return m_group->getSize(); }
  void sum(at::Tensor& tensor) override { reduce(tensor, c10d::ReduceOp::SUM); }
  void highest(at::Tensor& tensor) override { reduce(tensor, c10d::ReduceOp::MAX); }
  void barrier() override { m_group->barrier()->wait(); }
  void close() override { barrier(); }

  std::unique_ptr<Transfer> startSum(at::Tensor tensor) override {
    std::vector<at::Tensor> tensors{tensor};
    return std::make_unique<GlooTransfer>(m_group->allreduce(tensors));
  }

  // Bytes are bytes: every type travels, 4-bit codes as they are.
  std::unique_ptr<Transfer> startGather(at::Tensor whole, at::Tensor mine) override {
    auto out = whole.view(at::kByte), in = mine.view(at::kByte);
    return std::make_unique<GlooTransfer>(m_group->_allgather_base(out, in));
  }

  std::unique_ptr<Transfer> startExchange(at::Tensor incoming, at::Tensor outgoing) override {
    auto out = incoming.view(at::kByte), in = outgoing.view(at::kByte);
    std::vector<std::int64_t> even;
    return std::make_unique<GlooTransfer>(m_group->alltoall_base(out, in, even, even));
  }

  std::unique_ptr<Communicator> part(const std::string& name, int rank, int size) override {
    return std::make_unique<GlooRanks>(c10::make_intrusive<c10d::PrefixStore>(name, m_store), m_options, rank, size);
  }

 private:
  void reduce(at::Tensor& tensor, c10d::ReduceOp::RedOpType operation) {
    std::vector<at::Tensor> tensors{tensor};
    c10d::AllreduceOptions options;
    options.reduceOp = operation;
    m_group->allreduce(tensors, options)->wait();
  }

  c10::intrusive_ptr<c10d::Store> m_store;
  GroupOptions m_options;
  c10::intrusive_ptr<c10d::ProcessGroupGloo> m_group;
};

bool isLocal(const std::string& address) {
  return address == "localhost" || address == "::1" || address.rfind("127.", 0) == 0;
}

std::shared_ptr<gloo::transport::Device> deviceFor(const RankEnvironment& environment,
                                                   const CommunicatorOptions& options) {
  const char* variable = std::getenv("GLOO_SOCKET_IFNAME");
  const std::string name = !options.interfaceName.empty() ? options.interfaceName : variable ? variable : "";
  if (!name.empty()) return c10d::ProcessGroupGloo::createDeviceForInterface(name);
  if (isLocal(environment.masterAddress)) return c10d::ProcessGroupGloo::createDeviceForInterface("lo");
  return c10d::ProcessGroupGloo::createDefaultDevice();
}

c10::intrusive_ptr<c10d::Store> meet(const RankEnvironment& environment, const CommunicatorOptions& options) {
  // torchrun's own agent may already serve the store at this address.
  const char* agent = std::getenv("TORCHELASTIC_USE_AGENT_STORE");
  const bool served = agent && std::string_view(agent) == "True";
  c10d::TCPStoreOptions store;
  store.port = static_cast<std::uint16_t>(environment.masterPort);
  store.isServer = environment.rank == 0 && !served;
  if (!served) store.numWorkers = static_cast<std::size_t>(environment.worldSize);
  store.waitWorkers = !served;
  store.timeout = std::chrono::seconds(std::min(options.timeoutSeconds, 300));
  const char* restart = std::getenv("TORCHELASTIC_RESTART_COUNT");
  return c10::make_intrusive<c10d::PrefixStore>(std::string("roadtune/") + (restart ? restart : "0"),
                                                c10::make_intrusive<c10d::TCPStore>(environment.masterAddress, store));
}

Error explained(const RankEnvironment& environment, const std::string& words) {
  const auto where = environment.masterAddress + ":" + std::to_string(environment.masterPort);
  if (words.find("EADDRINUSE") != std::string::npos || words.find("already in use") != std::string::npos)
    return failed("the port is already in use", where, "set master_port (MASTER_PORT) to a free one");
  if (words.find("imed out") != std::string::npos || words.find("timeout") != std::string::npos)
    return failed("the ranks did not meet in time", where,
                  "check that all of them were started and reach this address");
  return failed("the ranks cannot meet: " + words.substr(0, words.find('\n')), where);
}

constexpr std::chrono::seconds kMeeting{6}, kPairLimit{2}, kGroupLimit{4}, kRoundLimit{15};
constexpr std::int64_t kPairNumbers = (1 << 20) / 4, kGroupNumbers = (4 << 20) / 4;

// A group for one look, on a store of its own.
double secondsToSum(const c10::intrusive_ptr<c10d::Store>& store, const std::string& name, int rank, int size,
                    const std::shared_ptr<gloo::transport::Device>& device, std::chrono::seconds limit,
                    std::int64_t numbers) {
  const auto options = c10d::ProcessGroupGloo::Options::create(limit);
  options->devices.push_back(device);
  const auto own = c10::make_intrusive<c10d::PrefixStore>(name, store);
  own->setTimeout(limit);
  GlooRanks ranks(own, options, rank, size);
  auto tensor = at::ones({numbers}, at::TensorOptions().dtype(at::kFloat));
  ranks.sum(tensor);  // the first one makes connections
  // The best of a few: a machine that was busy for a moment has no slow link.
  double best = std::numeric_limits<double>::infinity();
  for (int round = 0; round < 3; ++round) {
    const auto began = std::chrono::steady_clock::now();
    ranks.sum(tensor);
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
  }
  return best;
}

// All go on together, so that one pair that waits in vain does not make the next ones late.
void endRound(const c10::intrusive_ptr<c10d::Store>& store, const std::string& name, int size) {
  const auto until = std::chrono::steady_clock::now() + kRoundLimit;
  for (auto there = store->add(name, 1); there < size && std::chrono::steady_clock::now() < until;) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    there = store->add(name, 0);
  }
}

// Whom a rank meets in a round of a tournament in which everybody meets everybody once; none: itself.
int opponent(int rank, int round, int size) {
  const int places = size + size % 2, last = places - 1;
  const int found = rank == last                        ? round * (places / 2) % last
                    : (2 * rank) % last == round % last ? last
                                                        : ((round - rank) % last + last) % last;
  return found < size ? found : rank;
}

ReduceReport probeGloo(const RankEnvironment& environment, const CommunicatorOptions& options) {
  ReduceReport report{.rank = environment.rank, .size = environment.worldSize, .pairs = {}};
  CommunicatorOptions hasty = options;
  hasty.timeoutSeconds = static_cast<int>(kMeeting.count());
  const auto store = meet(environment, hasty);
  const auto device = deviceFor(environment, options);
  const int places = environment.worldSize + environment.worldSize % 2;
  for (int round = 0; round + 1 < places; ++round) {
    const int other = opponent(environment.rank, round, environment.worldSize);
    if (other != environment.rank) {
      const int low = std::min(other, environment.rank), high = std::max(other, environment.rank);
      ReduceReport::Pair pair{.other = other};
      try {
        pair.seconds = secondsToSum(store, "pair/" + std::to_string(low) + "-" + std::to_string(high),
                                    environment.rank == low ? 0 : 1, 2, device, kPairLimit, kPairNumbers);
      } catch (const std::exception& error) {
        const std::string words = error.what();
        pair.error = words.substr(0, words.find('\n'));
        store->add("failed", 1);
      }
      report.pairs.push_back(std::move(pair));
    }
    endRound(store, "round/" + std::to_string(round), environment.worldSize);
  }
  try {
    if (store->add("failed", 0) == 0)
      report.seconds =
          secondsToSum(store, "all", environment.rank, environment.worldSize, device, kGroupLimit, kGroupNumbers);
  } catch (const std::exception& error) {
    const std::string words = error.what();
    report.error = words.substr(0, words.find('\n'));
  }
  endRound(store, "end", environment.worldSize);  // the store lives as long as anybody needs it
  return report;
}

}  // namespace

Result<ReduceReport> probeReduce() {
  ROADTUNE_TRY(const RankEnvironment environment, rankEnvironment());
  if (environment.worldSize < 2) return badInput("takes two ranks or more", "WORLD_SIZE");
  try {
    return probeGloo(environment, {});
  } catch (const std::exception& error) {
    return explained(environment, error.what());
  }
}

Result<std::unique_ptr<Communicator>> connectGloo(const RankEnvironment& environment,
                                                  const CommunicatorOptions& options) {
  try {
    auto store = meet(environment, options);
    const auto groupOptions = c10d::ProcessGroupGloo::Options::create(std::chrono::seconds(options.timeoutSeconds));
    groupOptions->devices.push_back(deviceFor(environment, options));
    auto ranks = std::make_unique<GlooRanks>(std::move(store), groupOptions, environment.rank, environment.worldSize);
    ranks->barrier();
    return std::unique_ptr<Communicator>(std::move(ranks));
  } catch (const std::exception& error) {
    return explained(environment, error.what());
  }
}

}  // namespace roadtune::engine
