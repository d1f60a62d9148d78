// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sidestep/analysis.hpp"
#include "sidestep/bench.hpp"
#include "sidestep/forces.hpp"
#include "sidestep/geometry.hpp"
#include "sidestep/models.hpp"
#include "sidestep/nonholonomic.hpp"
#include "sidestep/recording.hpp"
#include "sidestep/report.hpp"
#include "sidestep/result.hpp"
#include "sidestep/scenario.hpp"
#include "sidestep/simulation.hpp"
#include "sidestep/studies.hpp"
#include "sidestep/vec2.hpp"
#include "sidestep/version.hpp"
#include "sidestep/world.hpp"
