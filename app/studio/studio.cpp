// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/studio.h"

#include "app/studio/demo_project.h"
#include "app/studio/left_out.h"
#include "app/studio/runs_from_machine.h"
#include "app/studio/sample_visit.h"
#include "app/studio/settings_panel.h"
#include "app/studio/train_on.h"
#include "app/studio/worst_samples.h"
#include "core/runs/run_catalogue.h"
#include "widgets/canvas/loss_text.h"
#include "widgets/common/notice_bar.h"
#include "widgets/common/number_text.h"
#include "widgets/frame/question_panel.h"
#include "widgets/frame/status_strip.h"
#include "widgets/models/query_text.h"
#include "widgets/models/run_list_model.h"
#include "widgets/panels/data/data_page.h"
#include "widgets/panels/data/sample_view.h"
#include "widgets/panels/fleet/fleet_page.h"
#include "widgets/panels/runs/run_detail.h"
#include "widgets/panels/runs/run_header.h"
#include "widgets/panels/runs/runs_page.h"
#include "widgets/panels/runs/step_panel.h"
#include "widgets/panels/train/train_page.h"

#include <QAction>
#include <QApplication>
#include <QDir>
#include <QFileInfo>
#include <QSplitter>
#include <QTimer>

#include <cstdio>

namespace roadtune::studio {

using widgets::NoticeBar;

namespace {
constexpr int kRememberMs = 3000;
}

Studio::Studio(const Options& options)
    : m_options(options), m_translation(options.language.isEmpty() ? m_settings.language() : options.language) {
  widgets::Theme& theme = widgets::Theme::instance();
  theme.setDesktopDark(m_desktop.dark());
  theme.apply(options.theme.value_or(m_settings.theme()));
  connect(&m_desktop, &DesktopTheme::changed, &theme, &widgets::Theme::setDesktopDark);
  m_window = std::make_unique<MainWindow>();
  m_jobs = std::make_unique<JobBoard>(m_window->statusStrip());
  m_questions = std::make_unique<HostQuestions>(new widgets::QuestionPanel(m_window.get()));
  m_fleet =
      std::make_unique<FleetController>(m_window->fleetPage(), m_window->statusStrip(), m_questions.get(), m_settings);
  m_runs =
      std::make_unique<RunsController>(m_window->runsPage(), m_questions.get(), m_window->statusStrip(), m_settings);
  m_elsewhere = std::make_unique<RunsFromMachine>(m_window->runsPage(), m_runs.get(), m_questions.get(), [this] {
    QStringList names;
    for (const widgets::FleetMachine& machine : m_fleet->machines()) names << machine.name;
    return names;
  });
  m_results = std::make_unique<RunResults>(m_window->runsPage(), m_jobs.get());
  m_queue =
      std::make_unique<QueueController>(m_window->runsPage()->queue(), m_runs->history().steps(), m_questions.get());
  m_data = std::make_unique<DataController>(m_window->dataPage(), m_jobs.get(), m_settings);
  m_worst = std::make_unique<WorstSamples>(m_window->runsPage());
  m_train = std::make_unique<TrainController>(
      TrainController::Parts{m_window->trainPage(), m_window->statusStrip(), m_fleet.get(), m_questions.get()},
      m_settings);
  const QString demo = options.demoFolder.isEmpty() ? QDir(Settings::defaultFolder()).filePath(QStringLiteral("demo"))
                                                    : QFileInfo(options.demoFolder).absoluteFilePath();
  m_demo = std::make_unique<DemoProject>(m_jobs.get(), demo);
  m_leftOut = std::make_unique<LeftOut>(m_window.get(), &m_train->document(), &m_data->history());
  m_trainOn = std::make_unique<TrainOn>(m_window.get(), m_train.get());
  m_settingsPanel = new SettingsPanel(m_settings, m_window.get());
  addCommands();
  connectParts();
  connectData();
  connectQueue();
  connectLosses();
}

Studio::~Studio() {
  // Controllers stop their threads before the widgets they speak to are gone; nobody waits for an answer any more.
  m_questions->close();
  m_demo.reset();
  m_trainOn.reset();
  m_leftOut.reset();
  m_train.reset();
  m_worst.reset();
  m_data.reset();
  m_queue.reset();
  m_results.reset();
  m_elsewhere.reset();
  m_runs.reset();
  m_fleet.reset();
  m_questions.reset();
  m_jobs.reset();
}

void Studio::connectParts() {
  MainWindow* window = m_window.get();
  connect(window, &MainWindow::closing, this, &Studio::remember);
  window->setCloseGuard([this] { return m_train->mayClose(); });
  connect(window, &MainWindow::pageChanged, this, [this](int page) {
    m_settings.setPage(page);
    if (page == static_cast<int>(Page::Train)) m_train->refreshEstimate();  // folders come and go
  });
  connect(&m_remembering, &QTimer::timeout, this, &Studio::remember);
  connect(window, &MainWindow::settingsRequested, m_settingsPanel, &widgets::Overlay::open);
  connect(m_settingsPanel, &SettingsPanel::themeChosen, this, &Studio::setTheme);
  connect(m_settingsPanel, &SettingsPanel::languageChosen, this, &Studio::setLanguage);
  connect(m_settingsPanel, &SettingsPanel::folderRemoved, m_runs.get(), &RunsController::forgetRoot);
  connect(m_settingsPanel, &SettingsPanel::newRunsFolderChosen, m_runs.get(), &RunsController::watch);
  connect(m_settingsPanel, &SettingsPanel::newRunsFolderChosen, m_train.get(), &TrainController::proposeRuns);
  connect(window->dataPage(), &widgets::DataPage::demoRequested, this, &Studio::openDemo);
  connect(window->runsPage(), &widgets::RunsPage::demoRequested, this, &Studio::openDemo);
  connect(window->runsPage(), &widgets::RunsPage::trainRequested, window, [window] { window->setPage(Page::Train); });
  connect(m_train.get(), &TrainController::runStarted, this, [this](const QString& folder) {
    m_runs->show(folder);
    m_runs->follow(folder);
    m_window->setPage(Page::Runs);
    m_window->runsPage()->focusMain();
  });
  connect(m_runs.get(), &RunsController::liveRunsChanged, this, [this](int running, double rate) {
    m_window->statusStrip()->setLiveRuns(running, rate);
    m_window->fleetPage()->setRunning(running);
  });
  connect(m_runs.get(), &RunsController::branchRequested, m_train.get(),
          [train = m_train.get()](const QString& run, const QString& checkpoint) {
            train->branch(run, checkpoint, checkpoint.isEmpty() ? Beginning::Again : Beginning::GoingOn);
          });
  connect(m_runs.get(), &RunsController::weightsRequested, m_train.get(),
          [train = m_train.get()](const QString& run, const QString& checkpoint) {
            train->branch(run, checkpoint, Beginning::WithItsWeights);
          });
  connect(m_train.get(), &TrainController::blockedShown, window, [window] { window->setPage(Page::Train); });
  connect(m_train.get(), &TrainController::branched, window, [window] { window->setPage(Page::Train); });
  m_visit = new SampleVisit(window, this);
  connect(m_visit, &SampleVisit::openRequested, this, [this](const QString& folder) { m_data->open(folder); });
  connect(m_runs.get(), &RunsController::imagesRequested, this,
          [this](const QStringList& samples) { m_visit->show(samples, m_window->runsPage()->selectedRun()); });
  connect(m_worst.get(), &WorstSamples::sampleChosen, this, [this](const QString& run, quint32 image) {
    m_visit->show(image);
    showInOrderOf(run);
  });
  connect(m_results.get(), &RunResults::predictionsWanted, this, [this](const widgets::ResultPanel::Wish& done) {
    m_window->setPage(Page::Data);
    m_data->showPredictions(done.data, done.query, done.to, done.name);
  });
  connect(m_runs.get(), &RunsController::alerted, this,
          [this](const QString& folder, const QString& title, const QString& text, bool urgent) {
            if (m_window->page() != Page::Runs) m_window->statusStrip()->setMessage(title);  // there it stands above
            tellDesktop(folder, title, text, urgent);
          });
  connect(&m_notices, &DesktopNotices::chosen, this, [this](const QString& folder) {
    m_runs->show(folder);
    m_window->setPage(Page::Runs);
    m_window->raise();
    m_window->activateWindow();
  });
  connect(m_runs.get(), &RunsController::runsFound, this, [this](const RunEntries& entries) {
    m_train->setRuns(*entries);
    m_data->predictions().setRuns(entries);
    m_data->losses().setRuns(entries);
  });
  connect(m_runs.get(), &RunsController::runEnded, this,
          [this](const QString& folder, const QString& name, runs::RunState state) {
            const QString title = tr("%1: %2").arg(name, widgets::stateWord(state));
            m_window->statusStrip()->setMessage(title);
            QApplication::alert(m_window.get());
            tellDesktop(folder, title, {}, state == runs::RunState::Failed || state == runs::RunState::Lost);
          });
  const auto tellModel = [this] {
    m_data->tokens().setModel(QString::fromStdString(m_train->document().config().text("model_name_or_path")));
  };
  connect(&m_train->document(), &RunDocument::changed, this, tellModel);
  tellModel();
  connect(window, &MainWindow::dropped, this, &Studio::openDropped);
  connect(m_data.get(), &DataController::opened, m_trainOn.get(), &TrainOn::setIndex);
  connect(m_data.get(), &DataController::opened, this, &Studio::takeIndex);
  connect(m_machine.worker(), &MachineFeed::readingReady, window->fleetPage(), &widgets::FleetPage::setReading);
}

// Data on its way to a run: that of the demo, and what has to be imported before one can learn from it.
void Studio::connectData() {
  connect(m_demo.get(), &DemoProject::dataReady, this, [this](const QString& folder) { m_data->open(folder); });
  connect(m_demo.get(), &DemoProject::configReady, this, [this](const QString& file) { m_train->openFile(file); });
  connect(m_demo.get(), &DemoProject::runReady, this, [this](const QString& folder) {
    m_runs->show(folder);
    m_train->refreshEstimate();  // the demo's configuration was opened before it was taken
  });
  connect(m_demo.get(), &DemoProject::failed, this, [this](const QString& message) {
    m_window->dataPage()->notice()->show(
        NoticeBar::Kind::Bad, tr("The demo could not be made: %1").arg(message.section(QLatin1Char('\n'), -1)),
        message);
  });
  connect(m_train.get(), &TrainController::importWanted, this, [this](const QStringList& sources) {
    m_window->setPage(Page::Data);
    m_data->importFrom(sources);
  });
}

void Studio::connectQueue() {
  connect(m_queue.get(), &QueueController::runRequested, this, [this](const QString& folder) {
    if (QFileInfo(folder).isDir()) return m_runs->show(folder);
    m_window->statusStrip()->setMessage(tr("%1 has not started yet.").arg(QFileInfo(folder).fileName()));
  });
  connect(m_queue.get(), &QueueController::trainRequested, this, [this] { m_window->setPage(Page::Train); });
  connect(m_queue.get(), &QueueController::told, m_window->statusStrip(), &widgets::StatusStrip::setMessage);
  connect(m_train.get(), &TrainController::runsQueued, this, &Studio::tellOfQueued);
}

void Studio::connectLosses() {
  connect(m_worst.get(), &WorstSamples::unknownChosen, this,
          [this](const QString& run, const QString& sample) { m_visit->show(QStringList{sample}, run); });
  connect(m_worst.get(), &WorstSamples::orderRequested, this, [this](const QString& run) {
    showInOrderOf(run);
    m_window->dataPage()->closeSample();
  });
}

// Everything on the Data page, what cost the run most first.
void Studio::showInOrderOf(const QString& run) {
  m_window->setPage(Page::Data);
  m_window->dataPage()->showInstead(widgets::setQuerySort({}, widgets::lossTerm(run) + QStringLiteral(" desc")),
                                    tr("What cost the run most comes first."));
}

void Studio::tellOfQueued(int count) {
  NoticeBar* notice = m_window->trainPage()->notice();
  m_queue->lookNow();
  if (m_queue->worked()) {
    notice->show(NoticeBar::Kind::Good,
                 count == 1 ? tr("It starts when its turn comes and its machines are free.")
                            : tr("%n runs start when their turn comes and their machines are free.", nullptr, count));
    notice->offer(tr("Show the queue"), [this] { m_window->setPage(Page::Runs); });
  } else {
    notice->show(NoticeBar::Kind::Good,
                 count == 1
                     ? tr("It is in the queue. Nothing starts the runs of the queue yet.")
                     : tr("%n runs are in the queue. Nothing starts the runs of the queue yet.", nullptr, count));
    notice->offer(tr("Start the queue"), [this] {
      m_queue->work(true);
      m_window->setPage(Page::Runs);
    });
  }
}

void Studio::start() {
  restore();
  m_window->show();
  openStart();
  m_remembering.start(kRememberMs);
  m_machine.post([feed = m_machine.worker()] { feed->start(Settings::defaultFolder()); });
  m_fleet->checkHere();
  if (!m_options.screenshot.isEmpty())
    QTimer::singleShot(static_cast<int>(m_options.waitSeconds * 1000), this, &Studio::takePicture);
}

void Studio::restore() {
  if (const QByteArray bytes = m_settings.geometry(); !bytes.isEmpty()) m_window->restoreGeometry(bytes);
  if (m_options.size.isValid()) m_window->resize(m_options.size);
  for (QSplitter* splitter : m_window->findChildren<QSplitter*>()) {
    if (const QByteArray bytes = m_settings.splitter(splitter->objectName()); !bytes.isEmpty())
      splitter->restoreState(bytes);
  }
  m_window->setHiddenPanels(m_settings.hiddenPanels());
}

void Studio::remember() {
  m_settings.setGeometry(m_window->saveGeometry());
  m_settings.setPage(static_cast<int>(m_window->page()));
  m_settings.setHiddenPanels(m_window->hiddenPanels());
  for (const QSplitter* splitter : m_window->findChildren<QSplitter*>()) {
    if (!splitter->objectName().isEmpty()) m_settings.setSplitter(splitter->objectName(), splitter->saveState());
  }
}

void Studio::openStart() {
  QStringList roots = m_settings.runRoots();
  for (const QString& root : m_options.runRoots) roots << QFileInfo(root).absoluteFilePath();
  m_runs->setRoots(roots);
  static const QStringList kPages = {QStringLiteral("data"), QStringLiteral("train"), QStringLiteral("runs"),
                                     QStringLiteral("fleet")};
  int page = m_settings.page();
  if (!m_options.config.isEmpty()) page = 1;
  if (!m_options.run.isEmpty()) page = 2;
  if (!m_options.data.isEmpty()) page = 0;
  if (!m_options.page.isEmpty()) page = static_cast<int>(kPages.indexOf(m_options.page));
  m_window->setPage(static_cast<Page>(std::clamp(page, 0, 3)));
  m_window->focusPage();

  const QString run = !m_options.run.isEmpty() ? m_options.run : m_settings.lastRun();
  if (QFileInfo(run).isDir() && !run.isEmpty()) m_runs->show(run);
  const QString data = !m_options.data.isEmpty() ? m_options.data : m_settings.lastData();
  if (!data.isEmpty() && QFileInfo(data).isDir()) m_data->open(data, m_options.data.isEmpty());
  const bool deleted = m_options.data.isEmpty() && !data::Index::looksLikeIndex(data.toStdString());
  if (!data.isEmpty() && (deleted || !QFileInfo(data).isDir())) m_window->dataPage()->setMissing(data);
  const QString config = !m_options.config.isEmpty() ? m_options.config : m_settings.lastConfig();
  m_train->openLast(config);
  if (m_options.demo) openDemo();
  if (!m_options.paths.isEmpty()) openDropped(m_options.paths);
}

// On the desktop, for somebody who looks elsewhere; who looks here has been told.
void Studio::tellDesktop(const QString& folder, const QString& title, const QString& text, bool urgent) {
  if (!m_window->isActiveWindow()) m_notices.tell(folder, title, text, urgent);
}

// What is open on the Data page now.
void Studio::takeIndex() {
  const auto shared = m_window->dataPage()->index();
  const data::Index& index = *shared;
  m_window->runsPage()->detail()->step()->setIndex(shared);
  m_worst->setIndex(shared);
  const auto counted = [](std::size_t number, const QString& one, const QString& many) {
    return number == 1 ? one : many.arg(widgets::countText(number));
  };
  m_window->statusStrip()->setMessage(tr("%1 and %2 in %3")
                                          .arg(counted(index.imageCount(), tr("1 image"), tr("%1 images")),
                                               counted(index.boxCount(), tr("1 box"), tr("%1 boxes")),
                                               counted(index.segmentCount(), tr("1 recording"), tr("%1 recordings"))));
  m_visit->takeIndex();
}

// A configuration goes to Train, a run or a folder of runs to Runs, all else is data.
void Studio::openDropped(const QStringList& paths) {
  const QFileInfo first(paths[0]);
  const bool config = first.isFile() && QStringList{"yaml", "yml"}.contains(first.suffix().toLower());
  if (config) {
    m_window->setPage(Page::Train);
    return m_train->openFile(paths[0]);
  }
  const auto folder = first.absoluteFilePath();
  const bool run = first.isDir() && runs::isRunFolder(folder.toStdString());
  if (run || (first.isDir() && runs::holdsRuns(folder.toStdString()))) {
    m_window->setPage(Page::Runs);
    return run ? m_runs->show(folder) : m_runs->watch(folder);
  }
  m_window->setPage(Page::Data);
  m_data->importFrom(paths);
}

void Studio::openDemo() { m_demo->open(); }

void Studio::setLanguage(const QString& code) {
  m_settings.setLanguage(code);
  m_window->statusStrip()->setMessage(tr("The language changes at the next start."));
}

void Studio::setTheme(widgets::ThemeChoice choice) {
  m_settings.setTheme(choice);
  widgets::Theme::instance().apply(choice);
}

void Studio::takePicture() {
  const bool written = m_window->grab().save(m_options.screenshot);
  if (!written) std::fprintf(stderr, "%s: cannot write the picture\n", qPrintable(m_options.screenshot));
  QApplication::exit(written ? 0 : 1);
}

}  // namespace roadtune::studio
