// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <netinet/in.h>

namespace roadtune::testing {

inline sockaddr_in loopback(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  return address;
}

}  // namespace roadtune::testing
