// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/index/conversation_recordings.h"

#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/data/index/answer_boxes.h"
#include "core/data/index/class_list.h"
#include "core/data/index/find_files.h"
#include "core/data/index/json_elements.h"
#include "core/data/index/label_reading.h"
#include "core/data/index/named_pictures.h"
#include "core/data/index/scene_fields.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace roadtune::data {

namespace {

using nlohmann::json;

struct Turn {
  std::string role, text;
};

struct Conversation {
  std::vector<Turn> turns;
  std::vector<std::string> pictures;
};

// "a.jpg", or an object that names it.
std::string pictureNamed(const json& value) {
  if (value.is_string()) return value.get<std::string>();
  for (const char* key : {"path", "image", "file", "url", "image_url"})
    if (value.is_object() && value.contains(key)) return pictureNamed(value[key]);
  return {};
}

void addPictures(const json& value, std::vector<std::string>& pictures) {
  if (value.is_array()) {
    for (const json& one : value) addPictures(one, pictures);
  } else if (std::string name = pictureNamed(value); !name.empty()) {
    pictures.push_back(std::move(name));
  }
}

// A text, or parts of which some are texts and others pictures.
std::string textOfMessage(const json& content, std::vector<std::string>& pictures) {
  if (content.is_string()) return content.get<std::string>();
  std::string text;
  for (const json& part : content.is_array() ? content : json::array()) {
    if (const std::string words = part.is_string() ? part.get<std::string>() : textOf(part, "text"); !words.empty())
      text += (text.empty() ? "" : "\n") + words;
    else if (startsWith(textOf(part, "type"), "image"))
      addPictures(part, pictures);
  }
  return text;
}

std::string roleOf(const std::string& word) {
  for (const char* asks : {"user", "human"})
    if (word == asks) return "user";
  for (const char* answers : {"assistant", "gpt", "model", "bot"})
    if (word == answers) return "assistant";
  return "other";
}

Conversation conversationOf(const json& element) {
  Conversation talk;
  for (const char* key : {"images", "image"})
    if (element.contains(key)) addPictures(element[key], talk.pictures);
  for (const auto& [key, role, content] :
       {std::tuple("messages", "role", "content"), {"conversations", "from", "value"}}) {
    if (!element.contains(key) || !element[key].is_array()) continue;
    for (const json& message : element[key])
      if (message.is_object() && message.contains(content))
        talk.turns.push_back({roleOf(textOf(message, role)), textOfMessage(message[content], talk.pictures)});
  }
  if (talk.turns.empty() && element.contains("output")) {
    std::string question = textOf(element, "instruction");
    if (const std::string more = textOf(element, "input"); !more.empty())
      question += (question.empty() ? "" : "\n") + more;
    talk.turns = {{"user", std::move(question)}, {"assistant", textOf(element, "output")}};
  }
  return talk;
}

// The place of the picture is the beginning, always.
std::string withoutImageWord(std::string text) {
  constexpr std::string_view kWord = "<image>";
  for (auto at = text.find(kWord); at != std::string::npos; at = text.find(kWord)) text.erase(at, kWord.size());
  return std::string(trim(text));
}

class ConversationReader {
 public:
  ConversationReader(const ImportUnit& unit, RecordingSink& sink)
      : m_unit(unit), m_sink(sink), m_file(unit.files.front()), m_lookup(m_file, unit.imageFolders, unit.nearFolders) {}

  Status run() {
    bool stopped = false;
    ROADTUNE_CHECK(forEachElement(m_file, {{"", [&](json& element) {
                                              ++m_number;
                                              if (element.is_object()) add(conversationOf(element));
                                              stopped = !m_sink.advance(0);
                                              return !stopped;
                                            }}}));
    if (stopped) return cancelled();
    tell(m_without, "conversation", "about no picture, or without a question and an answer", "left out");
    tell(m_several, "conversation", "about several pictures", "left out: one picture is learnt at a time");
    tell(m_unfound, "conversation", "about a picture that was not found, first " + m_firstUnfound, "left out", true);
    tell(m_further, "question", "after another one about the same picture", "asked without what was said before");
    tell(m_instructions, "instruction", "to the system", "left out");
    m_odd.tell(m_file, m_sink);
    if (m_recording.images.empty())
      return badInput("holds no conversation about a picture that is there", m_file.string(),
                      "name the folder of the pictures as well");
    return deliverUnit(std::move(m_recording), "conversations", m_unit, m_classes, m_file.string(), m_sink);
  }

 private:
  void tell(std::size_t count, const char* noun, const std::string& what, const char* done, bool picture = false) {
    if (count > 0)
      m_sink.problem(
          {.file = m_file.string(), .what = counted(count, noun) + " " + what, .done = done, .picture = picture});
  }

  void add(const Conversation& talk) {
    std::vector<std::pair<std::string, std::string>> pairs;
    for (std::size_t i = 0; i < talk.turns.size(); ++i) {
      if (talk.turns[i].role == "other") ++m_instructions;
      if (i > 0 && talk.turns[i].role == "assistant" && talk.turns[i - 1].role == "user")
        pairs.emplace_back(withoutImageWord(talk.turns[i - 1].text), trim(talk.turns[i].text));
    }
    if (pairs.empty() || talk.pictures.empty()) return void(++m_without);
    if (talk.pictures.size() > 1) return void(++m_several);
    const auto file = m_lookup.find(talk.pictures[0]);
    if (!file) {
      if (m_unfound++ == 0) m_firstUnfound = talk.pictures[0];
      return;
    }
    m_further += pairs.size() - 1;
    for (auto& [question, answer] : pairs) addImage(*file, std::move(question), std::move(answer));
  }

  void addImage(const std::filesystem::path& file, std::string question, std::string answer) {
    RecordedImage image;
    image.timestamp = static_cast<std::int64_t>(m_recording.images.size());
    image.prefix = std::move(question);
    image.suffix = std::move(answer);
    image.labelled = saysWhatIsThere(image);
    std::optional<Problem> problem;
    if (takePicture(file, m_unit.base, image, m_odd))
      problem = addAnsweredBoxes(image, m_classes);
    else
      problem =
          Problem{.what = "picture " + image.name + " cannot be read", .done = "marked as damaged", .picture = true};
    if (image.corrupt) image.labelled = false;
    if (problem) {
      problem->file = m_file.string();
      problem->what = fmt::format("conversation {}: {}", m_number, problem->what);
      m_sink.problem(*std::move(problem));
    }
    m_recording.images.push_back(std::move(image));
  }

  const ImportUnit& m_unit;
  RecordingSink& m_sink;
  std::filesystem::path m_file;
  ImageLookup m_lookup;
  OddPictures m_odd;
  ClassList m_classes;
  Recording m_recording;
  std::size_t m_number = 0, m_without = 0, m_several = 0, m_unfound = 0, m_further = 0, m_instructions = 0;
  std::string m_firstUnfound;
};

bool looksLikeConversations(const std::filesystem::path& file) {
  if (!isJsonArray(file)) return false;
  const std::string head = firstBytes(file, 64 * 1024);
  const auto has = [&head](const char* key) { return head.find(key) != std::string::npos; };
  return has("\"messages\"") || has("\"conversations\"") || (has("\"instruction\"") && has("\"output\""));
}

}  // namespace

Result<std::vector<ImportUnit>> ConversationRecordings::discover(const std::filesystem::path& path) const {
  std::vector<ImportUnit> units;
  for (const auto& file : findFiles(path, [](const std::string& name) { return endsWith(name, ".json"); }))
    if (looksLikeConversations(file)) units.push_back(unitOfAnnotationFile(file));
  return units;
}

Status ConversationRecordings::read(const ImportUnit& unit, RecordingSink& sink) const {
  return ConversationReader(unit, sink).run();
}

}  // namespace roadtune::data
