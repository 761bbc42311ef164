// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/dist/recorded.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace roadtune::engine {
namespace {

using Log = std::shared_ptr<protocol::ExchangeLog>;

// Looks after transfers that the stream waits for, so that the log is right also while the rank hangs somewhere else.
class StreamWatch {
 public:
  explicit StreamWatch(Log log) : m_log(std::move(log)) {}
  ~StreamWatch() { end(); }
  StreamWatch(const StreamWatch&) = delete;
  StreamWatch& operator=(const StreamWatch&) = delete;

  void add(std::unique_ptr<Transfer> transfer, std::uint64_t number) {
    const std::lock_guard lock(m_mutex);
    m_open.emplace_back(std::move(transfer), number);
    if (!m_thread.joinable()) m_thread = std::jthread([this](const std::stop_token& stop) { run(stop); });
    m_changed.notify_one();
  }

  void end() {
    if (!m_thread.joinable()) return;
    m_thread.request_stop();
    m_thread.join();
    look();
    m_open.clear();
  }

 private:
  static constexpr std::chrono::milliseconds kPause{50};

  void run(const std::stop_token& stop) {
    std::unique_lock lock(m_mutex);
    while (m_changed.wait(lock, stop, [this] { return !m_open.empty(); }) && !stop.stop_requested()) {
      look();
      m_changed.wait_for(lock, stop, kPause, [] { return false; });
    }
  }

  void look() {
    std::erase_if(m_open, [this](const auto& open) {
      const bool over = open.first->over();
      if (over) m_log->finish(open.second);
      return over;
    });
  }

  Log m_log;
  std::mutex m_mutex;
  std::condition_variable_any m_changed;
  std::vector<std::pair<std::unique_ptr<Transfer>, std::uint64_t>> m_open;
  std::jthread m_thread;
};

class RecordedTransfer final : public Transfer {
 public:
  RecordedTransfer(std::unique_ptr<Transfer> transfer, Log log, std::shared_ptr<StreamWatch> watch,
                   std::uint64_t number)
      : m_transfer(std::move(transfer)), m_log(std::move(log)), m_watch(std::move(watch)), m_number(number) {}
  // One that nobody waited for is over with its caller; one that failed is not.
  ~RecordedTransfer() override {
    if (!m_waited) m_log->finish(m_number);
  }
  RecordedTransfer(const RecordedTransfer&) = delete;
  RecordedTransfer& operator=(const RecordedTransfer&) = delete;
  void wait() override {
    if (std::exchange(m_waited, true)) return;
    m_transfer->wait();
    if (m_transfer->over())
      m_log->finish(m_number);
    else
      m_watch->add(std::move(m_transfer), m_number);
  }

 private:
  bool m_waited = false;
  std::unique_ptr<Transfer> m_transfer;
  Log m_log;
  std::shared_ptr<StreamWatch> m_watch;
  std::uint64_t m_number;
};

class RecordedRanks final : public Communicator {
 public:
  RecordedRanks(std::unique_ptr<Communicator> ranks, Log log, std::string group)
      : m_ranks(std::move(ranks)),
        m_log(std::move(log)),
        m_watch(std::make_shared<StreamWatch>(m_log)),
        m_group(std::move(group)) {}

  int rank() const override { return m_ranks->rank(); }
  int size() const override { return m_ranks->size(); }
  void sum(at::Tensor& tensor) override {
    now("sum", tensor.nbytes(), [&] { m_ranks->sum(tensor); });
  }
  void highest(at::Tensor& tensor) override {
    now("highest", tensor.nbytes(), [&] { m_ranks->highest(tensor); });
  }
  void barrier() override {
    now("barrier", 0, [&] { m_ranks->barrier(); });
  }
  std::unique_ptr<Transfer> startSum(at::Tensor tensor) override {
    const auto number = m_log->begin("sum", m_group, tensor.nbytes());
    return later(m_ranks->startSum(std::move(tensor)), number);
  }
  std::unique_ptr<Transfer> startGather(at::Tensor whole, at::Tensor mine) override {
    const auto number = m_log->begin("gather", m_group, whole.nbytes());
    return later(m_ranks->startGather(std::move(whole), std::move(mine)), number);
  }
  std::unique_ptr<Transfer> startExchange(at::Tensor incoming, at::Tensor outgoing) override {
    const auto number = m_log->begin("swap", m_group, outgoing.nbytes());
    return later(m_ranks->startExchange(std::move(incoming), std::move(outgoing)), number);
  }
  std::unique_ptr<Communicator> part(const std::string& name, int rank, int size) override {
    const auto number = m_log->begin("meeting", name, 0);
    auto made = m_ranks->part(name, rank, size);
    m_log->finish(number);
    return std::make_unique<RecordedRanks>(std::move(made), m_log, name);
  }
  void close() override {
    m_watch->end();  // nobody may ask about a group that is being closed
    now("farewell", 0, [&] { m_ranks->close(); });
  }

 private:
  template <class Work>
  void now(const char* what, std::size_t bytes, Work work) {
    const auto number = m_log->begin(what, m_group, bytes);
    work();
    m_log->finish(number);
  }
  std::unique_ptr<Transfer> later(std::unique_ptr<Transfer> transfer, std::uint64_t number) {
    return std::make_unique<RecordedTransfer>(std::move(transfer), m_log, m_watch, number);
  }

  std::unique_ptr<Communicator> m_ranks;
  Log m_log;
  std::shared_ptr<StreamWatch> m_watch;
  std::string m_group;
};

}  // namespace

std::unique_ptr<Communicator> recorded(std::unique_ptr<Communicator> ranks,
                                       std::shared_ptr<protocol::ExchangeLog> log) {
  if (ranks->size() == 1) return ranks;
  return std::make_unique<RecordedRanks>(std::move(ranks), std::move(log), "");
}

}  // namespace roadtune::engine
