// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/integration/matrix/matrix_page.h"

#include "core/base/files.h"

#include <cstdlib>

namespace roadtune::testing {

namespace {

constexpr const char* kPage = ROADTUNE_SOURCE_DIR "/resources/docs/kill-matrix.md";
constexpr const char* kBeginning =
    "# Kill matrix\n\n"
    "What happens to a run when one of its parts is hit. Written by tests:\n"
    "`for t in matrix hosts; do ROADTUNE_FULL_MATRIX=1 build/release/bin/test_integration_$t "
    "--gtest_filter='*Matrix*'; "
    "done`;\n"
    "a sample of it runs with every test run. \"Exact\": after `roadtune resume` the run shows every step, and "
    "repeated "
    "ones with\nthe loss they had before.\n\n";

}  // namespace

Status writeMatrixChapter(const std::string& title, const std::string& text) {
  std::string page = readFile(kPage).valueOr("");
  const std::string head = "## " + title + "\n";
  const auto first = page.find("## ");
  std::string rest = first == std::string::npos ? "" : page.substr(first);
  if (const auto at = rest.find(head); at != std::string::npos) {
    const auto end = rest.find("\n## ", at);
    rest = rest.substr(0, at) + head + "\n" + text + (end == std::string::npos ? "" : rest.substr(end));
  } else {
    rest += (rest.empty() ? "" : "\n") + head + "\n" + text;
  }
  return writeFileAtomically(kPage, kBeginning + rest);
}

bool fullMatrixWanted() {
  const char* wish = std::getenv("ROADTUNE_FULL_MATRIX");
  return wish && *wish == '1';
}

}  // namespace roadtune::testing
