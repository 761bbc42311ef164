// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/cuda/plugin/nccl.h"

#include "core/engine/dist/communicator.h"

#include <c10/cuda/CUDAEvent.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include <algorithm>
#include <chrono>

namespace roadtune::engine::cuda {
namespace {

using StorePointer = c10::intrusive_ptr<c10d::Store>;

using Group = c10::intrusive_ptr<c10d::ProcessGroupNCCL>;

// wait() lets the current stream wait, not the processor. What it received is not kept until it is over: an event in
// the stream says when that is.
class NcclTransfer final : public Transfer {
 public:
  NcclTransfer(Group group, c10::intrusive_ptr<c10d::Work> work) : m_group(std::move(group)), m_work(std::move(work)) {}
  void wait() override {
    m_work->wait();
    m_work.reset();
    m_event.record();
  }
  bool over() override {
    try {
      const c10::cuda::CUDAGuard guard(m_event.device_index());  // asking from elsewhere may open another card
      return m_event.query() && m_group->getError() == c10d::ErrorType::SUCCESS;
    } catch (const std::exception&) {  // the card itself failed
      return false;
    }
  }

 private:
  Group m_group;
  c10::intrusive_ptr<c10d::Work> m_work;
  c10::cuda::CUDAEvent m_event;
};

class NcclRanks final : public Communicator {
 public:
  NcclRanks(StorePointer store, int rank, int size, int device, int timeoutSeconds, std::unique_ptr<Communicator> host)
      : m_store(std::move(store)), m_device(device), m_timeoutSeconds(timeoutSeconds), m_host(std::move(host)) {
    const c10::cuda::CUDAGuard guard(static_cast<c10::DeviceIndex>(device));
    auto options = c10d::ProcessGroupNCCL::Options::create(/*is_high_priority_stream=*/true);
    options->timeout = std::chrono::seconds(timeoutSeconds);
    m_group = c10::make_intrusive<c10d::ProcessGroupNCCL>(m_store, rank, size, options);
    // At once: what is wrong with the network shows before the model is loaded.
    m_group->eagerConnectSingleDevice(at::Device(at::kCUDA, static_cast<c10::DeviceIndex>(device)));
  }

  // Parts of a group are never closed by themselves; torch says so where a group goes that is still open.
  ~NcclRanks() override {
    try {
      if (!m_closed) m_group->shutdown();
    } catch (const std::exception&) {  // the network failed, and has been spoken of
    }
  }

  int rank() const override { return m_group->getRank(); }
  int size() const override { return m_group->getSize(); }
  void sum(at::Tensor& tensor) override { reduce(tensor, c10d::ReduceOp::SUM); }
  void highest(at::Tensor& tensor) override { reduce(tensor, c10d::ReduceOp::MAX); }
  void barrier() override { m_host->barrier(); }

  void close() override {
    c10d::BarrierOptions options;
    options.device_ids = {m_device};
    m_group->barrier(options)->wait();
    m_host->close();
    m_group->shutdown();
    m_closed = true;
  }

  std::unique_ptr<Transfer> startSum(at::Tensor tensor) override {
    if (!tensor.is_cuda()) return m_host->startSum(std::move(tensor));
    std::vector<at::Tensor> tensors{tensor};
    return std::make_unique<NcclTransfer>(m_group, m_group->allreduce(tensors));
  }

  std::unique_ptr<Transfer> startGather(at::Tensor whole, at::Tensor mine) override {
    if (!whole.is_cuda()) return m_host->startGather(std::move(whole), std::move(mine));
    auto out = whole.view(at::kByte), in = mine.view(at::kByte);
    return std::make_unique<NcclTransfer>(m_group, m_group->_allgather_base(out, in));
  }

  std::unique_ptr<Transfer> startExchange(at::Tensor incoming, at::Tensor outgoing) override {
    if (!incoming.is_cuda()) return m_host->startExchange(std::move(incoming), std::move(outgoing));
    auto out = incoming.view(at::kByte), in = outgoing.view(at::kByte);
    std::vector<std::int64_t> even;
    return std::make_unique<NcclTransfer>(m_group, m_group->alltoall_base(out, in, even, even));
  }

  std::unique_ptr<Communicator> part(const std::string& name, int rank, int size) override {
    return std::make_unique<NcclRanks>(c10::make_intrusive<c10d::PrefixStore>(name, m_store), rank, size, m_device,
                                       m_timeoutSeconds, m_host->part(name, rank, size));
  }

 private:
  void reduce(at::Tensor& tensor, c10d::ReduceOp::RedOpType operation) {
    if (!tensor.is_cuda()) {
      operation == c10d::ReduceOp::SUM ? m_host->sum(tensor) : m_host->highest(tensor);
      return;
    }
    std::vector<at::Tensor> tensors{tensor};
    c10d::AllreduceOptions options;
    options.reduceOp = operation;
    m_group->allreduce(tensors, options)->wait();
  }

  StorePointer m_store;
  int m_device, m_timeoutSeconds;
  std::unique_ptr<Communicator> m_host;
  Group m_group;
  bool m_closed = false;
};

}  // namespace

Communicator* connectNccl(const NcclRequest& request) {
  std::unique_ptr<Communicator> host(request.host);
  c10d::TCPStoreOptions options;  // the host's communicator serves it already
  options.port = static_cast<std::uint16_t>(request.port);
  options.isServer = false;
  options.waitWorkers = false;
  options.timeout = std::chrono::seconds(std::min(request.timeoutSeconds, 300));
  auto store = c10::make_intrusive<c10d::PrefixStore>(request.name,
                                                      c10::make_intrusive<c10d::TCPStore>(request.address, options));
  return std::make_unique<NcclRanks>(std::move(store), request.rank, request.size, request.device,
                                     request.timeoutSeconds, std::move(host))
      .release();
}

}  // namespace roadtune::engine::cuda
