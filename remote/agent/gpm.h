// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>
#include <optional>
#include <vector>

namespace roadtune::remote {

// How busy the parts of a card were, averaged between two looks. Percent of their peak, and bytes per second.
struct PartActivity {
  std::optional<double> sm, tensor, dram;
  std::optional<double> pcieReceived, pcieSent;
  std::optional<double> nvlinkReceived, nvlinkSent;
};

// The counters that cards from Hopper on keep of their parts, read through the driver's management library. One thread.
class Gpm {
 public:
  // `library` is the open one and outlives this. A library without these calls, or a card that keeps no such counters,
  // tells nothing.
  explicit Gpm(void* library);
  ~Gpm();
  Gpm(const Gpm&) = delete;
  Gpm& operator=(const Gpm&) = delete;

  // Since the look before at the same card; nothing the first time.
  PartActivity look(void* device);

 private:
  struct Calls;
  struct Card {
    void* device;
    void* before = nullptr;  // samples of the library's; `before` is null until the first look
    void* now = nullptr;
    bool refused = false;
  };
  Card& cardOf(void* device);
  bool take(Card& card) const;

  std::unique_ptr<Calls> m_calls;
  std::vector<Card> m_cards;
};

}  // namespace roadtune::remote
