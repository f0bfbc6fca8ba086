#include "tb/campaign/build_ledger.h"

#include <chrono>
#include <cmath>
#include <cstddef>
#include <utility>

#include "tb/campaign/campaign_directory.h"
#include "tb/files/file_fingerprint.h"
#include "tb/files/json_file.h"
#include "tb/files/run_directory.h"
#include "tb/results/run_facts.h"
#include "tb/results/summary_writer.h"

namespace weir::tb {

using nlohmann::ordered_json;

namespace {

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

build_ledger::build_ledger(std::filesystem::path directory) : m_directory(std::move(directory)) {
    read();
}

void build_ledger::read() {
    m_file = json_or_discarded(read_if_there(m_directory / "run.json"));
    if (!m_file.is_object() || !m_file.contains("program_crc64") || !m_file.contains("sessions") ||
        !m_file["sessions"].is_array() || !m_file["program_crc64"].is_string()) {
        m_file = ordered_json::object();
    }
}

std::string build_ledger::program() const {
    return m_file.empty() ? std::string{} : m_file.at("program_crc64").get<std::string>();
}

std::string build_ledger::this_program() {
    static const std::string crc64 = [] {
        const auto print = fingerprint_of("/proc/self/exe");
        return print ? print->crc64 : std::string{};
    }();
    return crc64;
}

void build_ledger::begin(const std::string& command_line, unsigned jobs) {
    m_file["program_crc64"] = this_program();
    if (!m_file.contains("sessions")) {
        m_file["sessions"] = ordered_json::array();
    }
    const char* const no_arguments = "";
    const run_facts facts = run_stopwatch(0, &no_arguments).facts();
    m_started = now();
    m_session = m_file["sessions"].size();
    m_file["sessions"].push_back({{"date", facts.date},
                                  {"machine", facts.machine},
                                  {"program_crc64", m_file["program_crc64"]},
                                  {"jobs", jobs},
                                  {"command_line", command_line},
                                  {"outcome", nullptr},
                                  {"runs", nullptr},
                                  {"wall_seconds", nullptr}});
    write();
}

void build_ledger::end(const std::string& outcome, std::size_t runs) {
    read();
    if (!m_file.contains("sessions") || m_file["sessions"].size() <= m_session ||
        !m_file["sessions"][m_session].is_object()) {
        return;  // somebody has changed it
    }
    ordered_json& session = m_file["sessions"][m_session];
    session["outcome"] = outcome;
    session["runs"] = runs;
    session["wall_seconds"] = std::round((now() - m_started) * 1000) / 1000;
    write();
}

void build_ledger::write() const {
    write_file(m_directory / "run.json", to_text(m_file));
    synchronise(m_directory);
}

}  // namespace weir::tb
