// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sidestep/analysis.hpp>
#include <sidestep/result.hpp>

#include <string>
#include <vector>

namespace sidestep::cli {

/// A file of comma-separated values.
struct CsvTable {
    std::string name;  ///< of the file, without its folder
    std::string text;
};

/// The series of an analysis: frames, walkers, crossings of lines and exits, areas, maps,
/// encounters, speed over density. What is not known is an empty field.
std::vector<CsvTable> make_tables(const Trajectories& trajectories, const Analysis& analysis);

/// What `write_tables` would say of the folder and of files that are there, before any work.
Result<void> check_tables_folder(const std::string& folder);
/// Writes all or none of them into a folder, which is made if it is not there. Existing files are
/// kept (an Error) unless `replace`.
Result<void> write_tables(const std::string& folder, const std::vector<CsvTable>& tables,
                          bool replace);

}  // namespace sidestep::cli
