// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/ssh/host_key.h"

#include "core/base/files.h"

#include <fmt/format.h>
#include <libssh/libssh.h>

#include <sys/stat.h>

namespace roadtune::remote {

namespace {

Result<UnknownKey> describeKey(ssh_session session, const HostSpec& host) {
  ssh_key key = nullptr;
  if (ssh_get_server_publickey(session, &key) != SSH_OK) return failed("the server showed no host key", host.label());
  UnknownKey described{host.label(), ssh_key_type_to_char(ssh_key_type(key)), {}};
  unsigned char* hash = nullptr;
  std::size_t length = 0;
  if (ssh_get_publickey_hash(key, SSH_PUBLICKEY_HASH_SHA256, &hash, &length) == 0) {
    char* text = ssh_get_fingerprint_hash(SSH_PUBLICKEY_HASH_SHA256, hash, length);
    described.fingerprint = text ? text : "";
    ssh_string_free_char(text);
    ssh_clean_pubkey_hash(&hash);
  }
  ssh_key_free(key);
  return described;
}

// What known_hosts calls the host, as ssh-keygen wants to hear it. An alias stands alone, whatever the port.
std::string entryOf(const HostSpec& host) {
  if (!host.hostKeyAlias.empty()) return host.hostKeyAlias;
  return host.port == 22 ? host.hostName : fmt::format("[{}]:{}", host.hostName, host.port);
}

Status askAndStore(ssh_session session, const HostSpec& host, const Prompts& prompts) {
  ROADTUNE_TRY(const UnknownKey key, describeKey(session, host));
  if (!prompts.trustUnknownKey || !prompts.trustUnknownKey(key))
    return badInput(fmt::format("unknown host key {} {}", key.type, key.fingerprint), host.label(),
                    "compare the fingerprint with the machine's own (ssh-keygen -lf "
                    "/etc/ssh/ssh_host_ed25519_key.pub), then trust it (--trust-host-key)");
  const fs::path file = host.knownHostsFile;
  ROADTUNE_CHECK(makeFolders(file.parent_path()));
  if (ssh_session_update_known_hosts(session) != SSH_OK)
    return failed(fmt::format("the key could not be stored: {}", ssh_get_error(session)), file.string(),
                  "check that the file can be written");
  ::chmod(file.c_str(), 0600);
  return {};
}

}  // namespace

Status checkHostKey(ssh_session session, const HostSpec& host, const Prompts& prompts) {
  switch (ssh_session_is_known_server(session)) {
    case SSH_KNOWN_HOSTS_OK: return {};
    case SSH_KNOWN_HOSTS_NOT_FOUND:
    case SSH_KNOWN_HOSTS_UNKNOWN: return askAndStore(session, host, prompts);
    case SSH_KNOWN_HOSTS_CHANGED:
    case SSH_KNOWN_HOSTS_OTHER: {
      ROADTUNE_TRY(const UnknownKey key, describeKey(session, host));
      return badInput(
          fmt::format("THE {}: the server now shows {} {}. Someone may be in between, or the machine was set up anew",
                      kHostKeyChanged, key.type, key.fingerprint),
          host.label(),
          fmt::format("ask its administrator; only if the change is real: ssh-keygen -R '{}' -f {}", entryOf(host),
                      host.knownHostsFile));
    }
    case SSH_KNOWN_HOSTS_ERROR: break;
  }
  return failed(fmt::format("the host key could not be checked: {}", ssh_get_error(session)), host.label());
}

}  // namespace roadtune::remote
