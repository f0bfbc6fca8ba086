// What a word of `weir help` names.
#include "tb/options/option_topic.h"

#include <gtest/gtest.h>

#include <sstream>

#include "tb/options/run_options.h"

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
        write_topic(text, m_table, find_topic(m_table, word));
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
    EXPECT_NE(text_of("lookahead").find("weir help KEY says all of one of them.\n"), std::string::npos);
}

TEST_F(option_topics, a_word_that_names_nothing_is_told_what_is_near) {
    EXPECT_TRUE(find_topic(m_table, "zzzqq").empty());
    EXPECT_TRUE(find_topic(m_table, "").empty());
    EXPECT_NE(no_topic(m_table, "ingress_bufer").find("did you mean ingress_buffer?"), std::string::npos);
    EXPECT_NE(no_topic(m_table, "zzzqq").find("a block (run, fabric,"), std::string::npos);
}

}  // namespace
}  // namespace weir::tb
