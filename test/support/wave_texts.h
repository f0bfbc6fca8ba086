// A small waveform for tests, written as VCD text by hand and as FST by GTKWave's own library.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#ifdef WEIR_WITH_FST
#include <fstapi.h>
#endif

namespace weir::test {

#ifdef WEIR_WITH_FST
inline constexpr bool fst_supported = true;
#else
inline constexpr bool fst_supported = false;
#endif

/// Signals of `tb.dut`, all 0 at first.
class wave_text {
 public:
    void add(const std::string& name, unsigned width) {
        m_signals.emplace_back(name, width);
        m_places[name] = m_signals.size() - 1;
    }
    wave_text& at(unsigned long time) {
        m_time = time;
        return *this;
    }
    wave_text& set(const std::string& name, unsigned long value) {
        return set_bits(name, bits(m_places.at(name), value));
    }
    /// As many characters as the signal has bits.
    wave_text& set_bits(const std::string& name, const std::string& value) {
        m_changes[m_time].emplace_back(m_places.at(name), value);
        return *this;
    }

    std::string vcd() const {
        std::string text = "$timescale 1ns $end\n$scope module tb $end\n$scope module dut $end\n";
        for (std::size_t s = 0; s < m_signals.size(); ++s) {
            text += "$var wire " + std::to_string(m_signals[s].second) + " s" + std::to_string(s) + " " +
                    m_signals[s].first + " $end\n";
        }
        text += "$upscope $end\n$upscope $end\n$enddefinitions $end\n#0\n$dumpvars\n";
        for (std::size_t s = 0; s < m_signals.size(); ++s) {
            text += "b0 s" + std::to_string(s) + "\n";
        }
        text += "$end\n";
        for (const auto& [time, changes] : m_changes) {
            text += "#" + std::to_string(time) + "\n";
            for (const auto& [signal, value] : changes) {
                text += "b" + value + " s" + std::to_string(signal) + "\n";
            }
        }
        return text;
    }

    void write_fst([[maybe_unused]] const std::string& path) const {
#ifdef WEIR_WITH_FST
        auto* const out = fstWriterCreate(path.c_str(), 1);
        fstWriterSetTimescale(out, -9);
        fstWriterSetScope(out, FST_ST_VCD_MODULE, "tb", nullptr);
        fstWriterSetScope(out, FST_ST_VCD_MODULE, "dut", nullptr);
        std::vector<fstHandle> handles;
        for (const auto& [name, width] : m_signals) {
            handles.push_back(
                fstWriterCreateVar(out, FST_VT_VCD_WIRE, FST_VD_IMPLICIT, width, name.c_str(), 0));
        }
        fstWriterSetUpscope(out);
        fstWriterSetUpscope(out);
        fstWriterEmitTimeChange(out, 0);
        for (std::size_t s = 0; s < m_signals.size(); ++s) {
            fstWriterEmitValueChange(out, handles[s], bits(s, 0).c_str());
        }
        for (const auto& [time, changes] : m_changes) {
            fstWriterEmitTimeChange(out, time);
            for (const auto& [signal, value] : changes) {
                fstWriterEmitValueChange(out, handles[signal], value.c_str());
            }
        }
        fstWriterClose(out);
#endif
    }

 private:
    std::string bits(std::size_t signal, unsigned long value) const {
        std::string text(m_signals[signal].second, '0');
        for (std::size_t b = 0; b < text.size(); ++b) {
            text[text.size() - 1 - b] = (value >> b & 1) != 0 ? '1' : '0';
        }
        return text;
    }

    std::vector<std::pair<std::string, unsigned>> m_signals;
    std::map<std::string, std::size_t> m_places;
    std::map<unsigned long, std::vector<std::pair<std::size_t, std::string>>> m_changes;
    unsigned long m_time = 0;
};

}  // namespace weir::test
