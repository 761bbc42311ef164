// SPDX-License-Identifier: GPL-3.0-or-later
// The only source but the GPU plugin's that sees c10d: its headers are as heavy as torch's umbrella.
#include "core/base/files.h"
#include "core/base/host_name.h"
#include "core/engine/cuda/plugin.h"
#include "core/engine/dist/communicator.h"
#include "core/engine/reduce_probe.h"

#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <stdexcept>
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

constexpr std::chrono::seconds kMeeting{6}, kPairLimit{2}, kGroupLimit{4}, kRoundLimit{15}, kCardLimit{30};
constexpr std::int64_t kPairNumbers = (1 << 20) / 4, kGroupNumbers = (4 << 20) / 4;

// How the ranks of one look come together.
struct Meeting {
  const RankEnvironment& environment;
  c10::intrusive_ptr<c10d::Store> store;
  std::shared_ptr<gloo::transport::Device> device;
  bool nccl = false;
};

// A group for one look, on a store of its own.
std::unique_ptr<Communicator> groupOf(const Meeting& meeting, const std::string& name, int rank, int size,
                                      std::chrono::seconds limit) {
  const auto options = c10d::ProcessGroupGloo::Options::create(limit);
  options->devices.push_back(meeting.device);
  const auto own = c10::make_intrusive<c10d::PrefixStore>(name, meeting.store);
  own->setTimeout(limit);
  auto ranks = std::make_unique<GlooRanks>(own, options, rank, size);
  if (!meeting.nccl) return ranks;
  ranks->barrier();  // a rank that is out of reach shows here, within the limit; NCCL would wait for it for good
  const std::string group = "nccl/" + name;
  const cuda::NcclRequest request{rank,
                                  size,
                                  cuda::activeIndex(),
                                  static_cast<int>(kCardLimit.count()),
                                  meeting.environment.masterAddress.c_str(),
                                  meeting.environment.masterPort,
                                  group.c_str(),
                                  ranks.release()};
  std::array<char, 512> words{};
  auto* cards = cuda::activePlugin()->connectNccl(request, words.data(), words.size());
  if (!cards) throw std::runtime_error(std::string("NCCL: ") + words.data());
  return std::unique_ptr<Communicator>(cards);
}

double secondsToSum(Communicator& ranks, std::int64_t numbers, bool onCard) {
  const auto place = onCard ? at::Device(at::kCUDA, static_cast<c10::DeviceIndex>(cuda::activeIndex())) : at::kCPU;
  auto tensor = at::ones({numbers}, at::TensorOptions().dtype(at::kFloat).device(place));
  const auto once = [&] {
    ranks.sum(tensor);
    if (onCard) tensor.narrow(0, 0, 1).to(at::kCPU);  // waits for the card
  };
  once();  // the first one makes connections
  // The best of a few: a machine that was busy for a moment has no slow link.
  double best = std::numeric_limits<double>::infinity();
  for (int round = 0; round < 3; ++round) {
    const auto began = std::chrono::steady_clock::now();
    once();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
  }
  if (onCard) ranks.close();  // NCCL wants a goodbye; over Gloo it would be one more thing to wait for
  return best;
}

// Every rank tells what it brings, and reads what the others do.
std::vector<std::string> tellMeans(const RankEnvironment& environment, const c10::intrusive_ptr<c10d::Store>& store) {
  const auto card = cuda::startDevice(0);
  const auto text = [](const std::string& words) { return std::vector<std::uint8_t>(words.begin(), words.end()); };
  const auto key = [](const char* what, int rank) { return std::string(what) + "/" + std::to_string(rank); };
  store->set(key("obstacle", environment.rank), text(card.ok() ? std::string() : card.error().what));
  store->set(key("machine", environment.rank), text(readFile("/proc/sys/kernel/random/boot_id").valueOr(hostName())));
  std::vector<ReduceMeans> means;
  for (int rank = 0; rank < environment.worldSize; ++rank) {
    store->wait({key("obstacle", rank), key("machine", rank)}, kCardLimit);
    means.push_back({store->get_to_str(key("obstacle", rank)), store->get_to_str(key("machine", rank))});
  }
  return obstaclesToNccl(means);
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

ReduceReport probe(const RankEnvironment& environment, const CommunicatorOptions& options) {
  ReduceReport report{.rank = environment.rank, .size = environment.worldSize, .pairs = {}};
  CommunicatorOptions hasty = options;
  hasty.timeoutSeconds = static_cast<int>(kMeeting.count());
  const auto store = meet(environment, hasty);
  report.obstacles = tellMeans(environment, store);
  const bool nccl =
      std::all_of(report.obstacles.begin(), report.obstacles.end(), [](const auto& words) { return words.empty(); });
  report.backend = nccl ? "nccl" : "gloo";
  const Meeting meeting{environment, store, deviceFor(environment, options), nccl};
  const int places = environment.worldSize + environment.worldSize % 2;
  for (int round = 0; round + 1 < places; ++round) {
    const int other = opponent(environment.rank, round, environment.worldSize);
    if (other != environment.rank) {
      const int low = std::min(other, environment.rank), high = std::max(other, environment.rank);
      ReduceReport::Pair pair{.other = other};
      try {
        const auto ranks = groupOf(meeting, "pair/" + std::to_string(low) + "-" + std::to_string(high),
                                   environment.rank == low ? 0 : 1, 2, kPairLimit);
        pair.seconds = secondsToSum(*ranks, kPairNumbers, nccl);
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
    if (store->add("failed", 0) == 0) {
      const auto ranks = groupOf(meeting, "all", environment.rank, environment.worldSize, kGroupLimit);
      report.seconds = secondsToSum(*ranks, kGroupNumbers, nccl);
    }
  } catch (const std::exception& error) {
    const std::string words = error.what();
    report.error = words.substr(0, words.find('\n'));
  }
  endRound(store, "end", environment.worldSize);
  // The store lives in the first rank: it stays until everybody has said the last word to it.
  if (environment.rank == 0)
    endRound(store, "gone", environment.worldSize);
  else
    store->add("gone", 1);
  return report;
}

}  // namespace

std::vector<std::string> obstaclesToNccl(const std::vector<ReduceMeans>& means) {
  std::vector<std::string> obstacles;
  for (const auto& mine : means) {
    const auto same =
        std::count_if(means.begin(), means.end(), [&](const auto& m) { return m.machine == mine.machine; });
    obstacles.push_back(mine.obstacle.empty() && same > 1 ? "shares its card with another rank" : mine.obstacle);
  }
  return obstacles;
}

Result<ReduceReport> probeReduce() {
  ROADTUNE_TRY(const RankEnvironment environment, rankEnvironment());
  try {
    return probe(environment, {});
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
