// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/unique_fd.h"
#include "tests/support/temp_folder.h"

#include <memory>
#include <string>
#include <sys/types.h>
#include <vector>

namespace roadtune::testing {

// How a machine of a network lets people in.
struct Door {
  enum class Kind { Key, LockedKey, Interactive, Password };
  Kind kind = Kind::Key;
  std::string secret = {};  // the passphrase, or the password
};

// Several machines on this one: network namespaces on a bridge, each with a real sshd, a host key and a home of its
// own. They share the file system and the process table. Needs root; everything is taken down with the object.
class TestNetwork {
 public:
  explicit TestNetwork(int hosts, const std::vector<Door>& doors = {});  // keys, where no door is given
  ~TestNetwork();
  TestNetwork(const TestNetwork&) = delete;
  TestNetwork& operator=(const TestNetwork&) = delete;

  static bool available();  // root, ip netns works, sshd installed

  std::string name(int host) const;  // "host1"
  std::string address(int host) const;
  std::filesystem::path home(int host) const;  // HOME of commands there
  std::string sshConfig() const;               // for ROADTUNE_SSH_CONFIG; every host key is known
  std::string hosts() const;                   // "host1,host2,..."
  const std::filesystem::path& folder() const { return m_folder.path(); }  // homes, keys and sshd's logs
  void cable(int host, bool plugged) const;                                // ip link set up | down
  void forgetHostKey(int host) const;                                      // it is unknown from now on
  void limitRate(int host, const std::string& rate) const;                 // of what it sends: "100mbit"; -1: we
  void breakSessions(int host) const;                                      // kills what sshd has started there
  // What it sends is delayed and lost, in the words of `tc netem`; false where the kernel cannot.
  bool impair(int host, const std::vector<std::string>& words) const;
  // Packets that are lost, in per cent and each way; false where nft cannot.
  bool losePackets(int host, int percent) const;
  // An empty tmpfs in the folder's place, seen by that machine only: "ro", "size=64k".
  void mountThere(int host, const std::filesystem::path& folder, const std::string& options) const;
  void onDisk(int host, const std::vector<std::string>& command) const;  // a command that sees what is mounted there
  void closeWay(int from, int to) const;  // packets from one to the other are refused at once; -1: us
  void openWay(int from, int to) const;
  // Commands started from now on know the hosts by their names. Asked for before anything runs there.
  void nameHosts() const;
  // The words that run a command there, under the host's own name.
  std::vector<std::string> on(int host, const std::vector<std::string>& command) const;

 private:
  std::string ns(int host) const;
  std::filesystem::path ownFiles(int host) const;  // /etc of commands in the namespace
  void startSshd(int host, const Door& door);
  std::string keyOf(int host, const Door& door) const;
  std::string settingsOf(int host, const Door& door) const;  // for sshd
  TempFolder m_folder;
  std::string m_tag;
  UniqueFd m_claim;  // keeps other tests off the subnet
  std::string m_subnet;
  int m_count;
  std::vector<pid_t> m_daemons;
};

}  // namespace roadtune::testing
