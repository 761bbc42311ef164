// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/engine/loop/rank_environment.h"

#include <ATen/core/Tensor.h>

#include <memory>
#include <string>
#include <vector>

namespace roadtune::engine {

// Something under way between ranks. Destroying it without wait() is allowed; the tensors must then outlive the
// communicator.
class Transfer {
 public:
  virtual ~Transfer() = default;
  virtual void wait() = 0;
  // Has it really happened? Between GPUs, wait() only lets the stream wait. Asked from any thread, after wait().
  virtual bool over() { return true; }
};

// What the ranks of a run say to one another. Every rank calls the same functions in the same order; with one rank
// nothing happens. Failures of the network throw, as torch does; the trainer's boundary turns them into errors.
class Communicator {
 public:
  virtual ~Communicator() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  virtual void sum(at::Tensor& tensor) = 0;      // in place, contiguous
  virtual void highest(at::Tensor& tensor) = 0;  // element-wise maximum, in place
  virtual void barrier() = 0;

  // The same without waiting, for contiguous tensors that nobody touches before wait().
  virtual std::unique_ptr<Transfer> startSum(at::Tensor tensor) = 0;
  // `whole` becomes all ranks' `mine`, in the order of ranks.
  virtual std::unique_ptr<Transfer> startGather(at::Tensor whole, at::Tensor mine) = 0;
  // `outgoing` is one equal part per rank; `incoming` becomes the parts that all ranks have for this one.
  virtual std::unique_ptr<Transfer> startExchange(at::Tensor incoming, at::Tensor outgoing) = 0;

  // Ranks that call this with the same name make a smaller group, each with its place in it.
  virtual std::unique_ptr<Communicator> part(const std::string& name, int rank, int size) = 0;

  virtual void close() {}  // all ranks are done with it

  static std::unique_ptr<Communicator> alone();  // a group of one

  std::vector<double> sum(const std::vector<double>& values);
  std::vector<double> highest(const std::vector<double>& values);
  double sum(double value) { return sum(std::vector<double>{value})[0]; }
  bool any(bool value) { return highest(std::vector<double>{value ? 1.0 : 0.0})[0] > 0; }
};

struct CommunicatorOptions {
  int timeoutSeconds = 1800;
  std::string interfaceName = {};  // network interface; empty: chosen
};

// Meets the other ranks at MASTER_ADDR:MASTER_PORT. A port in use and a leader that does not answer are told apart.
Result<std::unique_ptr<Communicator>> connectRanks(const RankEnvironment& environment,
                                                   const CommunicatorOptions& options);

// The Gloo half of connectRanks(), for two ranks or more.
Result<std::unique_ptr<Communicator>> connectGloo(const RankEnvironment& environment,
                                                  const CommunicatorOptions& options);

}  // namespace roadtune::engine
