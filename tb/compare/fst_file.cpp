#include "tb/compare/fst_file.h"

#include "tb/files/input_file.h"

#ifdef WEIR_WITH_FST

#include <fstapi.h>
#include <sys/resource.h>
#include <unistd.h>
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#include <sanitizer/common_interface_defs.h>
#endif

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <unordered_map>
#include <utility>

#include "tb/compare/bit_text.h"
#include "tb/process/child_process.h"
#include "tb/process/exit_status.h"
#include "tb/text/joined.h"

namespace weir::tb {

namespace {

// GTKWave's library trusts what it reads: a damaged file can make it write where it must not, end the program,
// or ask for any memory. So it works in a process of its own, which has limits and sends what it reads through
// a pipe.

/// Longest text that is taken from that process. Unit: B.
constexpr std::uint32_t longest_text = 1U << 24;

struct close_file {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using file_pointer = std::unique_ptr<std::FILE, close_file>;

template <class Number>
void send(std::FILE* to, Number number) {
    std::fwrite(&number, sizeof number, 1, to);
}
void send_text(std::FILE* to, std::string_view text) {
    send(to, static_cast<std::uint32_t>(text.size()));
    std::fwrite(text.data(), 1, text.size(), to);
}

template <class Number>
bool take(std::FILE* from, Number& number) {
    return std::fread(&number, sizeof number, 1, from) == 1;
}
bool take_text(std::FILE* from, std::string& text) {
    std::uint32_t size = 0;
    if (!take(from, size) || size > longest_text) {
        return false;
    }
    text.resize(size);
    return std::fread(text.data(), 1, size, from) == size;
}

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

/// Whether a message follows, or the end.
enum class message : char { more = 'm', end = 'e' };

/// A pointer: `void*` in Verilator's copy of the library, of a type in libfst.
using fst_reader = decltype(fstReaderOpen(nullptr));

/// `work` runs in a process of its own and sends to the file that it is given.
class reading_process {
 public:
    reading_process(const std::string& path, const std::function<void(fst_reader reader, std::FILE* to)>& work)
        : m_ends(make_pipe()), m_from(::fdopen(m_ends[0], "r")), m_process("weir compare", [&] {
              m_from.reset();
              std::error_code ignored;
              set_limits(std::filesystem::file_size(path, ignored));
              silence();
              // What is left to be done at exit is the parent's.
              std::atexit([] { ::_exit(exit_status::environment); });
              const file_pointer to(::fdopen(m_ends[1], "w"));
              if (const fst_reader reader = fstReaderOpen(path.c_str())) {
                  work(reader, to.get());
                  send(to.get(), message::end);
              }
              return std::string{};
          }) {
        ::close(m_ends[1]);
    }

    /// Whether there is another message; its parts are then to be taken from `from`.
    bool next() {
        message kind{};
        m_is_whole = take(m_from.get(), kind) && kind == message::end;
        return !m_is_whole && kind == message::more;
    }
    std::FILE* from() { return m_from.get(); }
    /// Everything was sent.
    bool is_whole() const { return m_is_whole; }

 private:
    static std::array<int, 2> make_pipe() {
        std::array<int, 2> ends{};
        if (::pipe(ends.data()) != 0) {
            throw std::system_error(errno, std::generic_category(), "a pipe cannot be made");
        }
        return ends;
    }

    std::array<int, 2> m_ends;
    file_pointer m_from;
    child_process m_process;
    bool m_is_whole = false;
};

/// In the other process.
void send_signals(fst_reader reader, std::FILE* to) {
    send(to, fstReaderGetTimescale(reader));
    std::vector<std::string> scopes;
    fstReaderResetScope(reader);
    while (const fstHier* const item = fstReaderIterateHier(reader)) {
        if (item->htyp == FST_HT_SCOPE) {
            scopes.emplace_back(item->u.scope.name);
        } else if (item->htyp == FST_HT_UPSCOPE && !scopes.empty()) {
            scopes.pop_back();
        } else if (item->htyp == FST_HT_VAR) {
            const auto& var = item->u.var;
            const bool text = var.typ == FST_VT_VCD_REAL || var.typ == FST_VT_VCD_REAL_PARAMETER ||
                              var.typ == FST_VT_VCD_REALTIME || var.typ == FST_VT_SV_SHORTREAL ||
                              var.typ == FST_VT_GEN_STRING;
            send(to, message::more);
            send(to, std::uint32_t{text ? 0 : var.length});
            send(to, var.handle);
            send_text(to, joined(scopes, "", [](const std::string& scope) { return scope + "."; }));
            send_text(to, var.name);
        }
    }
}

/// Likewise.
void send_changes(fst_reader reader, std::FILE* to, const std::vector<fstHandle>& handles) {
    fstReaderClrFacProcessMaskAll(reader);
    for (const fstHandle handle : handles) {
        fstReaderSetFacProcessMask(reader, handle);
    }
    const auto change = [](void* file, std::uint64_t time, fstHandle handle, const unsigned char* value,
                           std::uint32_t size) {
        auto* const out = static_cast<std::FILE*>(file);
        send(out, message::more);
        send(out, time);
        send(out, handle);
        send_text(out, {reinterpret_cast<const char*>(value), size});
    };
    fstReaderIterBlocks2(
        reader,
        [](void* file, std::uint64_t time, fstHandle handle, const unsigned char* value) {
            const std::string_view text(reinterpret_cast<const char*>(value));
            auto* const out = static_cast<std::FILE*>(file);
            send(out, message::more);
            send(out, time);
            send(out, handle);
            send_text(out, text);
        },
        change, to, nullptr);
}

class fst_file final : public waveform {
 public:
    fst_file(std::string path, config_errors& errors) : m_path(std::move(path)) { read_signals(errors); }

    bool read(const std::vector<std::size_t>& signals, const change_function& change,
              config_errors& errors) override {
        std::unordered_map<fstHandle, std::vector<std::size_t>> wanted;
        std::vector<fstHandle> handles;
        for (const std::size_t signal : signals) {
            wanted[m_handles[signal]].push_back(signal);
            handles.push_back(m_handles[signal]);
        }
        reading_process process(m_path,
                                [&](fst_reader reader, std::FILE* to) { send_changes(reader, to, handles); });
        std::uint64_t time = 0;
        fstHandle handle = 0;
        std::string value;
        while (process.next()) {
            if (!take(process.from(), time) || !take(process.from(), handle) ||
                !take_text(process.from(), value)) {
                break;
            }
            for (const std::size_t signal : wanted[handle]) {
                if (m_signals[signal].width > 0) {
                    std::transform(value.begin(), value.end(), value.begin(), known_bit);
                }
                change(time, signal, value);
            }
        }
        if (!process.is_whole()) {
            fail_damaged(errors);
        }
        return process.is_whole();
    }

 private:
    /// A bit that is of no kind stays as it is.
    static char known_bit(char written) {
        const char bit = four_valued(written);
        return bit == '\0' ? written : bit;
    }

    void read_signals(config_errors& errors) {
        reading_process process(m_path, send_signals);
        std::int8_t exponent = 0;
        if (!take(process.from(), exponent)) {
            return fail(errors,
                        "is not an FST file, or was not closed by its writer; expected a whole FST file");
        }
        m_unit = {1, exponent};
        while (process.next()) {
            if (!declare(process.from())) {
                return fail_damaged(errors);
            }
            if (const auto refused =
                    check_signal(m_signals.back(), m_path, 0, std::to_string(m_signals.back().width))) {
                errors.push_back(*refused);
                return;
            }
        }
        if (!process.is_whole()) {
            fail_damaged(errors);
        }
    }

    bool declare(std::FILE* from) {
        waveform_signal signal;
        std::uint32_t width = 0;
        fstHandle handle = 0;
        std::string name;
        if (!take(from, width) || !take(from, handle) || !take_text(from, signal.name) ||
            !take_text(from, name)) {
            return false;
        }
        // `count [7:0]`: some writers leave a blank.
        if (const std::size_t blank = name.find(' '); blank != std::string::npos) {
            name.erase(blank, 1);
        }
        signal.name += without_range(name, signal);
        signal.width = width;
        m_signals.push_back(std::move(signal));
        m_handles.push_back(handle);
        return true;
    }

    void fail(config_errors& errors, const std::string& message) { errors.push_back({m_path, 0, "", message}); }
    void fail_damaged(config_errors& errors) {
        fail(errors, "is damaged: GTKWave's library failed in it; expected a whole FST file");
    }

    std::string m_path;
    std::vector<fstHandle> m_handles;
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
