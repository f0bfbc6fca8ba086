// A paper: a folder with INI files, what is run of them (experiments.csv), what the paper states
// (statements.csv), what it draws (figures.csv), what a reader needs to know (about.md, optional), and
// paper.ini:
//
//     [paper]
//     title = DeTail: reducing the flow completion time tail in datacenter networks
//     seeds = 5
//
// docs/reproduce.md tells how to write one.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tb/study/statements/experiment_table.h"
#include "tb/study/statements/figure_table.h"
#include "tb/study/statements/statement_table.h"
#include "weir/base/config_error.h"
#include "weir/base/config_field.h"

namespace weir::tb {

struct paper_facts {
    std::string title;
    std::string reference;
    /// Seeds with which verdicts are recorded.
    std::string seeds = "5";
    std::string quick_seeds = "2";
    double confidence = 0.95;

    template <class Fields>
    static void describe(Fields& fields) {
        using self = typename Fields::config;
        const char* const seed_forms = "a number of seeds, or seeds such as 1,2,3 or 1..10";
        fields(field("title", &self::title).help("The paper's title, one line."));
        fields(field("reference", &self::reference).help("Authors, venue and year."));
        fields(field("seeds", &self::seeds)
                   .rule(seed_forms)
                   .help("Seeds of every point. The recorded verdicts are those of these seeds."));
        fields(field("quick_seeds", &self::quick_seeds).rule(seed_forms).help("The same of --quick."));
        fields(field("confidence", &self::confidence)
                   .range(0.0, 1.0, range_ends::both_excluded)
                   .share()
                   .help("Confidence level of the intervals."));
    }
};

/// about.md: what a reader of results.md who has not read the paper needs to know. Optional.
///
///     DeTail spreads packets over all paths ...          # stands below the title
///     ## 8                                               # what follows stands at Fig. 8
///     Servers ask each other at a steady rate ...
///
/// Markdown; each text ends with an empty line, or is empty.
struct about_text {
    std::string introduction;
    /// Text by the figure's name, as the tables have it.
    std::map<std::string, std::string> figures;
};

struct paper {
    /// The folder's name.
    std::string name;
    std::filesystem::path folder;
    paper_facts facts;
    std::vector<paper_experiment> experiments;
    std::vector<paper_statement> statements;
    std::vector<paper_figure> figures;
    about_text about;

    /// Names as the tables have them, in the order of their first row.
    std::vector<std::string> figure_names() const;
    /// `figures`, and names such as `10-12` of statements about several of which one is among them.
    std::vector<std::string> with_ranges(std::vector<std::string> figures) const;
    /// Ids of rows that the statements of these figures (none: of all) compare with each other.
    std::set<std::string> rows_for(const std::vector<std::string>& figures) const;
};

/// Folders of papers that come with the program: `detail`. Sorted.
std::vector<std::filesystem::path> known_papers();

/// `name`: of one of those, or a path. Empty, and an error, where it is neither.
std::filesystem::path find_paper(const std::string& name, config_errors& errors);

/// Reads paper.ini alone.
paper_facts read_paper_facts(const std::filesystem::path& folder, config_errors& errors);
paper read_paper(const std::filesystem::path& folder, config_errors& errors);
/// `figures`: the names that headings may have. Both are empty where the folder has no about.md.
about_text read_about(const std::filesystem::path& folder, const std::vector<std::string>& figures,
                      config_errors& errors);

/// Its own name, however its path is written.
std::string name_of_folder(const std::filesystem::path& directory);

/// `Fig. 8` of `8`; other names stay as they are.
std::string figure_text(const std::string& figure);

}  // namespace weir::tb
