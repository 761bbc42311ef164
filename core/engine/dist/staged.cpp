// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/dist/staged.h"

namespace roadtune::engine {
namespace {

// What came over the network is copied to its place when it is waited for.
class StagedTransfer final : public Transfer {
 public:
  StagedTransfer(std::unique_ptr<Transfer> inner, at::Tensor from, at::Tensor into)
      : m_inner(std::move(inner)), m_from(std::move(from)), m_into(std::move(into)) {}
  void wait() override {
    m_inner->wait();
    m_into.copy_(m_from);
  }

 private:
  std::unique_ptr<Transfer> m_inner;
  at::Tensor m_from, m_into;
};

class StagedRanks final : public Communicator {
 public:
  explicit StagedRanks(std::unique_ptr<Communicator> host) : m_host(std::move(host)) {}
  using Communicator::highest;
  using Communicator::sum;

  int rank() const override { return m_host->rank(); }
  int size() const override { return m_host->size(); }
  void barrier() override { m_host->barrier(); }
  void close() override { m_host->close(); }

  void sum(at::Tensor& tensor) override {
    auto copy = tensor.to(at::kCPU);
    m_host->sum(copy);
    if (!tensor.is_cpu()) tensor.copy_(copy);
  }
  void highest(at::Tensor& tensor) override {
    auto copy = tensor.to(at::kCPU);
    m_host->highest(copy);
    if (!tensor.is_cpu()) tensor.copy_(copy);
  }
  std::unique_ptr<Transfer> startSum(at::Tensor tensor) override {
    if (tensor.is_cpu()) return m_host->startSum(std::move(tensor));
    const auto copy = tensor.to(at::kCPU);
    return std::make_unique<StagedTransfer>(m_host->startSum(copy), copy, std::move(tensor));
  }
  std::unique_ptr<Transfer> startGather(at::Tensor whole, at::Tensor mine) override {
    if (whole.is_cpu()) return m_host->startGather(std::move(whole), std::move(mine));
    const auto copy = whole.to(at::kCPU);
    return std::make_unique<StagedTransfer>(m_host->startGather(copy, mine.to(at::kCPU)), copy, std::move(whole));
  }
  std::unique_ptr<Transfer> startExchange(at::Tensor incoming, at::Tensor outgoing) override {
    if (incoming.is_cpu()) return m_host->startExchange(std::move(incoming), std::move(outgoing));
    const auto copy = incoming.to(at::kCPU);
    return std::make_unique<StagedTransfer>(m_host->startExchange(copy, outgoing.to(at::kCPU)), copy,
                                            std::move(incoming));
  }
  std::unique_ptr<Communicator> part(const std::string& name, int rank, int size) override {
    return std::make_unique<StagedRanks>(m_host->part(name, rank, size));
  }

 private:
  std::unique_ptr<Communicator> m_host;
};

}  // namespace

std::unique_ptr<Communicator> staged(std::unique_ptr<Communicator> host) {
  return std::make_unique<StagedRanks>(std::move(host));
}

}  // namespace roadtune::engine
