#include "server/cli/show_command.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "server/cli/map_drawing.h"
#include "server/service/head_scores.h"
#include "server/service/negation_target.h"

namespace notbad::cli {
namespace {

constexpr std::int64_t kBarCells = 40;
constexpr double kUndecidedBelow = 0.6;  // of the largest probability

using Link = std::optional<service::NegationLink>;

std::string word_text(std::string_view text, const tokenizer::TextRange& range) {
  const auto begin = static_cast<std::size_t>(range.bytes.begin);
  return printable(text.substr(begin, static_cast<std::size_t>(range.bytes.end) - begin));
}

bool is_cue_word(const service::Sentiment& sentiment, std::int64_t word) {
  return std::ranges::any_of(sentiment.cues, [word](const service::NegationCue& cue) {
    return std::ranges::find(cue.words, word) != cue.words.end();
  });
}

// The text as typed, each negator marked.
std::string marked_sentence(std::string_view text, const service::Sentiment& sentiment,
                            const Terminal& terminal) {
  std::string line;
  std::size_t position = 0;
  for (const service::NegationCue& cue : sentiment.cues) {
    const auto& words = sentiment.encoding.words;
    const auto begin = static_cast<std::size_t>(
        words[static_cast<std::size_t>(cue.words.front())].range.bytes.begin);
    const auto end =
        static_cast<std::size_t>(words[static_cast<std::size_t>(cue.words.back())].range.bytes.end);
    line += printable(text.substr(position, begin - position));
    line += terminal.has_colour ? "\033[7;1m¬ " : "¬";
    line += printable(text.substr(begin, end - begin));
    if (terminal.has_colour) line += "\033[0m";
    position = end;
  }
  return line + printable(text.substr(position)) + '\n';
}

std::string verdict(const service::Sentiment& sentiment, const std::vector<std::string>& labels,
                    const Terminal& terminal) {
  const auto label = static_cast<std::size_t>(sentiment.label);
  const float score = sentiment.probabilities[label];
  std::string line = fmt::format("{} {:.1f} %", labels[label], 100 * score);
  if (score < kUndecidedBelow) line += " (undecided)";
  if (terminal.has_colour) line = "\033[1m" + line + "\033[0m";
  if (labels.size() != 2) return line + '\n';

  const std::int64_t room =
      terminal.width - display_width(labels[0]) - display_width(labels[1]) - 5;
  const std::int64_t cells = std::clamp<std::int64_t>(room, 2, kBarCells);
  const auto filled = static_cast<std::int64_t>(
      std::lround(sentiment.probabilities[1] * static_cast<float>(cells)));
  const std::string bar = std::string(static_cast<std::size_t>(filled), '#') +
                          std::string(static_cast<std::size_t>(cells - filled), '-');
  return fmt::format("{}\n{} [{}] {}\n", line, labels[0], bar, labels[1]);
}

std::vector<AxisLabel> axis_labels(std::string_view text, const service::Sentiment& sentiment,
                                   const Link& link) {
  std::vector<AxisLabel> labels;
  for (const tokenizer::Token& token : sentiment.encoding.tokens) {
    AxisLabel label;
    label.text = token.range ? word_text(text, *token.range) : token.piece;
    label.is_cue = token.word && is_cue_word(sentiment, *token.word);
    label.is_target = link && token.word == link->from;
    labels.push_back(std::move(label));
  }
  return labels;
}

std::string head_title(const service::HeadScore& score, const Link& link, std::string_view text,
                       const service::Sentiment& sentiment) {
  std::string title = fmt::format("layer {} head {}: ", score.layer + 1, score.head + 1);
  const float percent = 100 * score.attention;
  if (!link)
    return title + fmt::format("a word looks at one other with {:.1f} % on average\n", percent);
  const auto& words = sentiment.encoding.words;
  const auto quoted = [&](std::int64_t word) {
    return word_text(text, words[static_cast<std::size_t>(word)].range);
  };
  return title +
         fmt::format("\"{}\" looks at \"{}\" with {:.1f} %, {:.1f} % at that distance elsewhere\n",
                     quoted(link->from), quoted(link->to), percent, 100 * score.baseline);
}

std::vector<service::HeadScore> ranked_heads(const service::Sentiment& sentiment, const Link& link,
                                             const std::optional<model::HeadIndex>& negation_head) {
  if (!link) return service::focus_scores(sentiment.attention, sentiment.encoding);
  std::vector<service::HeadScore> scores =
      service::attention_scores(sentiment.attention, sentiment.encoding, link->from, link->to);
  const auto is_negation_head = [&](const service::HeadScore& score) {
    return negation_head && score.layer == negation_head->layer &&
           score.head == negation_head->head;
  };
  std::ranges::stable_partition(scores, is_negation_head);
  return scores;
}

ConstMatrixView map_of(const Tensor& maps, const service::HeadScore& score) {
  const std::int64_t tokens = maps.dim(2);
  const std::int64_t index = score.layer * maps.dim(1) + score.head;
  return maps.matrix().rows_from(index * tokens, tokens);  // [T, T]
}

}  // namespace

std::string draw_sentiment(std::string_view text, const service::Sentiment& sentiment,
                           const std::vector<std::string>& labels, const ShownHeads& heads,
                           const Terminal& terminal) {
  const Link link = service::negation_link(sentiment.encoding, sentiment.cues);
  std::string drawing = marked_sentence(text, sentiment, terminal);
  drawing += verdict(sentiment, labels, terminal);
  drawing += sentiment.cues.empty() ? "No negation word found.\n" : "";

  const std::vector<service::HeadScore> scores = ranked_heads(sentiment, link, heads.negation_head);
  const std::vector<AxisLabel> axis = axis_labels(text, sentiment, link);
  for (std::int64_t i = 0; i < std::min(heads.count, std::ssize(scores)); ++i) {
    const service::HeadScore& score = scores[static_cast<std::size_t>(i)];
    drawing += '\n' + head_title(score, link, text, sentiment);
    drawing += draw_map(map_of(sentiment.attention, score), axis, terminal);
  }
  drawing +=
      "\nRows look at columns, in percent; each row adds up to 100. Attention shows where a head\n"
      "mixed information from; it does not by itself show why the answer came out.\n";
  return drawing;
}

}  // namespace notbad::cli
