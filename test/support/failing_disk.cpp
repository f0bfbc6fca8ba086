// A disk that fails: loaded before the program (LD_PRELOAD), in the place of the system's calls.
//
//   WEIR_FAIL=rename:28:flows.csv   this call fails with this error, where the path contains that text
//   WEIR_CALLS=/tmp/calls.txt       every call goes there: `fsync out/flows.csv.partial`, `rename
//   out/flows.csv`
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

template <class Function>
Function* system_call(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

void note(const char* call, const char* path) {
    const char* const file = std::getenv("WEIR_CALLS");
    if (file == nullptr) {
        return;
    }
    char line[4096];
    const int length = std::snprintf(line, sizeof line, "%s %s\n", call, path);
    const int log = system_call<int(const char*, int, ...)>("open")(file, O_WRONLY | O_CREAT | O_APPEND, 0666);
    if (write(log, line, static_cast<std::size_t>(length)) != length) {
        std::abort();
    }
    system_call<int(int)>("close")(log);
}

/// Whether it is to fail; errno is set then.
bool fails(const char* call, const char* path) {
    note(call, path);
    const char* const wanted = std::getenv("WEIR_FAIL");
    const std::size_t length = std::strlen(call);
    if (wanted == nullptr || std::strncmp(wanted, call, length) != 0 || wanted[length] != ':') {
        return false;
    }
    char* where = nullptr;
    const long error = std::strtol(wanted + length + 1, &where, 10);
    if (*where != ':' || std::strstr(path, where + 1) == nullptr) {
        return false;
    }
    errno = static_cast<int>(error);
    return true;
}

bool fails(const char* call, int descriptor) {
    char link[64];
    char path[4096];
    std::snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    const ssize_t length = readlink(link, path, sizeof path - 1);
    path[length < 0 ? 0 : length] = '\0';
    return fails(call, path);
}

}  // namespace

extern "C" {

int fsync(int descriptor) {
    return fails("fsync", descriptor) ? -1 : system_call<int(int)>("fsync")(descriptor);
}
int close(int descriptor) {
    const bool failed = fails("close", descriptor);
    const int error = errno;
    const int result = system_call<int(int)>("close")(descriptor);
    errno = failed ? error : errno;
    return failed ? -1 : result;
}
int rename(const char* from, const char* to) noexcept {
    return fails("rename", to) ? -1 : system_call<int(const char*, const char*)>("rename")(from, to);
}
int mkdir(const char* path, mode_t mode) noexcept {
    return fails("mkdir", path) ? -1 : system_call<int(const char*, mode_t)>("mkdir")(path, mode);
}
int remove(const char* path) noexcept {
    return fails("remove", path) ? -1 : system_call<int(const char*)>("remove")(path);
}
int access(const char* path, int mode) noexcept {
    return fails("access", path) ? -1 : system_call<int(const char*, int)>("access")(path, mode);
}
int open(const char* path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(more, mode_t) : 0;
    va_end(more);
    const bool creates = (flags & O_CREAT) != 0;
    return creates && fails("open", path) ? -1
                                          : system_call<int(const char*, int, ...)>("open")(path, flags, mode);
}

}  // extern "C"
