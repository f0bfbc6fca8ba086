#include "tb/verify/wave/wave_file.h"

#include <utility>

namespace weir::tb {

namespace {

/// Identifier codes: printable characters, the shortest first.
std::string code_of(std::size_t signal) {
    constexpr char first = '!';
    constexpr std::size_t characters = '~' - '!' + 1;
    std::string code;
    for (std::size_t rest = signal + 1; rest > 0; rest = (rest - 1) / characters) {
        code += static_cast<char>(first + static_cast<char>((rest - 1) % characters));
    }
    return code;
}

class vcd_file_writer final : public wave_file {
 public:
    explicit vcd_file_writer(output_file file) : m_file(std::move(file)) {}

    void declare(const std::vector<wave_signal>& signals) override {
        m_file.write("$version weir " WEIR_VERSION " $end\n$timescale 1 ps $end\n");
        wave_file::declare(signals);
        m_file.write("$enddefinitions $end\n");
    }

    void begin(picoseconds time) override {
        write_time(time);
        m_file.write("$dumpvars\n");
        m_dumping = true;
    }

    void at(picoseconds time) override {
        end_dump();
        write_time(time);
    }

    void change(std::size_t signal, std::string_view bits) override {
        if (bits.size() == 1) {
            m_line = bits;
        } else {
            // Zeros on the left are added by the reader.
            const std::size_t one = bits.find('1');
            m_line = "b";
            m_line += one == std::string_view::npos ? std::string_view("0") : bits.substr(one);
            m_line += ' ';
        }
        m_line += m_codes[signal];
        m_line += '\n';
        m_file.write(m_line);
    }

    void finish(picoseconds end) override {
        end_dump();
        if (end > m_time) {
            write_time(end);
        }
        m_file.finish();
    }

 private:
    void open_scope(const std::string& name) override { m_file.write("$scope module " + name + " $end\n"); }
    void close_scope() override { m_file.write("$upscope $end\n"); }
    void add_signal(unsigned width, const std::string& name) override {
        m_codes.push_back(code_of(m_codes.size()));
        m_file.write("$var wire " + std::to_string(width) + " " + m_codes.back() + " " + name + " $end\n");
    }
    void write_time(picoseconds time) {
        m_time = time;
        m_file.write("#" + std::to_string(time.count()) + "\n");
    }
    void end_dump() {
        if (m_dumping) {
            m_file.write("$end\n");
            m_dumping = false;
        }
    }

    output_file m_file;
    std::vector<std::string> m_codes;
    std::string m_line;
    picoseconds m_time{-1};
    bool m_dumping = false;
};

}  // namespace

std::unique_ptr<wave_file> create_vcd_file(output_file file) {
    return std::make_unique<vcd_file_writer>(std::move(file));
}

}  // namespace weir::tb
