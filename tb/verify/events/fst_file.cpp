// GTKWave's FST, read by its own library (fstapi), whose source comes with Verilator.
#include "tb/support/files/input_file.h"
#include "tb/verify/events/waveform.h"

#ifdef WEIR_WITH_FST

#include <fstapi.h>
#include <sys/resource.h>
#include <unistd.h>
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#include <sanitizer/common_interface_defs.h>
#endif

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <set>
#include <system_error>
#include <utility>

#include "tb/support/process/child_process.h"
#include "tb/support/process/exit_status.h"

namespace weir::tb {

namespace {

// GTKWave's library trusts what it reads: a damaged file can make it write where it must not, end the program,
// or ask for any memory. So it works in a process of its own, which has limits and writes what it reads into a
// pipe, as VCD.

struct close_file {
    void operator()(std::FILE* file) const { std::fclose(file); }
};

/// Of the process that reads a file of so many bytes: a GiB and 64 times as much, of memory and of unpacked
/// files; two seconds, and one for each KB.
void set_limits(std::uint64_t file_bytes) {
    const auto set = [](int resource, std::uint64_t most) {
        const rlimit limit{most, most};
        ::setrlimit(static_cast<__rlimit_resource>(resource), &limit);
    };
    const std::uint64_t bytes = (1U << 30) + 64 * file_bytes;
    // Whatever this program has reserved already, it and a sanitizer.
    std::uint64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    set(RLIMIT_AS, pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) + bytes);
    set(RLIMIT_FSIZE, bytes);
    set(RLIMIT_CPU, 2 + file_bytes / 1000);
    set(RLIMIT_CORE, 0);
}

/// The library's messages name no file, and nor do a sanitizer's of what the library does.
void silence() {
    [[maybe_unused]] std::FILE* const silenced = std::freopen("/dev/null", "w", stderr);
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    __sanitizer_set_report_fd(reinterpret_cast<void*>(STDERR_FILENO));
#endif
}

/// A pointer: `void*` in Verilator's copy of the library, of a type in libfst.
using fst_reader = decltype(fstReaderOpen(nullptr));

/// A part of an FST file as VCD, which the library writes.
class written_vcd {
 public:
    /// `write` runs in a process of its own and writes to the file that it is given.
    written_vcd(const std::string& path, const std::function<void(fst_reader reader, std::FILE* to)>& write)
        : m_ends(make_pipe()), m_process("weir compare", [&] {
              ::close(m_ends[0]);
              std::error_code ignored;
              set_limits(std::filesystem::file_size(path, ignored));
              silence();
              // What is left to be done at exit is the parent's.
              std::atexit([] { ::_exit(exit_status::environment); });
              const std::unique_ptr<std::FILE, close_file> to(::fdopen(m_ends[1], "w"));
              if (const fst_reader reader = fstReaderOpen(path.c_str())) {
                  // Shows that the file was opened, whatever becomes of the rest.
                  std::fputs("$comment $end\n", to.get());
                  std::fflush(to.get());
                  write(reader, to.get());
              }
              return std::string{};
          }) {
        text = input_stream("/proc/self/fd/" + std::to_string(m_ends[0]));
        ::close(m_ends[0]);
        ::close(m_ends[1]);
    }

    /// Skips the rest of the text. True if everything was written.
    bool is_whole() {
        text.ignore(std::numeric_limits<std::streamsize>::max());
        m_process.wait();
        return m_process.status() == exit_status::success;
    }

    input_stream text;

 private:
    static std::array<int, 2> make_pipe() {
        std::array<int, 2> ends{};
        if (::pipe(ends.data()) != 0) {
            throw std::system_error(errno, std::generic_category(), "a pipe cannot be made");
        }
        return ends;
    }

    std::array<int, 2> m_ends;
    child_process m_process;
};

class fst_file final : public waveform {
 public:
    fst_file(const std::string& path, config_errors& errors) : waveform(path, {}) {
        written_vcd header(path, [](fst_reader reader, std::FILE* to) { fstReaderProcessHier(reader, to); });
        if (header.text.peek() == std::char_traits<char>::eof()) {
            errors.push_back(
                {path, 0, "",
                 "is not an FST file, or was not closed by its writer; expected a whole FST file"});
            return;
        }
        read_from(header, errors, [this](config_errors& found) { return read_header(found); });
        // The library writes 10 ns where the file says 10^-8 s.
        for (; m_unit.count > 1; m_unit.count /= 10) {
            ++m_unit.exponent;
        }
    }

    bool read(const std::vector<std::size_t>& signals, const change_function& change,
              config_errors& errors) override {
        const std::set<std::size_t> chosen(signals.begin(), signals.end());
        written_vcd changes(m_path, [&](fst_reader reader, std::FILE* to) {
            choose(reader, chosen);
            fstReaderIterBlocks2(reader, nullptr, nullptr, nullptr, to);
        });
        return read_from(changes, errors, [&](config_errors& found) {
            return waveform::read(
                signals,
                [&](std::uint64_t time, std::size_t signal, std::string_view value) {
                    change(time, signal, m_signals[signal].width > 0 ? value : unescaped(value));
                },
                found);
        });
    }

 private:
    /// In the other process.
    static void choose(fst_reader reader, const std::set<std::size_t>& chosen) {
        std::size_t place = 0;
        fstReaderClrFacProcessMaskAll(reader);
        fstReaderIterateHierRewind(reader);
        while (const fstHier* const item = fstReaderIterateHier(reader)) {
            if (item->htyp == FST_HT_VAR && chosen.count(place++) != 0) {
                fstReaderSetFacProcessMask(reader, item->u.var.handle);
            }
        }
    }

    /// A string, in which VCD has no blanks.
    std::string_view unescaped(std::string_view value) {
        m_string = value;
        auto* const octets = reinterpret_cast<unsigned char*>(m_string.data());
        const int size = fstUtilityEscToBin(nullptr, octets, static_cast<int>(m_string.size()));
        return std::string_view(m_string).substr(0, static_cast<std::size_t>(size));
    }

    /// Reads what the library has written. A mistake in it is the file's, which the library did not notice.
    template <class Read>
    bool read_from(written_vcd& written, config_errors& errors, const Read& read) {
        config_errors found;
        m_in = std::move(written.text);
        const bool is_read = read(found);
        written.text = std::move(m_in);
        if (!is_read && found.front().key != "VCD") {
            found.front().line = 0;
            errors.push_back(found.front());
        } else if (!is_read || !written.is_whole()) {
            errors.push_back(
                {m_path, 0, "", "is damaged: GTKWave's library failed in it; expected a whole FST file"});
            return false;
        }
        return is_read;
    }

    std::string m_string;
};

}  // namespace

std::unique_ptr<waveform> open_fst(const std::string& path, config_errors& errors) {
    const std::string why_not = open_input(path, input_kind::stored).why_not;
    if (!why_not.empty()) {
        errors.push_back({path, 0, "", "cannot be read: " + why_not + "; expected an FST file"});
        return nullptr;
    }
    const std::size_t before = errors.size();
    auto file = std::make_unique<fst_file>(path, errors);
    return errors.size() == before ? std::move(file) : nullptr;
}

}  // namespace weir::tb

#else

namespace weir::tb {

std::unique_ptr<waveform> open_fst(const std::string& path, config_errors& errors) {
    errors.push_back(
        {path, 0, "",
         "cannot be read: this program was built without FST (it needs Verilator's copy of fstapi, "
         "and zlib); expected a VCD file, or a program built with them"});
    return nullptr;
}

}  // namespace weir::tb

#endif
