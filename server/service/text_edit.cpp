#include "server/service/text_edit.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace notbad::service {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";
constexpr std::string_view kClosingMarks = ".,;:!?)";

// Verbs that lose letters before "n't".
struct Stem {
  std::string_view cut;
  std::string_view whole;
};
constexpr std::array<Stem, 4> kStems = {
    {{"ca", "can"}, {"wo", "will"}, {"sha", "shall"}, {"ai", "is"}}};

bool is_capital(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }

std::string capitalised(std::string_view word) {
  std::string result(word);
  if (!result.empty())
    result.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(result.front())));
  return result;
}

// As far as the words of opposite_of() go.
bool starts_with_vowel_sound(std::string_view word) {
  if (word.starts_with("hones")) return true;
  return !word.empty() && std::string_view("aeiou").find(word.front()) != std::string_view::npos &&
         !word.starts_with("use");
}

// Builds the edited text from left to right.
class Editor {
 public:
  Editor(std::string_view text, const tokenizer::Encoding& encoding)
      : text_(text), words_(encoding.words) {}

  // Leaves out the words from `first` to `last` with what stands between them.
  void leave_out(std::int64_t first, std::int64_t last) {
    copy_until(begin_of(first));
    if (word(first).normalized == "n't") make_stem_whole(first - 1);
    const std::size_t length = result_.size();
    result_.erase(result_.find_last_not_of(kBlanks) + 1);
    const std::size_t end = end_of(last);
    position_ = std::min(text_.find_first_not_of(kBlanks, end), text_.size());
    const bool had_blank = result_.size() < length || position_ > end;
    if (result_.empty() && is_capital(text_[begin_of(first)])) is_capital_due_ = true;
    if (result_.empty() || position_ == text_.size()) return;
    if (had_blank && kClosingMarks.find(text_[position_]) == std::string_view::npos) result_ += ' ';
  }

  void replace(std::int64_t index, std::string_view replacement) {
    const bool has_article =
        index > 0 && (word(index - 1).normalized == "a" || word(index - 1).normalized == "an");
    if (has_article) put(index - 1, starts_with_vowel_sound(replacement) ? "an" : "a");
    put(index, replacement);
  }

  std::string finish() {
    copy_until(text_.size());
    return is_capital_due_ ? capitalised(result_) : std::move(result_);
  }

 private:
  const tokenizer::Word& word(std::int64_t index) const {
    return words_[static_cast<std::size_t>(index)];
  }
  std::size_t begin_of(std::int64_t index) const {
    return static_cast<std::size_t>(word(index).range.bytes.begin);
  }
  std::size_t end_of(std::int64_t index) const {
    return static_cast<std::size_t>(word(index).range.bytes.end);
  }

  // `replacement` for the word `index`, capitalised where that was.
  void put(std::int64_t index, std::string_view replacement) {
    copy_until(begin_of(index));
    if (is_capital(text_[begin_of(index)]))
      result_ += capitalised(replacement);
    else
      result_ += replacement;
    position_ = end_of(index);
  }

  void copy_until(std::size_t end) {
    result_ += text_.substr(position_, end - position_);
    position_ = end;
  }

  // The word `index` is the last thing copied, if it touches the gap.
  void make_stem_whole(std::int64_t index) {
    if (index < 0 || end_of(index) != position_ || result_.empty()) return;
    const auto* stem = std::ranges::find(kStems, word(index).normalized, &Stem::cut);
    if (stem == kStems.end()) return;
    const bool was_capital = is_capital(text_[begin_of(index)]);
    result_.erase(result_.size() - (end_of(index) - begin_of(index)));
    result_ += was_capital ? capitalised(stem->whole) : stem->whole;
  }

  std::string_view text_;
  const std::vector<tokenizer::Word>& words_;
  std::string result_;
  std::size_t position_ = 0;  // of the text, behind what is copied or left out
  bool is_capital_due_ = false;
};

}  // namespace

std::string without_words(std::string_view text, const tokenizer::Encoding& encoding,
                          std::span<const std::int64_t> words) {
  Editor editor(text, encoding);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::int64_t first = words[i];
    while (i + 1 < words.size() && words[i + 1] == words[i] + 1) ++i;
    editor.leave_out(first, words[i]);
  }
  return editor.finish();
}

std::string with_word_replaced(std::string_view text, const tokenizer::Encoding& encoding,
                               std::int64_t word, std::string_view replacement) {
  Editor editor(text, encoding);
  editor.replace(word, replacement);
  return editor.finish();
}

}  // namespace notbad::service
