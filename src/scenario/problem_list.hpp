// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "scenario/limits.hpp"
#include "scenario/toml.hpp"
#include "sidestep/scenario.hpp"

namespace sidestep {

/// What is wrong with a scenario, as it is found; handed over in the order of the file.
class ProblemList {
public:
    explicit ProblemList(std::string file) : file_(std::move(file)) {}

    /// Something at a place of the document. Places of an override name it instead of the file.
    void add(const toml::source_region& where, std::string code, std::string message,
             std::string hint = {});
    void add(const toml::node& where, std::string code, std::string message, std::string hint = {});
    void add(TextPlace where, std::string code, std::string message, std::string hint = {});

    /// Something that an override (`--set key=value`) caused.
    void add_override(const std::string& override_text, std::string code, std::string message,
                      std::string hint = {});

    /// Remembers a value that has been reported, so that nothing more is made of it.
    void mark(const toml::node& node) { marked_.insert(&node); }
    bool is_marked(const toml::node* node) const { return marked_.contains(node); }

    /// No more are kept: there is no need for a message or a hint.
    bool full() const { return problems_.size() >= kMaxProblems; }
    bool empty() const { return problems_.empty(); }
    std::size_t size() const { return problems_.size() + left_out_; }
    /// All problems in the order of the file, those of overrides last.
    Problems take();

private:
    void keep(Problem problem);

    std::string file_;
    Problems problems_;
    std::set<const toml::node*> marked_;
    std::size_t left_out_ = 0;
};

/// Where a node is written; nowhere for overrides.
TextPlace place_of(const toml::source_region& region);

/// " did you mean" hint: the nearest of the names, else all of them if there are few.
std::string hint_names(std::string_view word, const std::vector<std::string_view>& names,
                       std::string_view what);

/// Text for a message: at most 60 bytes of it, in quotes, nothing that a terminal would act on.
std::string quote(std::string_view text);

}  // namespace sidestep
