// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/formats/vqa_parquet.h"

#include "core/base/text.h"
#include "core/data/formats/parquet_file.h"
#include "core/data/index/find_files.h"
#include "core/data/index/problem.h"

namespace roadtune::data {

namespace {

const std::string kVqaImage = "image", kVqaQuestion = "question";

// The names of the answer, most telling first; empty when there is none.
std::string answerColumn(const ParquetFile& file) {
  for (const char* name : {"multiple_choice_answer", "answer"})
    if (file.hasColumn(name)) return name;
  return {};
}

// The first bytes of everything we can decode. Anything else is a path where the column holds text; among bytes only
// what is named as a picture is one.
bool looksEncoded(std::string_view value, bool bytes) {
  if (value.starts_with("\xff\xd8") || value.starts_with("\x89PNG") || value.starts_with("RIFF")) return true;
  return bytes && (hasControlCharacters(value) || !isImageName(lower(value)));
}

}  // namespace

Result<bool> isVqaParquet(const std::filesystem::path& path) {
  ROADTUNE_TRY(const auto file, ParquetFile::open(path));
  return file.hasColumn(kVqaImage) && file.hasColumn(kVqaQuestion) && !answerColumn(file).empty();
}

Status checkVqaColumns(const std::filesystem::path& path) {
  ROADTUNE_TRY(const auto file, ParquetFile::open(path));
  if (!file.hasColumn(kVqaQuestion)) return {};
  if (!file.hasColumn(kVqaImage)) return badInput("has no column 'image'", path.string());
  if (answerColumn(file).empty()) return badInput("has no column 'multiple_choice_answer' or 'answer'", path.string());
  return {};
}

Status forEachVqaRow(const std::filesystem::path& path, const std::function<bool(const VqaRow&)>& visit) {
  ROADTUNE_TRY(const auto file, ParquetFile::open(path));
  const std::string answer = answerColumn(file);
  if (!file.hasColumn(kVqaImage) || !file.hasColumn(kVqaQuestion) || answer.empty())
    return badInput("lacks one of the columns image, question, multiple_choice_answer", path.string());
  std::uint64_t next = 0;
  return file.forEach({kVqaImage, kVqaQuestion, answer}, [&](const ParquetRows& rows) {
    const ParquetColumn& image = rows[kVqaImage];
    const bool nested = image.isStruct();
    const ParquetColumn bytes = nested ? image.field("bytes") : image;
    const ParquetColumn paths = nested ? image.field("path") : ParquetColumn();
    for (std::int64_t row = 0; row < rows.size(); ++row) {
      std::string_view encoded = bytes.text(row), name = paths.text(row);
      if (!nested && !looksEncoded(encoded, image.holdsBytes())) std::swap(encoded, name);
      const VqaRow entry{next++,
                         {reinterpret_cast<const std::uint8_t*>(encoded.data()), encoded.size()},
                         name,
                         rows[kVqaQuestion].written(row),
                         rows[answer].written(row)};
      if (!visit(entry)) return false;
    }
    return true;
  });
}

}  // namespace roadtune::data
