// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/tables.hpp"

#include <array>

#include "scenario/limits.hpp"

namespace sidestep {
namespace {

using enum ValueKind;
using Words = std::string_view;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr Range kAny{};
constexpr Range kFromZero{0.0, kInf};
constexpr Range kLevels{0, 65534};
constexpr Range kCount{1, static_cast<double>(kMaxAgents)};
constexpr Range kSeconds{0.0, kMaxDuration};
constexpr Range kLength{0.0, 4000.0, true};
constexpr Range kTurn{-360.0, 360.0};
constexpr bool kRequired = true;
constexpr bool kOptional = false;

// clang-format off
constexpr Words kSides[] = {"right", "left"};
constexpr Words kOnOff[] = {"on", "off"};
constexpr Words kSolid[] = {"off", "on", "avoiders"};
constexpr Words kStarts[] = {"reject", "separate"};
constexpr Words kModes[] = {"once", "shuttle", "loop"};

constexpr Words kDistributionForms[] = {"uniform", "normal", "log_normal", "choice"};
constexpr KeyChoice kDistributionChoices[] = {{kDistributionForms}};
constexpr KeyInfo kDistributionKeys[] = {
    // name         kind     required   unit default range meaning example
    {"uniform",     pair,    kOptional, "", "", kAny, "every value between the two ends is as likely", "[0.97, 1.62]"},
    {"normal",      pair,    kOptional, "", "", kAny, "mean and standard deviation", "[1.34, 0.26]"},
    {"log_normal",  pair,    kOptional, "", "", kAny, "mean and standard deviation of the logarithm", "[4.586, 0.967]"},
    {"choice",      numbers, kOptional, "", "", kAny, "one of these values", "[0.8, 1.3]"},
    {"weights",     numbers, kOptional, "", "", kFromZero, "of a choice: how often each value is taken, relative to the others; equal without it", "[1, 3]"},
    {"min",         number,  kOptional, "", "", kAny, "of normal and log_normal: values below are drawn again", "0.5"},
    {"max",         number,  kOptional, "", "", kAny, "of normal and log_normal: values above are drawn again", "2.2"},
};

constexpr Words kShapeForms[] = {"box", "wkt", "file", "polygon"};
constexpr KeyChoice kShapeChoices[] = {{kShapeForms}};
constexpr KeyInfo kShapeKeys[] = {
    {"box",     box,   kOptional, "m", "", kAny, "corners: x0, y0, x1, y1", "[0, 0, 10, 8]"},
    {"wkt",     text,  kOptional, "m", "", kAny, "a POLYGON or MULTIPOLYGON", "\"POLYGON((0 0, 10 0, 10 8, 0 0))\""},
    {"file",    text,  kOptional, "m", "", kAny, "a .geojson, .json or .wkt file in the folder of the scenario or below, in local metres", "\"plan.geojson\""},
    {"name",    name,  kOptional, "",  "", kAny, "with file: only the features whose property `name` is this; else all", "\"hall\""},
    {"polygon", ring,  kOptional, "m", "", kAny, "of floors only: the outline", "[[0, 0], [10, 0], [10, 8]]"},
    {"holes",   rings, kOptional, "m", "", kAny, "with polygon: rings that are cut out", "[[[2, 2], [4, 2], [4, 4]]]"},
};

constexpr KeyInfo kLatticeKeys[] = {
    {"centre",    point,  kOptional, "m",   "[0, 0]", kAny, "of the lattice", "[-40, 40]"},
    {"columns",   whole,  kRequired, "",    "",  {1, static_cast<double>(kMaxAgents)}, "agents side by side, along x", "25"},
    {"rows",      whole,  kOptional, "",    "1", {1, static_cast<double>(kMaxAgents)}, "rows of agents, along y", "20"},
    {"spacing",   number, kOptional, "m",   "1", kLength, "from one agent to the next", "1.0"},
    {"angle_deg", number, kOptional, "deg", "0", kTurn, "the lattice is turned by this about its centre", "45"},
};
constexpr KeyInfo kCircleKeys[] = {
    {"centre",    point,  kOptional, "m",   "[0, 0]", kAny, "of the circle", "[0, 0]"},
    {"radius",    number, kRequired, "m",   "",  kLength, "of the circle", "100"},
    {"angle_deg", number, kOptional, "deg", "0", kTurn, "where the first agent stands", "90"},
};

constexpr Words kStageForms[] = {"waypoint", "exit", "stay", "wait", "roam", "walk_deg"};
constexpr KeyChoice kStageChoices[] = {{kStageForms}};
constexpr KeyInfo kStageKeys[] = {
    {"waypoint", goals,  kOptional, "",    "", kAny, "go to this goal, or the nearest of several; then the next stage", "\"door\""},
    {"exit",     goals,  kOptional, "",    "", kAny, "go there and leave the world", "[\"north\", \"south\"]"},
    {"stay",     stay,   kOptional, "",    "", kAny, "go there and stand for good; true: where one is", "\"seat\""},
    {"wait",     drawn,  kOptional, "s",   "", kSeconds, "stand so long, then the next stage", "{ uniform = [5, 20] }"},
    {"roam",     name,   kOptional, "",    "", kAny, "from crossing to crossing of a network that a layout made, for ever", "\"crossings\""},
    {"walk_deg", drawn,  kOptional, "deg", "", {-3600, 3600}, "walk in this direction for ever, counter-clockwise from +x", "{ uniform = [0, 360] }"},
    {"centre",   point,  kOptional, "m",   "[0, 0]", kAny, "with \"opposite\": the start is mirrored in this point", "[0, 0]"},
    {"reach",    number, kOptional, "m",   "0.25", {0.0, 1000.0, true}, "with \"opposite\": how near counts", "2"},
};

constexpr KeyInfo kWorldKeys[] = {
    {"name",               text,   kOptional, "",  "the file's name", kAny, "title of the scenario", "\"my-corridor\""},
    {"description",        text,   kOptional, "",  "",      kAny, "what it shows, in a sentence", "\"two groups meet\""},
    {"figure",             text,   kOptional, "",  "",      kAny, "figure of a paper that it rebuilds", "\"ORCA11 Fig. 5\""},
    {"step",               number, kOptional, "s", "0.05",  {kMinStep, 0.25}, "time step", "0.05"},
    {"output",             number, kOptional, "s", "0.1",   {0.0, 3600.0, true}, "between recorded frames, a whole number of steps; without it the multiple of the step nearest to 0.1 s", "0.1"},
    {"duration",           number, kOptional, "s", "600",   {0.0, kMaxDuration, true}, "the run ends then, or when nobody is left", "120"},
    {"seed",               whole,  kOptional, "",  "1",     {0.0, 9223372036854775807.0}, "of all that is random", "7"},
    {"passing_side",       word,   kOptional, "",  "right", kAny, "where two people step aside who meet head on", "\"left\"", kSides},
    {"deadlock_policy",    word,   kOptional, "",  "on",    kAny, "what people do who are stuck: step aside, yield, look for another way, back up; off: nothing", "\"off\"", kOnOff},
    {"solid_bodies",       word,   kOptional, "",  "off",   kAny, "on: nobody gets deeper into another body, whatever its model wants; avoiders: two who avoid nobody by velocity (seek, social_force) still may; off: models alone decide", "\"on\"", kSolid},
    {"overlapping_starts", word,   kOptional, "",  "reject", kAny, "what to do about agents that overlap at the start: refuse the scenario, or let them step apart", "\"separate\"", kStarts},
    {"origin",             point,  kOptional, "m", "middle of everything, in whole metres", kAny, "in whole metres: positions are kept as float about this point; all must lie within 4 km of it", "[690000, 5330000]"},
};
constexpr KeyInfo kLayoutKeys[] = {
    {"kind", word, kRequired, "", "", kAny, "which layout; `sidestep help layouts` lists them with their numbers", "\"office\""},
};

constexpr Words kFloorForms[] = {"polygon", "box"};
constexpr KeyChoice kFloorChoices[] = {{kFloorForms}};
constexpr KeyInfo kFloorKeys[] = {
    {"polygon", floor_shape, kOptional, "m", "",  kAny, "the outline", "[[0, 0], [10, 0], [10, 8], [0, 8]]"},
    {"box",     box,         kOptional, "m", "",  kAny, "a rectangle: x0, y0, x1, y1", "[0, 0, 10, 8]"},
    {"holes",   rings,       kOptional, "m", "",  kAny, "rings that are cut out", "[[[2, 2], [4, 2], [4, 4]]]"},
    {"level",   whole,       kOptional, "",  "0", kLevels, "storey", "0"},
};

constexpr Words kWallForms[] = {"polygon", "box", "line"};
constexpr KeyChoice kWallChoices[] = {{kWallForms}};
constexpr KeyInfo kWallKeys[] = {
    {"polygon", shape, kOptional, "m", "",  kAny, "something solid, nobody is inside", "[[4, 3], [5, 3], [5, 4], [4, 4]]"},
    {"box",     box,   kOptional, "m", "",  kAny, "a solid rectangle: x0, y0, x1, y1", "[4, 3, 5, 4]"},
    {"line",    line,  kOptional, "m", "",  kAny, "a thin wall with people on both sides", "[[0, 4], [4, 4]]"},
    {"level",   whole, kOptional, "",  "0", kLevels, "storey", "0"},
};
constexpr KeyInfo kDoorKeys[] = {
    {"name",    name,  kRequired, "",  "",     kAny, "for events", "\"door\""},
    {"polygon", shape, kRequired, "m", "",     kAny, "the piece of floor that can be closed", "{ box = [4.0, 3.4, 4.2, 4.6] }"},
    {"open",    flag,  kOptional, "",  "true", kAny, "at the start", "false"},
    {"level",   whole, kOptional, "",  "0",    kLevels, "storey", "0"},
};
constexpr KeyInfo kAreaKeys[] = {
    {"name",  name,  kRequired, "",  "",  kAny, "for agents, goals, zones, sources and events", "\"hall\""},
    {"area",  shape, kRequired, "m", "",  kAny, "part of the floor", "{ box = [0, 0, 4, 8] }"},
    {"level", whole, kOptional, "",  "0", kLevels, "storey; also of everything that uses the area and names no level", "0"},
};
constexpr KeyInfo kProfileKeys[] = {
    {"model",  name, kOptional, "", "that of [profiles.default], or orca", kAny, "how collisions are avoided; `sidestep models` lists them", "\"orca\""},
    {"preset", name, kOptional, "", "",     kAny, "a kind of person: its values come before those of this profile; `sidestep traits` lists them", "\"elder\""},
};

constexpr Words kGoalForms[] = {"point", "line", "area"};
constexpr KeyChoice kGoalChoices[] = {{kGoalForms}};
constexpr KeyInfo kGoalKeys[] = {
    {"name",  name,    kRequired, "",  "",     kAny, "for agents, sources, journeys and events", "\"exit\""},
    {"point", point,   kOptional, "m", "",     kAny, "reached within `reach` of it", "[9.5, 4]"},
    {"line",  segment, kOptional, "m", "",     kAny, "reached by crossing it; on the outline of the floor it is an opening", "[[10, 3], [10, 5]]"},
    {"area",  shape,   kOptional, "m", "",     kAny, "reached inside", "{ box = [8, 0, 10, 8] }"},
    {"reach", number,  kOptional, "m", "0.25", {0.0, 1000.0, true}, "of a point: how near counts", "0.5"},
    {"level", whole,   kOptional, "",  "0",    kLevels, "storey", "0"},
};
constexpr TableInfo kStageTable{"stages", TableInfo::Form::in_line, "Stages of a journey: each is one of the first six.", kStageKeys, kStageChoices,
    "{ waypoint = \"door\" }, { wait = 5 }, { exit = \"opposite\", centre = [0, 0] }"};
constexpr TableInfo kLatticeTable{"lattice", TableInfo::Form::in_line, "Agents on a lattice.", kLatticeKeys, {}, "lattice = { centre = [-40, 40], columns = 25, rows = 20, spacing = 1 }"};
constexpr TableInfo kCircleTable{"ring", TableInfo::Form::in_line, "Agents on a circle.", kCircleKeys, {}, "ring = { radius = 100 }"};

constexpr KeyInfo kJourneyKeys[] = {
    {"stages", tables, kRequired, "", "",      kAny, "one after the other", "[{ waypoint = \"door\" }, { exit = \"out\" }]", {}, &kStageTable},
    {"repeat", flag,   kOptional, "", "false", kAny, "after the last stage comes the first", "true"},
};

constexpr Words kPlacements[] = {"position", "positions", "area", "lattice", "ring", "places"};
constexpr Words kWhereTo[] = {"exit", "goal", "journey"};
constexpr KeyChoice kAgentChoices[] = {{kPlacements}, {kWhereTo, false}};
constexpr KeyInfo kAgentKeys[] = {
    {"name",            name,   kOptional, "",    "",  kAny, "for events and recordings", "\"visitors\""},
    {"position",        point,  kOptional, "m",   "",  kAny, "one agent here", "[1, 4]"},
    {"positions",       points, kOptional, "m",   "",  kAny, "one agent at each point", "[[1, 4], [1, 5]]"},
    {"area",            shape,  kOptional, "m",   "",  kAny, "`count` agents at random places in it, without overlap", "\"hall\""},
    {"lattice",         table,  kOptional, "",    "",  kAny, "agents in columns and rows", "{ columns = 25, rows = 20, spacing = 1 }", {}, &kLatticeTable},
    {"ring",            table,  kOptional, "",    "",  kAny, "`count` agents evenly on a circle", "{ radius = 100 }", {}, &kCircleTable},
    {"places",          name,   kOptional, "",    "",  kAny, "`count` of the places that a layout made", "\"seats\""},
    {"count",           whole,  kOptional, "",    "layout.agents", kCount, "how many; with area, ring and places", "500"},
    {"gap",             number, kOptional, "m",   "0.02", {0.0, 100.0}, "in an area: at least this between two bodies", "0.1"},
    {"profile",         mix,    kOptional, "",    "default", kAny, "one of [profiles.*], a preset, a population, or several of them and their shares", "{ hurried = 0.1, strolling = 0.2, phone = 0.7 }"},
    {"exit",            goals,  kOptional, "",    "",  kAny, "go to this goal, or the nearest of several, and leave", "\"exit\""},
    {"goal",            goals,  kOptional, "",    "",  kAny, "go there and stand; \"opposite\": where the start is mirrored in `centre`", "\"opposite\""},
    {"journey",         name,   kOptional, "",    "",  kAny, "one of [journeys.*]", "\"tour\""},
    {"centre",          point,  kOptional, "m",   "[0, 0]", kAny, "with \"opposite\": the start is mirrored in this point", "[0, 0]"},
    {"pre_movement",    drawn,  kOptional, "s",   "0", kSeconds, "before the first step", "{ log_normal = [4.586, 0.967], max = 300 }"},
    {"velocity_jitter", number, kOptional, "m/s", "0", {0.0, 10.0}, "length, at most, of a fixed offset of each preferred velocity: breaks exact symmetry", "1e-4"},
    {"velocity",        velocity, kOptional, "m/s", "[0, 0]", kAny, "at the start; \"preferred\": towards the first goal at the preferred speed", "\"preferred\""},
    {"heading_deg",     number, kOptional, "deg", "towards the first goal", kTurn, "of vehicles: the way they face at the start, counter-clockwise from +x", "90"},
    {"level",           whole,  kOptional, "",    "0", kLevels, "storey", "0"},
};

constexpr Words kSourceForms[] = {"rate", "schedule"};
constexpr KeyChoice kSourceChoices[] = {{kSourceForms}, {kWhereTo, false}};
constexpr KeyInfo kSourceKeys[] = {
    {"name",         name,     kOptional, "",    "",  kAny, "for events and recordings", "\"arrivals\""},
    {"area",         shape,    kRequired, "m",   "",  kAny, "they come at free places in it", "{ box = [0, 3, 1, 5] }"},
    {"rate",         number,   kOptional, "1/s", "",  {0.0, 10000.0, true}, "agents per second, evenly spaced: the first at `from`, the last not after `until`", "0.5"},
    {"schedule",     schedule, kOptional, "s",   "",  kSeconds, "how many come at which times", "[[0, 20], [60, 10]]"},
    {"from",         number,   kOptional, "s",   "0", kSeconds, "with rate: nobody comes before", "10"},
    {"until",        number,   kOptional, "s",   "the end", kSeconds, "with rate: nobody comes after", "120"},
    {"count",        whole,    kOptional, "",    "no limit", kCount, "with rate: no more than so many", "500"},
    {"profile",      mix,      kOptional, "",    "default", kAny, "as in [[agents]]; of a mix each newcomer is drawn", "\"street\""},
    {"exit",         goals,    kOptional, "",    "",  kAny, "as in [[agents]]", "\"exit\""},
    {"goal",         goals,    kOptional, "",    "",  kAny, "as in [[agents]]", "\"desk\""},
    {"journey",      name,     kOptional, "",    "",  kAny, "as in [[agents]]", "\"tour\""},
    {"centre",       point,    kOptional, "m",   "[0, 0]", kAny, "as in [[agents]]", "[0, 0]"},
    {"pre_movement", drawn,    kOptional, "s",   "0", kSeconds, "before the first step", "2"},
    {"level",        whole,    kOptional, "",    "0", kLevels, "storey", "0"},
};
constexpr KeyInfo kZoneKeys[] = {
    {"name",         name,   kOptional, "",  "",  kAny, "for people who read the file", "\"stairs\""},
    {"area",         shape,  kRequired, "m", "",  kAny, "where it holds", "{ box = [4, 0, 6, 8] }"},
    {"speed_factor", number, kRequired, "1", "",  {0.0, 2.0, true}, "preferred speed in it is multiplied by this", "0.5"},
    {"level",        whole,  kOptional, "",  "0", kLevels, "storey", "0"},
};

constexpr Words kFormations[] = {"abreast", "v", "leader"};
constexpr KeyInfo kGroupKeys[] = {
    {"agents",    names, kRequired, "", "",        kAny, "names of [[agents]], all on one journey; or the name of one [[sources]], with size", "\"family\""},
    {"size",      whole, kOptional, "", "all of them", {2, static_cast<double>(kMostMembers)}, "so many to a group, in the order of the file; of a source as they come, and they come together", "3"},
    {"formation", word,  kOptional, "", "abreast", kAny, "beside each other; a V with its apex at the rear; or behind the one they follow", "\"v\"", kFormations},
    {"leader",    name,  kOptional, "", "the first of each group", kAny, "with formation leader: the [[agents]] of one that the others follow", "\"guide\""},
};

constexpr KeyInfo kRoleKeys[] = {
    {"of",      name,  kRequired, "",  "", kAny, "name of [[agents]]: each of them takes the share", "\"staff\""},
    {"towards", name,  kRequired, "",  "", kAny, "name of [[agents]], maybe the same: each of these takes the rest", "\"guests\""},
    {"share",   drawn, kRequired, "1", "", {0.0, 1.0}, "of the avoidance between two of them; one number for each pair. Among the same agents it is that of the one who stands first in the file", "0.8"},
};

constexpr Words kBodyForms[] = {"radius", "outline"};
constexpr KeyChoice kBodyChoices[] = {{kBodyForms}};
constexpr KeyInfo kBodyKeys[] = {
    {"name",    name,   kOptional, "",    "",     kAny, "for people who read the file", "\"cart\""},
    {"radius",  number, kOptional, "m",   "",     {0.0, 100.0, true}, "of a disc", "0.5"},
    {"outline", ring,   kOptional, "m",   "",     kAny, "of a polygon, about the point that follows the path", "[[-1, -0.5], [1, -0.5], [1, 0.5], [-1, 0.5]]"},
    {"path",    points, kRequired, "m",   "",     kAny, "it moves along this line; one point: it stands there", "[[0, 4], [10, 4]]"},
    {"speed",   number, kOptional, "m/s", "1",    {0.0, 50.0, true}, "along the path", "1.5"},
    {"mode",    word,   kOptional, "",    "once", kAny, "at the end of the path: stop, go back, or begin anew", "\"shuttle\"", kModes},
    {"from",    number, kOptional, "s",   "0",    kSeconds, "sets off then", "5"},
    {"always_noticed", flag, kOptional, "", "false", kAny, "avoided also by those who have not observed it yet: it rings, or is announced", "true"},
    {"level",   whole,  kOptional, "",    "0",    kLevels, "storey", "0"},
};

constexpr Words kEventForms[] = {"open", "close", "remove", "journey", "exit", "goal", "set", "preset", "profile", "model"};
constexpr KeyChoice kEventChoices[] = {{kEventForms}};
constexpr KeyInfo kEventKeys[] = {
    {"time",    number, kRequired, "s", "",    kSeconds, "when", "30"},
    {"open",    name,   kOptional, "",  "",    kAny, "the door that opens", "\"door\""},
    {"close",   name,   kOptional, "",  "",    kAny, "the door that closes", "\"door\""},
    {"remove",  name,   kOptional, "",  "",    kAny, "agents that vanish: the name of [[agents]] or [[sources]], or \"all\"", "\"all\""},
    {"journey", name,   kOptional, "",  "",    kAny, "the new journey of the agents", "\"tour\""},
    {"exit",    goals,  kOptional, "",  "",    kAny, "the agents now go to this goal and leave", "\"exit\""},
    {"goal",    goals,  kOptional, "",  "",    kAny, "the agents now go to this goal and stand", "\"meeting-point\""},
    {"set",     values, kOptional, "",  "",    kAny, "new values of the agents: traits, and parameters of the models that have them", "{ preferred_speed = 2.0, alpha = 0.1 }"},
    {"preset",  name,   kOptional, "",  "",    kAny, "the agents take all values of this preset, and keep the others", "\"hurried\""},
    {"profile", name,   kOptional, "",  "",    kAny, "the agents take this profile, one of [profiles.*] or a preset, and nothing of the old one is left", "\"phone\""},
    {"model",   name,   kOptional, "",  "",    kAny, "the agents take this model; their traits stay, its own parameters have their defaults", "\"rcap\""},
    {"agents",  name,   kOptional, "",  "all", kAny, "not with open, close and remove: only those of this [[agents]] or [[sources]]", "\"visitors\""},
    {"area",    shape,  kOptional, "m", "",    kAny, "not with open and close: only those who are inside", "\"hall\""},
};

constexpr KeyInfo kFileKeys[] = {
    {"format", whole, kRequired, "", "", {1, 1}, "version of this format", "1"},
};

constexpr TableInfo kTables[] = {
    {"", TableInfo::Form::one, "The file itself.", kFileKeys, {}, "format = 1"},
    {"world", TableInfo::Form::one, "Time, seed and conventions.", kWorldKeys, {},
     "[world]\nname = \"corridor\"\nduration = 120"},
    {"layout", TableInfo::Form::one, "A plan that a few numbers describe: it makes floors, walls, areas, places, networks and goals.", kLayoutKeys, {},
     "[layout]\nkind = \"office\"\nagents = 500"},
    {"floors", TableInfo::Form::many, "Where people can walk. Several are joined; without any the plane is open.", kFloorKeys, kFloorChoices,
     "[[floors]]\nbox = [0, 0, 10, 8]"},
    {"walls", TableInfo::Form::many, "What stands on the floor. The outline of the floor is a wall by itself.", kWallKeys, kWallChoices,
     "[[walls]]\nline = [[4, 0], [4, 3]]"},
    {"doors", TableInfo::Form::many, "Pieces of floor that can be closed.", kDoorKeys, {},
     "[[doors]]\nname = \"door\"\npolygon = { box = [4.0, 3.4, 4.2, 4.6] }"},
    {"areas", TableInfo::Form::many, "Names for parts of the floor.", kAreaKeys, {},
     "[[areas]]\nname = \"hall\"\narea = { box = [0, 0, 4, 8] }"},
    {"profiles", TableInfo::Form::named, "What people are like. `default` is used where none is named; in a file without [profiles.default] that is a person with the defaults of the traits, and the name `default` stands for the preset. Any trait (`sidestep help scenario profiles`) and any parameter of the model, each a number or a distribution, or a word where there is a choice.", kProfileKeys, {},
     "[profiles.default]\nmodel = \"orca\"\nradius = 0.25\npreferred_speed = { normal = [1.34, 0.26], min = 0.5, max = 2.0 }\n\n[profiles.grandmother]\nmodel = \"rcap\"\npreset = \"elder\"\npreferred_speed = 0.8\nacceleration_mode = \"brake\""},
    {"populations", TableInfo::Form::named, "Mixes of people. A key is the name of a profile or preset, its value the share of it, a number in (0, 1]; the shares add up to 1. Exact for [[agents]], drawn one by one for [[sources]].", {}, {},
     "[populations.concourse]\nhurried = 0.3\nelder = 0.2\ndefault = 0.5"},
    {"goals", TableInfo::Form::many, "Where people go.", kGoalKeys, kGoalChoices,
     "[[goals]]\nname = \"exit\"\nline = [[10, 3], [10, 5]]"},
    {"journeys", TableInfo::Form::named, "Ways of several stages.", kJourneyKeys, {},
     "[journeys.tour]\nstages = [{ waypoint = \"door\" }, { wait = 5 }, { exit = \"exit\" }]"},
    kStageTable,
    {"agents", TableInfo::Form::many, "People who are there at the start. Without exit, goal and journey they stand.", kAgentKeys, kAgentChoices,
     "[[agents]]\ncount = 50\narea = { box = [0, 0, 4, 8] }\nexit = \"exit\""},
    kLatticeTable,
    kCircleTable,
    {"sources", TableInfo::Form::many, "People who come while it runs.", kSourceKeys, kSourceChoices,
     "[[sources]]\narea = { box = [0, 3, 1, 5] }\nrate = 0.5\nexit = \"exit\""},
    {"groups", TableInfo::Form::many, "People who walk together: they stay together, keep a distance, wait for each other and set off together, whatever their models. Nobody is in two groups.", kGroupKeys, {},
     "[[agents]]\nname = \"family\"\npositions = [[1, 4], [1, 5], [2, 5]]\nexit = \"exit\"\n\n[[groups]]\nagents = \"family\"\nformation = \"v\""},
    {"roles", TableInfo::Form::many, "Who gives way to whom, whatever the ranks. The last of several about the same two holds.", kRoleKeys, {},
     "[[agents]]\nname = \"staff\"\nposition = [1, 4]\n\n[[agents]]\nname = \"guests\"\nposition = [3, 4]\n\n[[roles]]\nof = \"staff\"\ntowards = \"guests\"\nshare = 0.8"},
    {"zones", TableInfo::Form::many, "Parts of the floor where people walk slower or faster.", kZoneKeys, {},
     "[[zones]]\narea = { box = [4, 0, 6, 8] }\nspeed_factor = 0.5"},
    {"bodies", TableInfo::Form::many, "Things that move along a line and yield to nobody.", kBodyKeys, kBodyChoices,
     "[[bodies]]\nradius = 0.5\npath = [[0, 4], [10, 4]]\nmode = \"shuttle\""},
    {"events", TableInfo::Form::many, "What happens at a given time.", kEventKeys, kEventChoices,
     "[[events]]\ntime = 30\nclose = \"door\""},
    {"expect", TableInfo::Form::one, "What a run must show; `sidestep run` exits with 1 where it does not.", {}, {},
     "[expect]\nall_left = true\nlast_arrival_max = 60"},
    {"shape", TableInfo::Form::in_line, "A shape is a ring of points, the name of an area, or a table with one of box, wkt, file and (for floors) polygon.", kShapeKeys, kShapeChoices,
     "area = { box = [0, 0, 4, 8] }"},
    {"distribution", TableInfo::Form::in_line, "A number that differs from agent to agent. Without cut-offs a normal or log-normal number is cut off at the range of its key.", kDistributionKeys, kDistributionChoices,
     "preferred_speed = { normal = [1.34, 0.26], min = 0.5, max = 2.2 }"},
};

constexpr ExpectInfo kExpectations[] = {
    {"all_left", "", "everybody has left through an exit"},
    {"all_arrived", "", "everybody has reached the last stage of the journey"},
    {"left_min", "", "at least so many have left"},
    {"arrived_min", "", "at least so many have reached their last stage"},
    {"last_arrival_max", "s", "the last one has arrived by then"},
    {"last_arrival_min", "s", "the last one has not arrived before"},
    {"mean_travel_time_max", "s", "mean time from setting off to the last stage, at most"},
    {"deepest_overlap_max", "m", "deepest overlap of two bodies, at most"},
    {"overlap_pairs_per_frame_max", "", "pairs of bodies that overlap, on average over the steps, at most"},
    {"wall_penetrations_max", "", "agent-steps more than 1 cm in a wall, at most"},
    {"stalls_max", "", "times somebody stood for 2 s on the way, at most"},
    {"removed_max", "", "agents removed by events, at most"},
    {"without_goal_max", "", "agents with nowhere to go at the end, at most"},
    {"progress_min", "1", "median of way made good over preferred speed times time, at least"},
    {"path_ratio_max", "1", "mean of way walked over shortest way, at most"},
    {"sim_time_max", "s", "simulated time at the end, at most"},
};
// clang-format on

}  // namespace

std::span<const TableInfo> scenario_tables()
{
    return kTables;
}

const TableInfo& scenario_table(std::string_view name)
{
    for (const TableInfo& table : kTables) {
        if (table.name == name) return table;
    }
    return kTables[0];
}

std::span<const ExpectInfo> expectations()
{
    return kExpectations;
}

}  // namespace sidestep
