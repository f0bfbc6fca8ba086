#include "tb/verify/wave/wave_file.h"

#ifdef WEIR_WITH_FST

#include <fstapi.h>

#include <system_error>

namespace weir::tb {

namespace {

namespace fs = std::filesystem;

class fst_file_writer final : public wave_file {
 public:
    explicit fst_file_writer(const fs::path& name) : m_name(name), m_partial(name) {
        m_partial += ".partial";
        m_writer = fstWriterCreate(m_partial.c_str(), 1);
        if (m_writer == nullptr) {
            fail("cannot be created");
        }
        fstWriterSetTimescale(m_writer, -12);
        fstWriterSetVersion(m_writer, "weir " WEIR_VERSION);
        // Not the day's date: equal runs write the same bytes.
        fstWriterSetDate(m_writer, "");
        fstWriterSetPackType(m_writer, FST_WR_PT_LZ4);
    }
    fst_file_writer(const fst_file_writer&) = delete;
    fst_file_writer& operator=(const fst_file_writer&) = delete;
    ~fst_file_writer() override { close(); }

    void begin(picoseconds time) override { at(time); }

    void at(picoseconds time) override {
        fstWriterEmitTimeChange(m_writer, static_cast<std::uint64_t>(time.count()));
        m_time = time;
    }

    void change(std::size_t signal, std::string_view bits) override {
        m_bits = bits;
        fstWriterEmitValueChange(m_writer, m_handles[signal], m_bits.c_str());
    }

    void finish(picoseconds end) override {
        if (end > m_time) {
            at(end);
        }
        const bool failed = fstWriterGetFseekFailed(m_writer) != 0;
        close();
        // The library tells nothing of a full disk; its reader does not open what is not whole.
        auto* const reader = failed ? nullptr : fstReaderOpen(m_partial.c_str());
        if (reader == nullptr) {
            fail("cannot be written");
        }
        fstReaderClose(reader);
        synchronise(m_partial);
        name_whole(m_partial, m_name);
    }

 private:
    void open_scope(const std::string& name) override {
        fstWriterSetScope(m_writer, FST_ST_VCD_MODULE, name.c_str(), nullptr);
    }
    void close_scope() override { fstWriterSetUpscope(m_writer); }
    void add_signal(unsigned width, const std::string& name) override {
        m_handles.push_back(
            fstWriterCreateVar(m_writer, FST_VT_VCD_WIRE, FST_VD_IMPLICIT, width, name.c_str(), 0));
    }
    [[noreturn]] void fail(const std::string& what) const {
        throw output_error(m_partial.string() + ": " + what);
    }
    void close() {
        if (m_writer != nullptr) {
            fstWriterClose(m_writer);
            m_writer = nullptr;
        }
    }

    fs::path m_name;
    fs::path m_partial;
    /// A pointer: `void*` in Verilator's copy of the library, of a type in libfst.
    decltype(fstWriterCreate(nullptr, 0)) m_writer = nullptr;
    std::vector<fstHandle> m_handles;
    std::string m_bits;
    picoseconds m_time{-1};
};

}  // namespace

bool fst_is_supported() {
    return true;
}

std::unique_ptr<wave_file> create_fst_file(const std::filesystem::path& name) {
    return std::make_unique<fst_file_writer>(name);
}

}  // namespace weir::tb

#else

namespace weir::tb {

bool fst_is_supported() {
    return false;
}

std::unique_ptr<wave_file> create_fst_file(const std::filesystem::path& name) {
    throw output_error(name.string() + ": this program was built without FST",
                       std::make_error_code(std::errc::not_supported));
}

}  // namespace weir::tb

#endif
