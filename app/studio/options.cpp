// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/options.h"

#include "app/studio/language.h"
#include "core/base/exit_code.h"

#include <QCommandLineParser>
#include <QCoreApplication>
#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>
#include <cstdio>
#include <string_view>
#include <vector>

namespace roadtune::studio {
namespace {

Result<QString> folderOf(const QCommandLineParser& parser, const QString& option) {
  const QString given = parser.value(option);
  if (given.isEmpty()) return QString();
  const QFileInfo info(given);
  if (!info.exists()) {
    return badInput("there is no such file or folder", given.toStdString(),
                    "check the path after --" + option.toStdString());
  }
  return info.absoluteFilePath();
}

}  // namespace

Result<Options> parseOptions(const QStringList& arguments) {
  QCommandLineParser parser;
  parser.setApplicationDescription(QStringLiteral("Browse driving data, train PaliGemma on it, watch the runs."));
  const auto add = [&parser](const char* name, const char* help, const char* value = nullptr) {
    parser.addOption(
        QCommandLineOption(QLatin1String(name), QLatin1String(help), value ? QLatin1String(value) : QString()));
  };
  parser.addPositionalArgument(QStringLiteral("PATH"),
                               QStringLiteral("Open an index, a run or a configuration, or import recordings."),
                               QStringLiteral("[PATH...]"));
  add("run", "Show this run.", "DIR");
  add("runs", "List the runs below this folder; may be given several times.", "DIR");
  add("data", "Open this index.", "DIR");
  add("config", "Edit this configuration.", "FILE");
  add("demo", "Open the demo project; makes it when it is not there yet.");
  add("demo-folder", "Where the demo project lies or goes.", "DIR");
  add("page", "Start on this page: data, train, runs or fleet.", "NAME");
  add("theme", "light, dark or desktop.", "NAME");
  add("language", "en, de or desktop; for this start only.", "CODE");
  add("screenshot", "Write a picture of the window to FILE and leave.", "FILE");
  add("wait", "Seconds before that picture (1.5).", "SECONDS");
  add("size", "Size of the window: 1440x900.", "WxH");
  add("help", "Show this help.");
  add("version", "Show the version.");
  if (!parser.parse(arguments)) {
    return badInput(parser.errorText().toStdString(), "roadtune-studio", "roadtune-studio --help lists the options");
  }
  Options options;
  options.help = parser.isSet(QStringLiteral("help"));
  options.version = parser.isSet(QStringLiteral("version"));
  options.helpText = parser.helpText();
  options.demo = parser.isSet(QStringLiteral("demo"));
  options.demoFolder = parser.value(QStringLiteral("demo-folder"));
  options.runRoots = parser.values(QStringLiteral("runs"));
  options.page = parser.value(QStringLiteral("page"));
  options.screenshot = parser.value(QStringLiteral("screenshot"));
  ROADTUNE_TRY(options.run, folderOf(parser, QStringLiteral("run")));
  ROADTUNE_TRY(options.data, folderOf(parser, QStringLiteral("data")));
  ROADTUNE_TRY(options.config, folderOf(parser, QStringLiteral("config")));
  for (const QString& path : parser.positionalArguments()) {
    if (!QFileInfo::exists(path))
      return badInput("there is no such file or folder", path.toStdString(),
                      "roadtune-studio --help lists the options");
    options.paths << QFileInfo(path).absoluteFilePath();
  }
  if (!options.page.isEmpty() && !QStringList({"data", "train", "runs", "fleet"}).contains(options.page)) {
    return badInput("there is no page '" + options.page.toStdString() + "'", "--page", "data, train, runs or fleet");
  }
  if (const QString theme = parser.value(QStringLiteral("theme")); !theme.isEmpty()) {
    if (theme == QLatin1String("light"))
      options.theme = widgets::ThemeChoice::Light;
    else if (theme == QLatin1String("dark"))
      options.theme = widgets::ThemeChoice::Dark;
    else if (theme == QLatin1String("desktop"))
      options.theme = widgets::ThemeChoice::Desktop;
    else
      return badInput("there is no theme '" + theme.toStdString() + "'", "--theme", "light, dark or desktop");
  }
  if (const QString language = parser.value(QStringLiteral("language")); !language.isEmpty()) {
    if (language != QLatin1String("desktop") && !isLanguage(language))
      return badInput("there is no language '" + language.toStdString() + "'", "--language", "en, de or desktop");
    options.language = language == QLatin1String("desktop") ? desktopLanguage() : language;
  }
  if (parser.isSet(QStringLiteral("wait"))) {
    bool ok = false;
    options.waitSeconds = parser.value(QStringLiteral("wait")).toDouble(&ok);
    if (!ok || options.waitSeconds < 0) return badInput("not a number of seconds", "--wait");
  }
  if (const QString size = parser.value(QStringLiteral("size")); !size.isEmpty()) {
    const auto match = QRegularExpression(QStringLiteral("^(\\d{3,5})x(\\d{3,5})$")).match(size);
    if (!match.hasMatch()) return badInput("not a size", "--size", "write it as 1440x900");
    options.size = QSize(match.captured(1).toInt(), match.captured(2).toInt());
  }
  return options;
}

std::optional<int> answerWithoutWindow(int argc, char** argv) {
  const auto has = [words = std::vector<std::string_view>(argv + 1, argv + argc)](std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  const auto tell = [](const Error& error) {
    std::fprintf(stderr, "%s\n", error.text().c_str());
    return exitCode(error.kind);
  };
  bool display = has("-platform") || has("--platform") || has("-display") || has("--display");
  for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
    display |= !qEnvironmentVariableIsEmpty(name);
  if (display && !has("--help") && !has("--version")) return std::nullopt;
  const QCoreApplication application(argc, argv);
  const auto options = parseOptions(QCoreApplication::arguments());
  if (!options.ok()) return tell(options.error());
  if (!options.value().help && !options.value().version)
    return tell(missing("there is no display here to open a window on", "roadtune-studio",
                        "ssh -X, or roadtune in the terminal; for --screenshot alone QT_QPA_PLATFORM=offscreen"));
  std::puts(options.value().help ? options.value().helpText.trimmed().toLocal8Bit().constData()
                                 : "roadtune-studio " ROADTUNE_VERSION);
  return kExitDone;
}

}  // namespace roadtune::studio
