// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

// Runs `sidestep check` as a user does: the real program on a file in a folder of its own, with
// limits on time and memory.

namespace sidestep::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif
#else
inline constexpr bool kSanitized = false;
#endif

/// A folder that goes when it goes out of scope.
class TemporaryFolder {
public:
    TemporaryFolder()
    {
        std::string name = (std::filesystem::temp_directory_path() / "sidestep-XXXXXX").string();
        if (::mkdtemp(name.data()) != nullptr) path_ = name;
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder()
    {
        std::error_code ignored;
        if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
    }

    const std::filesystem::path& path() const { return path_; }
    void write(const std::string& name, const std::string& text) const
    {
        std::filesystem::create_directories((path_ / name).parent_path());
        std::ofstream(path_ / name, std::ios::binary) << text;
    }
    std::string read(const std::string& name) const
    {
        std::ifstream file(path_ / name, std::ios::binary);
        std::stringstream text;
        text << file.rdbuf();
        return text.str();
    }

private:
    std::filesystem::path path_;
};

struct Outcome {
    int exit_code = -1;  ///< -1: ended by a signal
    int signal = 0;
    std::string output;
    std::string errors;
    double cpu_seconds = 0.0;
    double megabytes = 0.0;  ///< largest resident set
};

/// More than this and the program is killed: it has hung or is lost. A test that is not slowed by
/// sanitizers must stay far below, see kMostSeconds.
inline constexpr rlim_t kCpuSeconds = 5;
inline constexpr unsigned kWallSeconds = 60;

inline double seconds_of(const timeval& time)
{
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

inline Outcome run_check(const TemporaryFolder& folder, const std::vector<std::string>& arguments)
{
    std::vector<std::string> words{SIDESTEP_PROGRAM, "check"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);

    const std::string where = folder.path().string();
    const pid_t child = ::fork();
    if (child == 0) {
        const rlimit cpu{kCpuSeconds * (kSanitized ? 4 : 1), kCpuSeconds * (kSanitized ? 4 : 1)};
        ::setrlimit(RLIMIT_CPU, &cpu);
        ::alarm(kWallSeconds);
        const int out = ::open((where + "/.output").c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600);
        const int err = ::open((where + "/.errors").c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600);
        if (out < 0 || err < 0 || ::chdir(where.c_str()) != 0) ::_exit(120);
        ::dup2(out, STDOUT_FILENO);
        ::dup2(err, STDERR_FILENO);
        ::execv(argv[0], argv.data());
        ::_exit(121);
    }
    Outcome outcome;
    int status = 0;
    rusage used{};
    if (child < 0 || ::wait4(child, &status, 0, &used) != child) return outcome;
    if (WIFEXITED(status)) outcome.exit_code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) outcome.signal = WTERMSIG(status);
    outcome.cpu_seconds = seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
    outcome.megabytes = static_cast<double>(used.ru_maxrss) / 1024.0;
    outcome.output = folder.read(".output");
    outcome.errors = folder.read(".errors");
    return outcome;
}

}  // namespace sidestep::test
