// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/settings.h"

#include "app/studio/folder_path.h"

#include <QDir>
#include <QStandardPaths>

namespace roadtune::studio {

QVariant Settings::read(const char* key, const QVariant& fallback) const {
  return m_store.value(QLatin1String(key), fallback);
}

void Settings::write(const char* key, const QVariant& value) { m_store.set(QLatin1String(key), value); }

widgets::ThemeChoice Settings::theme() const {
  const QString name = read("theme").toString();
  if (name == QLatin1String("light")) return widgets::ThemeChoice::Light;
  if (name == QLatin1String("dark")) return widgets::ThemeChoice::Dark;
  return widgets::ThemeChoice::Desktop;
}

void Settings::setTheme(widgets::ThemeChoice choice) {
  const char* name = choice == widgets::ThemeChoice::Light  ? "light"
                     : choice == widgets::ThemeChoice::Dark ? "dark"
                                                            : "desktop";
  write("theme", QLatin1String(name));
}

QString Settings::language() const { return read("language").toString(); }
void Settings::setLanguage(const QString& code) { write("language", code); }

QByteArray Settings::geometry() const { return read("window/geometry").toByteArray(); }
void Settings::setGeometry(const QByteArray& bytes) { write("window/geometry", bytes); }
QByteArray Settings::splitter(const QString& name) const {
  return m_store.value(QStringLiteral("splitters/") + name).toByteArray();
}
void Settings::setSplitter(const QString& name, const QByteArray& bytes) {
  m_store.set(QStringLiteral("splitters/") + name, bytes);
}

QStringList Settings::hiddenPanels() const { return read("window/hidden").toStringList(); }
void Settings::setHiddenPanels(const QStringList& panels) { write("window/hidden", panels); }
int Settings::page() const { return read("window/page", 0).toInt(); }
void Settings::setPage(int page) { write("window/page", page); }
QString Settings::lastRun() const { return read("last/run").toString(); }
void Settings::setLastRun(const QString& folder) { write("last/run", folder); }
QString Settings::lastData() const { return read("last/data").toString(); }
void Settings::setLastData(const QString& folder) { write("last/data", folder); }
QString Settings::lastConfig() const { return read("last/config").toString(); }
void Settings::setLastConfig(const QString& file) { write("last/config", file); }
int Settings::thumbnailWidth() const { return std::clamp(read("data/thumbnailWidth", 240).toInt(), 120, 480); }
void Settings::setThumbnailWidth(int width) { write("data/thumbnailWidth", width); }
bool Settings::groupedBySegment() const { return read("data/groupedBySegment", false).toBool(); }
void Settings::setGroupedBySegment(bool grouped) { write("data/groupedBySegment", grouped); }

bool Settings::projectedShown() const { return read("data/projected", false).toBool(); }
void Settings::setProjectedShown(bool shown) { write("data/projected", shown); }

QString Settings::newRunsFolder() const {
  const QString chosen = read("runs/new").toString();
  return chosen.isEmpty() ? defaultRunsFolder() : chosen;
}

void Settings::setNewRunsFolder(const QString& folder) {
  write("runs/new", folder == defaultRunsFolder() ? QString() : folder);
  addRunRoot(folder);
}

QStringList Settings::runRoots() const {
  QStringList roots = read("runs/roots").toStringList();
  const QString own = defaultFolder();
  if (!roots.contains(own)) roots.prepend(own);
  return roots;
}

void Settings::addRunRoot(const QString& folder) {
  QStringList roots = runRoots();
  for (const QString& root : roots)
    if (liesIn(folder, root)) return;
  roots.append(folder);
  write("runs/roots", roots);
}

void Settings::removeRunRoot(const QString& folder) {
  QStringList roots = runRoots();
  roots.removeAll(folder);
  write("runs/roots", roots);
}

widgets::RunOrder Settings::runOrder() const {
  const QString key = read("runs/order").toString();
  for (const widgets::RunOrderWords& one : widgets::runOrders())
    if (key == QLatin1String(one.key)) return one.order;
  return widgets::RunOrder::Newest;
}

void Settings::setRunOrder(widgets::RunOrder order) {
  for (const widgets::RunOrderWords& one : widgets::runOrders())
    if (one.order == order) write("runs/order", QLatin1String(one.key));
}

// One line per run: folder, colour, pinned or not, tags; between tabs.
widgets::RunMarksByFolder Settings::runMarks() const {
  widgets::RunMarksByFolder all;
  for (const QString& folder : read("runs/pinned").toStringList()) all[folder].pinned = true;  // of earlier versions
  for (const QString& line : read("runs/marks").toStringList()) {
    const QStringList parts = line.split(QLatin1Char('\t'));
    if (parts.size() < 3) continue;
    all[parts[0]] = {.pinned = parts[2] == QLatin1String("1"), .colour = parts[1].toInt(), .tags = parts.mid(3)};
  }
  return all;
}

void Settings::setRunMarks(const widgets::RunMarksByFolder& marks) {
  QStringList lines;
  for (auto one = marks.begin(); one != marks.end(); ++one) {
    QStringList parts{one.key(), QString::number(one->colour), one->pinned ? QStringLiteral("1") : QStringLiteral("0")};
    lines << (parts + one->tags).join(QLatin1Char('\t'));
  }
  write("runs/marks", lines);
  m_store.remove(QStringLiteral("runs/pinned"));
}

QList<QPair<QString, QString>> Settings::machines() const {
  QList<QPair<QString, QString>> all;
  for (const QString& line : read("fleet/machines").toStringList())
    all.append({line.section(QLatin1Char('\t'), 0, 0), line.section(QLatin1Char('\t'), 1)});
  return all;
}

void Settings::setMachines(const QList<QPair<QString, QString>>& machines) {
  QStringList lines;
  for (const auto& [name, group] : machines) lines << name + QLatin1Char('\t') + group;
  write("fleet/machines", lines);
}

QString Settings::defaultRunsFolder() { return QDir(defaultFolder()).filePath(QStringLiteral("runs")); }

QString Settings::defaultFolder() {
  return QDir(QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation))
      .filePath(QStringLiteral("roadtune"));
}

}  // namespace roadtune::studio
