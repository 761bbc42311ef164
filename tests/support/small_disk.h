// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <fstream>
#include <string>
#include <sys/mount.h>
#include <utility>

namespace roadtune::testing {

// A file system of its own, gone with the object; not mounted where that is not allowed.
class SmallDisk {
 public:
  SmallDisk(std::filesystem::path at, const std::string& options, unsigned long flags = 0) : m_at(std::move(at)) {
    std::filesystem::create_directories(m_at);
    m_mounted = ::mount("tmpfs", m_at.c_str(), "tmpfs", flags, options.c_str()) == 0;
  }
  ~SmallDisk() {
    if (m_mounted) ::umount2(m_at.c_str(), MNT_DETACH);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  bool mounted() const { return m_mounted; }

  // To the last byte, with the file of that name.
  void fill(const std::string& file = "ballast") const {
    std::ofstream ballast(m_at / file, std::ios::binary | std::ios::app);
    const std::string page(4096, 'x');
    while (ballast.write(page.data(), static_cast<std::streamsize>(page.size())).flush())
      ;
  }

 private:
  std::filesystem::path m_at;
  bool m_mounted = false;
};

}  // namespace roadtune::testing
