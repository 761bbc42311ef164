// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/field_builder.h"

namespace roadtune::config {

FieldTable dataSourceFields() {
  return {
      Make("train_data", FieldType::Sources, {},
           "What to learn from: an index, JSONL, COCO or VQA parquet; one path, or a list of {path, weight, query, "
           "task, images}.")
          .unset("an index, JSONL, COCO or VQA parquet")
          .also({"train_file", "train_dataset", "dataset", "datasets", "train_path", "dataset_path", "data_path",
                 "local_dataset"})
          .basic()
          .required(),
      Make("eval_data", FieldType::Sources, {}, "What to evaluate on, in the same forms.")
          .unset("none")
          .also({"validation_file", "eval_file", "eval_dataset", "val_dataset", "validation_data", "val_data",
                 "test_datasets"})
          .basic(),
      Make("eval_fraction", FieldType::Number, {},
           "Without eval_data: hold out this share of the training data, by whole segments (of other data: by "
           "pictures).")
          .unset("none")
          .atLeast(0)
          .below(1)
          .also({"val_size", "val_set_size", "split_dataset_ratio"}),
      Make("train_query", FieldType::Text, {}, "Filter of indexes in train_data that name no query of their own.")
          .unset("all samples")
          .also({"query"}),
      Make("eval_query", FieldType::Text, {}, "Filter of indexes in eval_data that name no query of their own.")
          .unset("all samples")
          .also({"validation_query"}),
      Make("max_train_samples", FieldType::Integer, {},
           "Learn from no more than this many samples: the first ones, of each source of a mix as large a share.")
          .unset("all")
          .unit("samples")
          .atLeast(1)
          .also({"max_samples"}),
      Make("max_eval_samples", FieldType::Integer, {}, "Evaluate on no more than this many samples, taken likewise.")
          .unset("all")
          .unit("samples")
          .atLeast(1),
      Make("shuffle", FieldType::Flag, true,
           "Draw samples in a new order each epoch; false keeps the order of the file.")
          .also({"shuffle_dataset", "dataset_shuffle"})
          .also({"train_sampling_strategy"}, AliasRule::Sampling),
      Make("on_bad_sample", FieldType::Choice, "skip",
           "What a sample that cannot be read does: it is left out, counted and named, or it stops the run.")
          .oneOf({"skip", "stop"})
          .also({"on_corrupt_sample"}),
  };
}

FieldTable dataTaskFields() {
  return {
      Make("task", FieldType::Choice, "detect", "What an index asks for; sources with their own text ignore it.")
          .oneOf({"detect", "vqa", "caption"})
          .basic(),
      Make("classes", FieldType::List, Value::texts({"vehicle", "pedestrian", "cyclist"}),
           "Classes to detect, in the order of the prompt.")
          .also({"class_names", "labels"})
          .basic(),
      Make("box_order", FieldType::Choice, "shuffle",
           "Order of the boxes in the answer; `shuffle` is a new order each epoch.")
          .oneOf({"shuffle", "top_left", "area", "stored"})
          .also({"ordering", "box_ordering"})
          .when("task", {"detect"}),
      Make("min_box_px", FieldType::Number, 0.0, "Boxes with a shorter side below this are left out of the answer.")
          .unit("px of the stored image")
          .atLeast(0)
          .also({"min_box_size"})
          .when("task", {"detect"}),
      Make("max_boxes", FieldType::Integer, 0, "At most this many boxes per image, the largest ones; 0 is all.")
          .unit("boxes")
          .atLeast(0)
          .also({"max_objects"})
          .when("task", {"detect"}),
      Make("include_empty", FieldType::Flag, true, "Keep labelled images without a wanted box: their answer is empty.")
          .also({"keep_empty"})
          .when("task", {"detect"}),
      Make("loc_decoding", FieldType::Choice, "1023",
           "Divisor that turns <loc> tokens back into coordinates: 1023 mirrors the encoding, 1024 is what some "
           "decoders use.")
          .oneOf({"1023", "1024"})
          .when("task", {"detect"}),
      Make("prompt_template", FieldType::Text, {},
           "Prompt of an index's samples instead of the task's own, for example `caption en`. Where samples are "
           "questions, what stands before each of them instead of `answer en`.")
          .unset("the task's own")
          .also({"prompt", "prompt_prefix"}),
      Make("max_length", FieldType::Integer, {},
           "Longest sequence, image tokens included; longer ones follow on_long_sample.")
          .unset("no limit")
          .unit("tokens")
          .atLeast(8)
          .also({"cutoff_len", "sequence_len", "max_seq_length", "model_max_length", "max_seq_len"}),
      Make("on_long_sample", FieldType::Choice, "cut",
           "A sample beyond max_length: its answer is cut before <eos>, it is left out, or it stops the run; always "
           "counted.")
          .oneOf({"cut", "skip", "stop"})
          .words({{"truncate", "cut"}})
          .also({"excess_length_strategy"}),
  };
}

FieldTable dataImageFields() {
  return {
      Make("image_size", FieldType::Integer, {}, "Side of the model's square input.")
          .unset("the model's own")
          .unit("px")
          .atLeast(14)
          .atMost(4096)
          .also({"image_resolution", "imgsz"}),
      Make("resize", FieldType::Choice, "pil-bicubic", "How images become square; the same arithmetic as Pillow.")
          .oneOf({"pil-bicubic"}),
      Make("augment", FieldType::Flag, false,
           "Change training images at random, moving boxes and answers along; seeded per sample.")
          .also({"augmentation", "do_augment"}),
      Make("augment_flip", FieldType::Number, 0.5, "Probability of a mirror image.")
          .range(0, 1)
          .also({"fliplr"})
          .when("augment", {"true"}),
      Make("augment_crop", FieldType::Number, 0.1, "Largest share of width and height that a crop takes away.")
          .atLeast(0)
          .below(1)
          .when("augment", {"true"}),
      Make("augment_scale", FieldType::Number, 0.1, "Largest share by which the picture is enlarged or shrunk.")
          .atLeast(0)
          .below(1)
          .when("augment", {"true"}),
      Make("augment_color", FieldType::Number, 0.2, "Strength of random brightness, contrast and saturation.")
          .range(0, 1)
          .also({"augment_colour", "color_jitter"})
          .when("augment", {"true"}),
      Make("image_cache", FieldType::Choice, "off",
           "Keep decoded images at model size: in the memory of each process, or on disk for all epochs, processes and "
           "runs. Augmented images are always made anew.")
          .oneOf({"off", "memory", "disk"})
          .words({{"ram", "memory"}})
          .also({"cache_images"}),
      Make("image_cache_dir", FieldType::Path, {}, "Folder of the disk cache.")
          .unset("roadtune/images in the user's cache folder")
          .when("image_cache", {"disk"}),
      Make("image_cache_limit", FieldType::Number, {}, "Size of the cache; when not set 4 in memory, 100 on disk.")
          .unset("4 or 100")
          .unit("GB")
          .above(0)
          .when("image_cache", {"memory", "disk"}),
      Make("num_probe_samples", FieldType::Integer, 4,
           "Evaluation samples whose predictions are kept at every evaluation.")
          .unit("samples")
          .range(0, 1000)
          .also({"probe_samples"}),
  };
}

}  // namespace roadtune::config
