// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace sidestep {

enum class ErrorCode {
    invalid_argument,  ///< a value is not finite, has the wrong sign or the wrong shape
    out_of_range,      ///< a value is outside the range its table allows
    unknown_name,      ///< no such model, trait or profile
    dead_handle,       ///< the agent, wall or body was removed
    duplicate_id,      ///< an explicit id is taken
    inside_wall,       ///< a position lies inside a solid wall
    out_of_memory,
    io,
    unsupported,
};

/// What went wrong, in words for a person. Errors are values: the library never throws across its
/// API.
struct Error {
    ErrorCode code = ErrorCode::invalid_argument;
    std::string message;
};

/// A value or an Error. A call that returns an Error has changed nothing.
template <class T>
class [[nodiscard]] Result {
public:
    Result(T value) : content_(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : content_(std::in_place_index<1>, std::move(error)) {}

    explicit operator bool() const { return content_.index() == 0; }
    bool has_value() const { return content_.index() == 0; }

    /// The value; call only after checking.
    T& operator*() & { return *std::get_if<0>(&content_); }
    const T& operator*() const& { return *std::get_if<0>(&content_); }
    T&& operator*() && { return std::move(*std::get_if<0>(&content_)); }
    T* operator->() { return std::get_if<0>(&content_); }
    const T* operator->() const { return std::get_if<0>(&content_); }

    /// The error; call only where there is no value.
    const Error& error() const { return *std::get_if<1>(&content_); }

private:
    std::variant<T, Error> content_;
};

/// Done, or an Error.
template <>
class [[nodiscard]] Result<void> {
public:
    Result() = default;
    Result(Error error) : error_(std::move(error)) {}

    explicit operator bool() const { return !error_.has_value(); }
    bool has_value() const { return !error_.has_value(); }
    const Error& error() const { return *error_; }

private:
    std::optional<Error> error_;
};

}  // namespace sidestep
