// SPDX-License-Identifier: GPL-3.0-or-later
// roadtune: everything the studio does, from the command line.
#include "app/cli/command.h"
#include "core/base/json_text.h"
#include "core/base/progress.h"
#include "core/base/standard_streams.h"
#include "core/base/text.h"
#include "core/data/storage/storage.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>
#include <system_error>

namespace roadtune::cli {

std::vector<RegisteredCommand>& registeredCommands() {
  static std::vector<RegisteredCommand> commands;
  return commands;
}

Registration::Registration(std::string path, std::string help, SetUp setUp) {
  registeredCommands().push_back({std::move(path), std::move(help), std::move(setUp)});
}

namespace {

const std::map<std::string, std::string> kGroups = {
    {"data", "Open, search and export recordings"},
    {"config", "Check, create and compare run configurations"},
    {"model", "Look into checkpoints"},
    {"runs", "List, compare and export runs"},
    {"eval", "Score predictions"},
    {"fleet", "Other machines"},
    {"queue", "Let runs start one after another, here and on other machines"},
};

CLI::App* childOf(CLI::App& app, const std::string& name) {
  for (CLI::App* child : app.get_subcommands([&](CLI::App* candidate) { return candidate->get_name() == name; }))
    return child;
  return nullptr;
}

CLI::App& groupOf(CLI::App& root, const std::vector<std::string>& words) {
  CLI::App* at = &root;
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    CLI::App* next = childOf(*at, words[i]);
    if (!next) {
      next = at->add_subcommand(words[i], kGroups.at(words[i]));
      next->require_subcommand(1);
    }
    at = next;
  }
  return *at;
}

// A path without a name would be the folder one happens to stand in.
Status checkOut(const CLI::App& app) {
  const CLI::Option* out = app.get_option_no_throw("--out");
  if (out && out->count() > 0 && out->as<std::string>().empty())
    return badInput("is empty", "--out", "name a file or a folder");
  return {};
}

// Who reads progress as objects gets the end as one, too.
void tell(const CLI::App& app, const std::string& path, const Error& error) {
  const CLI::Option* progress = app.get_option_no_throw("--progress");
  if (!progress || progress->count() == 0 || progress->as<std::string>() != "json")
    return fmt::print(stderr, "roadtune {}: {}\n", path, error.text());
  const nlohmann::json line{{"error", error.text()}, {"command", path}, {"exit_code", exitCode(error.kind)}};
  fmt::print(stderr, "{}\n", jsonLine(line));
}

void addAll(CLI::App& root, int& code) {
  auto& commands = registeredCommands();
  std::sort(commands.begin(), commands.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  for (auto& command : commands) {
    const auto words = split(command.path, ' ');
    CLI::App* app = groupOf(root, words).add_subcommand(words.back(), command.help);
    app->callback([action = command.setUp(*app), path = command.path, app, &code] {
      const Status named = checkOut(*app);
      const Result<int> result = named.ok() ? action() : Result<int>(named.error());
      if (result.ok()) {
        code = result.value();
        return;
      }
      code = exitCode(result.error().kind);
      tell(*app, path, result.error());
    });
  }
}

// "roadtune dta info" -> the group or command that was meant.
std::string suggestion(CLI::App& root, int argc, char** argv) {
  CLI::App* at = &root;
  for (int i = 1; i < argc; ++i) {
    if (argv[i][0] == '-') break;
    if (CLI::App* next = childOf(*at, argv[i])) {
      at = next;
      continue;
    }
    std::vector<std::string> names;
    for (const CLI::App* child : at->get_subcommands([](CLI::App*) { return true; }))
      names.push_back(child->get_name());
    if (names.empty()) break;
    const std::string nearest = nearestWord(argv[i], names);
    return fmt::format("unknown command '{}' (try: {})", argv[i], nearest.empty() ? join(names, ", ") : nearest);
  }
  return {};
}

// What the parser would take for something else: `--prompt=` says that the prompt is empty, not that it is the next
// word; and "[a]" is the name of a file where there is one, not a list.
std::vector<std::string> wordsOf(int argc, char** argv) {
  std::vector<std::string> words;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    std::error_code unknown;
    if (word.starts_with('[') && word.ends_with(']') && std::filesystem::exists(word, unknown)) {
      words.push_back("./" + std::string(word));
      continue;
    }
    const bool emptied = word.size() > 3 && word.starts_with("--") && word.find('=') == word.size() - 1;
    words.emplace_back(emptied ? word.substr(0, word.size() - 1) : word);
    if (emptied) words.emplace_back();
  }
  return words;
}

int runProgram(int argc, char** argv) {
  int code = kExitDone;
  CLI::App root("Roadtune: fine-tune PaliGemma on driving data", "roadtune");
  root.set_version_flag("--version", "roadtune " ROADTUNE_VERSION);
  root.require_subcommand(1);
  addAll(root, code);
  try {
    auto words = wordsOf(argc, argv);
    std::reverse(words.begin(), words.end());  // as the parser wants them
    root.parse(std::move(words));
  } catch (const CLI::Success& success) {
    return root.exit(success);
  } catch (const CLI::ParseError& error) {
    const std::string better = suggestion(root, argc, argv);
    fmt::print(
        stderr,
        "roadtune: {}\nroadtune: `roadtune --help` lists the commands, `roadtune COMMAND --help` the options of one\n",
        better.empty() ? error.what() : better);
    return kExitBadInput;
  }
  return code;
}

// What was printed may not have arrived: `why` is the system's number. Of a reader that left nothing is said.
int delivered(int code, int why) {
  if (why == 0 || why == EPIPE) return code;
  fmt::print(stderr, "roadtune: cannot write the output: {}\n", std::strerror(why));
  return code == kExitDone ? kExitFailed : code;
}

int unexpected(const std::exception& error) {
  fmt::print(stderr, "roadtune: unexpected failure: {}\n", error.what());
  return kExitFailed;
}

}  // namespace
}  // namespace roadtune::cli

int main(int argc, char** argv) {
  roadtune::keepStandardStreams();
  std::signal(SIGPIPE, SIG_IGN);
  const roadtune::data::StorageShutdown shutdown;
  try {
    const int code = roadtune::cli::runProgram(argc, argv);
    return roadtune::cli::delivered(code, std::fflush(stdout) == 0 ? 0 : errno);
  } catch (const std::system_error& error) {
    if (std::ferror(stdout) == 0) return roadtune::cli::unexpected(error);
    // In the middle of its work: a reader that has seen enough is no failure.
    const int why = error.code().value();
    return why == EPIPE ? roadtune::kExitDone : roadtune::cli::delivered(roadtune::kExitFailed, why);
  } catch (const std::exception& error) {
    return roadtune::cli::unexpected(error);
  }
}
