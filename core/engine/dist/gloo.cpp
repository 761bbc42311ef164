// SPDX-License-Identifier: GPL-3.0-or-later
// The only source that sees c10d: its headers are as heavy as torch's umbrella.
#include "core/engine/dist/communicator.h"

#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include <chrono>
#include <cstdlib>
#include <string_view>

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

}  // namespace

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
