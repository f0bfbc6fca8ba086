#include "tb/compare/fst_file.h"

#include "tb/files/input_file.h"

#ifdef WEIR_WITH_FST

#include <fstapi.h>

#include <memory>
#include <utility>

namespace weir::tb {

namespace {

struct close_reader {
    void operator()(void* reader) const { fstReaderClose(reader); }
};
using fst_reader = std::unique_ptr<void, close_reader>;

class fst_file final : public waveform {
 public:
    fst_file(const std::string& path, fst_reader reader, config_errors& errors) : m_reader(std::move(reader)) {
        m_unit = {1, fstReaderGetTimescale(m_reader.get())};
        fstReaderResetScope(m_reader.get());
        while (const fstHier* const item = fstReaderIterateHier(m_reader.get())) {
            if (item->htyp == FST_HT_SCOPE) {
                m_scopes.emplace_back(item->u.scope.name);
            } else if (item->htyp == FST_HT_UPSCOPE && !m_scopes.empty()) {
                m_scopes.pop_back();
            } else if (item->htyp == FST_HT_VAR) {
                declare(*item);
                if (const auto too_wide =
                        check_width(m_signals.back(), path, 0, std::to_string(m_signals.back().width))) {
                    errors.push_back(*too_wide);
                    return;
                }
            }
        }
    }

    bool read(const std::vector<std::size_t>& signals, const change_function& change, config_errors&) override {
        m_change = &change;
        m_wanted.assign(fstReaderGetMaxHandle(m_reader.get()) + 1, {});
        fstReaderClrFacProcessMaskAll(m_reader.get());
        for (const std::size_t signal : signals) {
            m_wanted[m_handles[signal]].push_back(signal);
            fstReaderSetFacProcessMask(m_reader.get(), m_handles[signal]);
        }
        fstReaderIterBlocks2(
            m_reader.get(),
            [](void* self, std::uint64_t time, fstHandle handle, const unsigned char* value) {
                static_cast<fst_file*>(self)->changed(time, handle, reinterpret_cast<const char*>(value));
            },
            [](void* self, std::uint64_t time, fstHandle handle, const unsigned char* value,
               std::uint32_t size) {
                static_cast<fst_file*>(self)->changed(
                    time, handle, std::string_view(reinterpret_cast<const char*>(value), size));
            },
            this, nullptr);
        return true;
    }

 private:
    void declare(const fstHier& item) {
        const auto& var = item.u.var;
        waveform_signal signal;
        for (const std::string& scope : m_scopes) {
            signal.name += scope + ".";
        }
        std::string name = var.name;
        // `count [7:0]`: some writers leave a blank.
        if (const std::size_t blank = name.find(' '); blank != std::string::npos) {
            name.erase(blank, 1);
        }
        signal.name += without_range(name, signal);
        const bool text = var.typ == FST_VT_VCD_REAL || var.typ == FST_VT_VCD_REAL_PARAMETER ||
                          var.typ == FST_VT_VCD_REALTIME || var.typ == FST_VT_SV_SHORTREAL ||
                          var.typ == FST_VT_GEN_STRING;
        signal.width = text ? 0 : var.length;
        m_signals.push_back(std::move(signal));
        m_handles.push_back(var.handle);
    }

    void changed(std::uint64_t time, fstHandle handle, std::string_view value) {
        for (const std::size_t signal : m_wanted[handle]) {
            (*m_change)(time, signal, value);
        }
    }

    fst_reader m_reader;
    std::vector<std::string> m_scopes;
    std::vector<fstHandle> m_handles;
    /// By handle.
    std::vector<std::vector<std::size_t>> m_wanted;
    const change_function* m_change = nullptr;
};

}  // namespace

std::unique_ptr<waveform> open_fst(const std::string& path, config_errors& errors) {
    const std::string why_not = open_input(path, input_kind::stored).why_not;
    fst_reader reader(why_not.empty() ? fstReaderOpen(path.c_str()) : nullptr);
    if (!reader) {
        errors.push_back({path, 0, "",
                          why_not.empty()
                              ? "is not an FST file, or was not closed by its writer; expected a whole FST file"
                              : "cannot be read: " + why_not + "; expected an FST file"});
        return nullptr;
    }
    const std::size_t before = errors.size();
    auto file = std::make_unique<fst_file>(path, std::move(reader), errors);
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
