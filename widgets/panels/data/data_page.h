// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/query/query.h"
#include "widgets/canvas/image_grid.h"

#include <QList>
#include <QPair>
#include <QWidget>

class QLabel;
class QSlider;
class QSplitter;
class QStackedWidget;

namespace roadtune::widgets {

class DataBar;
class ElidedLabel;
class EmptyState;
class ExportPanel;
class FacetPanel;
class ImportPanel;
class Inspector;
class LossMenu;
class NoticeBar;
class PicturePool;
class QualityPanel;
class QueryLine;
class SampleView;
class SideDrawer;

// Looking at an index: facets, the query, the grid, the inspector; one image large in place of the grid.
// Answers to queries come from outside (setResult); the page asks through queryApplied().
class DataPage : public QWidget {
  Q_OBJECT
 public:
  explicit DataPage(QWidget* parent = nullptr);
  ~DataPage() override;

  void setIndex(std::shared_ptr<const data::Index> index);  // null: the empty state
  // More of what is on show, while it is imported: the query, the selection and the place in the grid stay.
  void growIndex(std::shared_ptr<const data::Index> index);
  bool mayGrow() const;  // nobody looks at an image large, or writes about one
  const std::shared_ptr<const data::Index>& index() const { return m_index; }
  void setResult(const QString& query, ImageList images, std::size_t count, const std::vector<data::Facet>& facets);
  void setHistograms(const QString& query, const data::Histogram& heights, const data::Histogram& boxes);
  void setMarks(data::ImageId image, const QStringList& tags, const QString& note);
  void setKnownMarks(const QStringList& tags, const QList<QPair<QString, QString>>& views);
  void setLosses(std::shared_ptr<const data::ImageLosses> losses);  // of the run whose order the result is in; or null
  void setQueryError(const data::QueryError& error);
  void setImporting(const QString& what);  // while there is nothing to show yet; empty: over
  void setMissing(const QString& folder);  // there is nothing to show because that is gone
  QString query() const;

  ImageGrid* grid() const { return m_grid; }
  SampleView* sample() const { return m_sample; }
  QueryLine* queryLine() const { return m_query; }
  LossMenu* lossMenu() const;
  NoticeBar* notice() const { return m_notice; }
  SideDrawer* drawer() const { return m_drawer; }
  ImportPanel* importPanel() const { return m_import; }
  ExportPanel* exportPanel() const { return m_export; }
  QualityPanel* qualityPanel() const { return m_quality; }
  QSplitter* splitter() const { return m_split; }
  // In place of the query on show, which is a click away until something else is asked. `what` is told of it.
  void showInstead(const QString& query, const QString& what);
  void setThumbnailWidth(int width);
  void setGrouped(bool grouped);  // images of a segment together, below its name
  void openSample();
  void showSample(data::ImageId image);  // large; also one that is not in the result
  void closeSample();
  void writeNote() { markByKey(Qt::Key_N); }  // about the image on show
  bool showsSample() const;
  void focusMain();
  void setFacetsShown(bool shown);
  void setInspectorShown(bool shown);

 signals:
  void queryApplied(const QString& query);
  void importRequested();
  void exportRequested();
  void trainRequested();  // on what the query finds
  void qualityRequested();
  void openRequested();
  void demoRequested();
  void thumbnailWidthChanged(int width);
  void groupedChanged(bool grouped);
  void marksWanted(quint32 image);
  void tagRequested(const std::vector<roadtune::data::ImageId>& images, const QString& tag, bool on);
  void noteRequested(quint32 image, const QString& text);
  void leaveOutRequested(const std::vector<roadtune::data::ImageId>& images);  // of training
  void viewsChanged(const QList<QPair<QString, QString>>& views);              // name and query of each
  void saveViewRequested(const QString& name, const QString& query);
  void removeViewRequested(const QString& name);

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void makeDrawer();
  void showInspector(bool drawer);
  void makePools();
  QWidget* makeBrowser();
  QWidget* makeSide();
  void connectBrowser();
  void connectMarks(Inspector* inspector, bool large);
  void leaveMarks();
  bool markByKey(int key);
  bool goBack();
  void offerFocus();
  void showMenu(const QPoint& at);
  std::vector<data::ImageId> chosenImages() const;
  void showCurrent(std::size_t row);
  void showImages(bool sameQuestion);

  std::shared_ptr<const data::Index> m_index;
  std::unique_ptr<PicturePool> m_thumbnails, m_full;
  QStackedWidget* m_stack;
  EmptyState* m_empty;
  QWidget* m_browser = nullptr;
  SampleView* m_sample;
  NoticeBar* m_notice;
  QString m_instead, m_insteadText;  // a query from elsewhere, and what was told of it
  SideDrawer* m_drawer;
  ImportPanel* m_import;
  ExportPanel* m_export;
  QualityPanel* m_quality;
  DataBar* m_bar = nullptr;
  QueryLine* m_query = nullptr;
  FacetPanel* m_facets = nullptr;
  QWidget* m_facetSide = nullptr;
  ImageGrid* m_grid = nullptr;
  QLabel* m_nothing = nullptr;
  QStackedWidget* m_middle = nullptr;
  Inspector* m_inspector = nullptr;
  QSplitter* m_split = nullptr;
  QSlider* m_size = nullptr;
  ElidedLabel* m_name = nullptr;
  bool m_inspectorShown = true;
  ImageList m_found;  // in the order of the query
  QString m_order;    // of the images on show
  QString m_asked;    // and their query
  bool m_grouped = false;
};

}  // namespace roadtune::widgets
