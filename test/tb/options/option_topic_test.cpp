// What a word of `weir help` names.
#include "tb/run/help/option_topic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "tb/run/options/run_options.h"
#include "tb/support/text/word_stems.h"

namespace weir::tb {
namespace {

class option_topics : public testing::Test {
 protected:
    std::set<std::string> keys_of(const std::string& word) {
        std::set<std::string> keys;
        for (const option* each : find_topic(m_table, word).options) {
            keys.insert(each->key);
        }
        return keys;
    }
    std::string text_of(const std::string& word) {
        std::ostringstream text;
        write_topic(text, m_table, word, find_topic(m_table, word));
        return text.str();
    }

    run_config m_config;
    option_table m_table = make_option_table(m_config);
};

TEST_F(option_topics, a_key_names_one_option_with_dashes_and_capitals_too) {
    for (const char* word : {"pfc.xoff", "PFC.XOFF"}) {
        EXPECT_EQ(keys_of(word), std::set<std::string>{"pfc.xoff"}) << word;
    }
    EXPECT_EQ(keys_of("switch.ingress-buffer"), std::set<std::string>{"switch.ingress_buffer"});
}

TEST_F(option_topics, a_block_names_all_of_its_options_and_a_name_those_of_all_blocks) {
    for (const auto& each : m_table.options()) {
        EXPECT_EQ(keys_of("sram").count(each->key), each->block == "sram" ? 1U : 0U) << each->key;
        EXPECT_EQ(keys_of("xon").count(each->key), each->name == "xon" ? 1U : 0U) << each->key;
    }
}

TEST_F(option_topics, a_scheme_is_shown_alone) {
    const std::string text = text_of("dctcp");
    EXPECT_EQ(text.rfind("  dctcp: ", 0), 0U) << text;
    EXPECT_EQ(text.find("Unit:"), std::string::npos) << text;
}

TEST_F(option_topics, any_other_word_is_looked_for_in_all_texts) {
    const option_topic topic = find_topic(m_table, "lookahead");
    EXPECT_TRUE(topic.searched);
    for (const auto& each : m_table.options()) {
        if (each->doc.find("lookahead") != std::string::npos) {
            EXPECT_EQ(topic.options.count(each.get()), 1U) << each->key;
        }
    }
    EXPECT_NE(text_of("lookahead").find("weir help KEY prints all of one of them.\n"), std::string::npos);
}

TEST_F(option_topics, a_word_is_found_whole_and_with_other_endings) {
    EXPECT_EQ(keys_of("mapped"), keys_of("maps"));
    EXPECT_EQ(keys_of("acknowledgements").count("udp.payload"), 0U);
    EXPECT_TRUE(find_topic(m_table, "ffec").empty());
    EXPECT_TRUE(find_topic(m_table, "ossles").empty());
    // Only if no text has the whole word, by how words begin.
    EXPECT_EQ(keys_of("thresh").count("marking.threshold"), 1U);
    EXPECT_TRUE(find_topic(m_table, "bu").empty());
    EXPECT_TRUE(find_topic(m_table, "pie").empty()) << "it begins 'piece'";
}

TEST_F(option_topics, a_term_of_the_field_names_the_options_that_have_it) {
    for (const char* word : {"DWRR", "dwrr", "Deficit-Weighted round_robin"}) {
        EXPECT_EQ(keys_of(word), (std::set<std::string>{"switch.scheduler", "switch.weights"})) << word;
        EXPECT_EQ(text_of(word).rfind("switch.scheduler = deficit_round_robin  (default: strict)\n", 0), 0U)
            << text_of(word);
    }
    EXPECT_EQ(keys_of("jumbo frames").count("switch.max_frame"), 1U);
    for (const char* word : {"ECMP", "hash seed", "polarisation", "polarization", "hash polarization"}) {
        EXPECT_EQ(keys_of(word), (std::set<std::string>{"switch.balance", "switch.hash_salt"})) << word;
    }
    for (const char* word : {"load balancing", "load-balancer"}) {
        EXPECT_EQ(keys_of(word), std::set<std::string>{"switch.balance"}) << word;
    }
    EXPECT_EQ(keys_of("802.1p"), keys_of("PCP"));
    EXPECT_EQ(keys_of("AQM"), keys_of("active queue management"));
    EXPECT_EQ(keys_of("flowhash"), keys_of("flow-hash"));
    // A scheme or an option of this name is printed in full first.
    const std::string red = text_of("RED");
    EXPECT_EQ(red.rfind("  red: ", 0), 0U) << red;
    EXPECT_NE(red.find("\nOptions for RED:\n\nmarking.kind = red  (default: none)\n"), std::string::npos)
        << red;
    EXPECT_NE(text_of("buffer").find("--switch.buffer = partitioned\n"), std::string::npos);
    EXPECT_NE(text_of("buffer").find("\nswitch.egress_buffer = 128KiB\n"), std::string::npos);
}

TEST_F(option_topics, a_term_that_is_not_modelled_quotes_the_list_of_the_readme) {
    EXPECT_EQ(
        text_of("cut-through"),
        "cut-through is not modelled: \"Switches store and forward. There is no cut-through.\" (README.md,\n"
        "    \"What it does not model\", has the list)\n");
    EXPECT_TRUE(find_topic(m_table, "cutthrough").is_only_not_modelled());
    EXPECT_TRUE(find_topic(m_table, "multi-cast").is_only_not_modelled());
    EXPECT_TRUE(find_topic(m_table, "FEC").is_only_not_modelled());
    EXPECT_NE(text_of("SACK").find("\nRelated options:\n\nroce.recovery = selective  (default: go_back_n)\n"),
              std::string::npos);
}

/// The list "What it does not model", without marks of Markdown, with single blanks.
std::string not_modelled_list() {
    std::ifstream file(std::string(WEIR_GOLDEN_DIR) + "/../../README.md");
    std::string list;
    bool inside = false;
    for (std::string line; std::getline(file, line);) {
        inside = line.rfind("## ", 0) == 0 ? line == "## What it does not model" : inside;
        list += inside ? line + " " : "";
    }
    std::string plain;
    for (const char c : list) {
        if (c != '*' && !(c == ' ' && !plain.empty() && plain.back() == ' ')) {
            plain += c;
        }
    }
    return plain;
}

TEST_F(option_topics, every_term_names_options_that_exist_or_words_of_the_readme) {
    const std::string list = not_modelled_list();
    ASSERT_NE(list, "");
    std::set<std::vector<std::string>> spellings;
    for (const field_term& term : field_terms()) {
        const std::string name = term.words.front();
        EXPECT_TRUE(!term.options.empty() || term.not_modelled != nullptr) << name;
        for (const char* const word : term.words) {
            EXPECT_TRUE(spellings.insert(word_stems(word)).second) << word << " is in two terms";
            EXPECT_EQ(find_field_term(word), &term) << word;
        }
        for (const std::string text : term.options) {
            const std::size_t end = text.find(" = ");
            const option* const known = m_table.find(text.substr(0, end));
            ASSERT_NE(known, nullptr) << name << ": " << text;
            EXPECT_EQ(known->key, text.substr(0, end)) << name << ": an old key";
            EXPECT_TRUE(end == std::string::npos || known->value->assign(text.substr(end + 3)).empty()) << text;
        }
        if (term.not_modelled != nullptr) {
            EXPECT_NE(list.find(term.not_modelled), std::string::npos) << name << ": " << term.not_modelled;
            EXPECT_TRUE(
                std::any_of(term.words.begin(), term.words.end(),
                            [&](const char* word) { return word_search(word).is_in(term.not_modelled); }))
                << name << " is not in: " << term.not_modelled;
        }
    }
}

TEST_F(option_topics, a_word_that_names_nothing_is_told_what_is_near) {
    EXPECT_TRUE(find_topic(m_table, "zzzqq").empty());
    EXPECT_TRUE(find_topic(m_table, "").empty());
    EXPECT_NE(no_topic(m_table, "ingress_bufer").find("did you mean ingress_buffer?"), std::string::npos);
    EXPECT_NE(no_topic(m_table, "zzzqq").find("a block (run, fabric,"), std::string::npos);
    EXPECT_EQ(no_topic(m_table, "sharpen").find("did you mean"), std::string::npos);
    EXPECT_EQ(no_topic(m_table, "x").find("did you mean"), std::string::npos);
}

}  // namespace
}  // namespace weir::tb
