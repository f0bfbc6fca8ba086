// A disk that fails: loaded before the program (LD_PRELOAD), in the place of the system's calls.
//
//   WEIR_FAIL=rename:28:flows.csv   this call fails with this error, where the path contains that text
//   WEIR_FAIL_NTH=17:28             the 17th call of the process does, whichever it is; of this process only,
//                                   not of programs that it starts. 17:0: SIGKILL ends it there
//   WEIR_NFS=1                      flock on a directory fails with EBADF, as on NFS, which wants to write what
//                                   it locks
//   WEIR_CALLS=/tmp/calls.txt       every call goes there: `fsync out/flows.csv.partial`, `rename
//   out/flows.csv`; the 17th as `FAILED fsync out/flows.csv.partial`
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

template <class Function>
Function* system_call(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

// Kept at the start: what the process starts has a count of its own.
struct nth_call {
    long number = 0;
    int error = 0;
    /// A sanitizer makes calls before this is made, which are not the program's.
    bool is_made = false;
    nth_call() {
        if (const char* const wanted = std::getenv("WEIR_FAIL_NTH")) {
            char* rest = nullptr;
            number = std::strtol(wanted, &rest, 10);
            error = std::atoi(rest + 1);
            unsetenv("WEIR_FAIL_NTH");
        }
        is_made = true;
    }
};
const nth_call nth;
std::atomic<long> calls{0};

void note(const char* prefix, const char* call, const char* path) {
    const char* const file = std::getenv("WEIR_CALLS");
    if (file == nullptr) {
        return;
    }
    char line[4096];
    const int length = std::snprintf(line, sizeof line, "%s%s %s\n", prefix, call, path);
    const int log = system_call<int(const char*, int, ...)>("open")(file, O_WRONLY | O_CREAT | O_APPEND, 0666);
    const auto write_line = system_call<ssize_t(int, const void*, std::size_t)>("write");
    if (write_line(log, line, static_cast<std::size_t>(length)) != length) {
        std::abort();
    }
    system_call<int(int)>("close")(log);
}

/// Whether it is to fail; errno is set then, and kept otherwise.
bool fails(const char* call, const char* path) {
    if (!nth.is_made) {
        return false;
    }
    const int before = errno;
    if (++calls == nth.number) {
        note("FAILED ", call, path);
        if (nth.error == 0) {
            raise(SIGKILL);
        }
        errno = nth.error;
        return true;
    }
    note("", call, path);
    errno = before;
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
ssize_t write(int descriptor, const void* from, std::size_t size) {
    return fails("write", descriptor)
               ? -1
               : system_call<ssize_t(int, const void*, std::size_t)>("write")(descriptor, from, size);
}
ssize_t writev(int descriptor, const iovec* parts, int count) {
    return fails("writev", descriptor)
               ? -1
               : system_call<ssize_t(int, const iovec*, int)>("writev")(descriptor, parts, count);
}
ssize_t read(int descriptor, void* to, std::size_t size) {
    return fails("read", descriptor)
               ? -1
               : system_call<ssize_t(int, void*, std::size_t)>("read")(descriptor, to, size);
}
ssize_t pread(int descriptor, void* to, std::size_t size, off_t at) {
    return fails("pread", descriptor)
               ? -1
               : system_call<ssize_t(int, void*, std::size_t, off_t)>("pread")(descriptor, to, size, at);
}
FILE* fopen(const char* path, const char* mode) {
    return fails("fopen", path) ? nullptr : system_call<FILE*(const char*, const char*)>("fopen")(path, mode);
}
FILE* fopen64(const char* path, const char* mode) {
    return fails("fopen", path) ? nullptr : system_call<FILE*(const char*, const char*)>("fopen64")(path, mode);
}
DIR* opendir(const char* path) {
    return fails("opendir", path) ? nullptr : system_call<DIR*(const char*)>("opendir")(path);
}
int openat(int directory, const char* path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(more, mode_t) : 0;
    va_end(more);
    return fails("openat", path)
               ? -1
               : system_call<int(int, const char*, int, ...)>("openat")(directory, path, flags, mode);
}
int unlink(const char* path) noexcept {
    return fails("unlink", path) ? -1 : system_call<int(const char*)>("unlink")(path);
}
int unlinkat(int directory, const char* path, int flags) noexcept {
    return fails("unlinkat", path)
               ? -1
               : system_call<int(int, const char*, int)>("unlinkat")(directory, path, flags);
}
int ftruncate(int descriptor, off_t size) noexcept {
    return fails("ftruncate", descriptor) ? -1 : system_call<int(int, off_t)>("ftruncate")(descriptor, size);
}
int flock(int descriptor, int how) noexcept {
    struct stat file {};
    if (std::getenv("WEIR_NFS") != nullptr && fstat(descriptor, &file) == 0 && S_ISDIR(file.st_mode)) {
        errno = EBADF;
        return -1;
    }
    return fails("flock", descriptor) ? -1 : system_call<int(int, int)>("flock")(descriptor, how);
}
int chdir(const char* path) noexcept {
    return fails("chdir", path) ? -1 : system_call<int(const char*)>("chdir")(path);
}
int pipe2(int* ends, int flags) noexcept {
    return fails("pipe2", "") ? -1 : system_call<int(int*, int)>("pipe2")(ends, flags);
}
int memfd_create(const char* name, unsigned flags) noexcept {
    return fails("memfd_create", name) ? -1
                                       : system_call<int(const char*, unsigned)>("memfd_create")(name, flags);
}
pid_t fork() noexcept {
    return fails("fork", "") ? -1 : system_call<pid_t()>("fork")();
}
void* mmap(void* at, std::size_t size, int protection, int flags, int descriptor, off_t offset) noexcept {
    return fails("mmap", descriptor) ? MAP_FAILED
                                     : system_call<void*(void*, std::size_t, int, int, int, off_t)>("mmap")(
                                           at, size, protection, flags, descriptor, offset);
}
int open(const char* path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(more, mode_t) : 0;
    va_end(more);
    return fails((flags & O_CREAT) != 0 ? "open" : "open to read", path)
               ? -1
               : system_call<int(const char*, int, ...)>("open")(path, flags, mode);
}

}  // extern "C"
