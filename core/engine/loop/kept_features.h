// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/loop/session.h"

#include <vector>

namespace roadtune::engine {

// cache_vision_features: what a frozen vision tower makes of a picture is computed once, in the memory of this rank, or
// on disk for all epochs, ranks and runs with the same tower. Refuses a tower that is trained or adapted.
Status prepareFeatures(Session& session);
void tellOfFeatures(const Session& session);  // how often it helped, in the log

// The pictures of these samples that are not known yet, in the order in which a batch holds them.
std::vector<data::ImageKey> newPictures(const std::vector<EncodedSample>& samples);

// Features that were not known, where they were computed.
struct NewFeatures {
  std::vector<data::ImageKey> pictures = {};
  at::Tensor values = {};  // [pictures, tokens, width]
};

// A batch on its device with the features of all its pictures. A batch of a run that keeps none is returned as it is.
struct BatchOfFeatures {
  Batch batch;
  NewFeatures made = {};
};
BatchOfFeatures withFeatures(const Session& session, Batch placed, const std::vector<data::ImageKey>& newOnes,
                             const ForwardContext& context);

// From now on these are known. Waits for the device where they are still there.
void keepFeatures(Session& session, const NewFeatures& made);

// Both.
Batch withKeptFeatures(Session& session, Batch placed, const std::vector<data::ImageKey>& newOnes,
                       const ForwardContext& context);

}  // namespace roadtune::engine
