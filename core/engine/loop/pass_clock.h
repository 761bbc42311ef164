// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <c10/core/Device.h>
#include <c10/core/Event.h>

#include <memory>
#include <vector>

namespace roadtune::engine {

// Time that the device spends between marks. On a GPU marks are events in the stream: nobody waits for them, and the
// seconds are known once settle() is called. On the CPU they are known at once.
class PassClock {
 public:
  explicit PassClock(const at::Device& device) : m_device(device) {}

  void start();                           // what happened since the last mark belongs to nothing
  void goOnFrom(const PassClock& other);  // on a GPU: as if its last mark were one of this clock, which has none yet
  void lap(double& into);  // the time since the last mark belongs to `into`, which must live until settle()
  void settle();           // once the stream has come to the last mark

 private:
  struct Lap {
    std::shared_ptr<c10::Event> end;
    double* into;  // null: a start
  };
  void mark(double* into);

  at::Device m_device;
  double m_last = 0;
  std::vector<Lap> m_laps;
};

}  // namespace roadtune::engine
