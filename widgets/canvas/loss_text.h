// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/query/image_losses.h"

#include <QString>

#include <filesystem>
#include <map>
#include <string>

namespace roadtune::widgets {

// What an image cost a run, in words.
QString lossOnTile(const data::ImageLosses& losses, data::ImageId image);  // "loss 3.214", "not seen"
QString lossInWords(const data::ImageLosses& losses, data::ImageId image);

// Of a query's order or condition, as a run goes into it: loss("~/runs/night-walkers").
QString lossTerm(const QString& folder);
// The run of `loss(...)` in an order; empty when it is by something else.
QString runOfOrder(const QString& order);
// The query with folders in place of the names of runs, for a program that knows no names.
QString withRunFolders(const QString& query, const std::map<std::string, std::filesystem::path>& runs);

}  // namespace roadtune::widgets
