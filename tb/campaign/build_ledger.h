// run.json of a campaign: what may differ between equal ones. One entry per time that the command ran, with the
// build of weir that made its runs.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

namespace weir::tb {

class build_ledger {
 public:
    /// Reads what there is; a file that is none counts as nothing.
    explicit build_ledger(std::filesystem::path directory);

    /// Fingerprint of the program whose runs are there; empty where there are none.
    std::string program() const;
    /// Fingerprint of this program.
    static std::string this_program();

    /// Adds this call of the command, and writes the file. Throws output_error.
    void begin(const std::string& command_line, unsigned jobs);
    /// How it ended: reads the file again, and writes it. Throws output_error.
    void end(const std::string& outcome, std::size_t runs);

 private:
    void read();
    void write() const;

    std::filesystem::path m_directory;
    nlohmann::ordered_json m_file;
    /// Place of this call among all.
    std::size_t m_session = 0;
    double m_started = 0;
};

}  // namespace weir::tb
