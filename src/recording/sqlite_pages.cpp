// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/sqlite_pages.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <span>
#include <string_view>
#include <variant>

#include "recording/seal.hpp"

namespace sidestep {
namespace {

constexpr std::size_t kFileHeader = 100;  ///< bytes, at the beginning of the first page
constexpr unsigned char kTableLeaf = 0x0d;

using Value = std::variant<std::monostate, std::int64_t, double, std::string_view>;

/// Reads on from a place; what lies behind the end reads as nothing and `failed` says so.
class Cursor {
public:
    explicit Cursor(std::span<const unsigned char> bytes) : bytes_(bytes) {}

    bool failed() const { return failed_; }
    std::size_t place() const { return place_; }
    void skip(std::size_t n) { (void)take(n); }

    std::span<const unsigned char> take(std::size_t n)
    {
        if (n > bytes_.size() - place_) {
            failed_ = true;
            return {};
        }
        place_ += n;
        return bytes_.subspan(place_ - n, n);
    }

    /// Big-endian, with sign.
    std::int64_t integer(std::size_t n)
    {
        std::uint64_t value = 0;
        const auto part = take(n);
        if (!part.empty() && part[0] >= 0x80) value = ~std::uint64_t{0};
        for (const unsigned char byte : part) value = (value << 8) | byte;
        return static_cast<std::int64_t>(value);
    }

    std::int64_t varint()
    {
        std::uint64_t value = 0;
        for (int i = 0; i < 9 && !failed_; ++i) {
            const auto part = take(1);
            if (part.empty()) break;
            if (i == 8) return static_cast<std::int64_t>((value << 8) | part[0]);
            value = (value << 7) | (part[0] & 0x7f);
            if (part[0] < 0x80) break;
        }
        return static_cast<std::int64_t>(value);
    }

private:
    std::span<const unsigned char> bytes_;
    std::size_t place_ = 0;
    bool failed_ = false;
};

/// False: it is of a kind that we do not write.
bool read_value(Cursor& from, std::int64_t type, Value& value)
{
    constexpr std::size_t kSizes[] = {0, 1, 2, 3, 4, 6, 8};
    if (type == 0) {
        value = std::monostate{};
    } else if (type >= 1 && type <= 6) {
        value = from.integer(kSizes[type]);
    } else if (type == 7) {
        value = std::bit_cast<double>(from.integer(8));
    } else if (type == 8 || type == 9) {
        value = type - 8;
    } else if (type >= 13 && type % 2 == 1) {
        const auto text = from.take(static_cast<std::size_t>(type - 13) / 2);
        value = std::string_view(reinterpret_cast<const char*>(text.data()), text.size());
    } else {
        return false;
    }
    return !from.failed();
}

/// The values of a record; empty where it is none, or goes on in other pages.
std::vector<Value> read_record(std::span<const unsigned char> payload)
{
    constexpr std::size_t kMostValues = 8;
    Cursor head(payload);
    const std::int64_t head_size = head.varint();
    if (head.failed() || head_size < 1 || static_cast<std::size_t>(head_size) > payload.size()) {
        return {};
    }
    Cursor body(payload);
    body.skip(static_cast<std::size_t>(head_size));
    std::vector<Value> values;
    while (head.place() < static_cast<std::size_t>(head_size)) {
        if (values.size() == kMostValues) return {};
        if (!read_value(body, head.varint(), values.emplace_back()) || head.failed()) return {};
    }
    return values;
}

std::optional<std::int64_t> integer(const Value& value)
{
    const auto* i = std::get_if<std::int64_t>(&value);
    return i != nullptr ? std::optional(*i) : std::nullopt;
}

/// SQLite keeps a float that is whole as an integer.
std::optional<double> number(const Value& value)
{
    if (const auto i = integer(value)) return static_cast<double>(*i);
    const auto* d = std::get_if<double>(&value);
    return d != nullptr && std::isfinite(*d) ? std::optional(*d) : std::nullopt;
}

struct Row {
    std::int64_t rowid = 0;
    std::vector<Value> values;
};

/// The rows of a page of a table. `page` is what of it holds cells.
std::vector<Row> read_rows(std::span<const unsigned char> page, std::size_t header)
{
    std::vector<Row> rows;
    if (page.size() < header + 8 || page[header] != kTableLeaf) return rows;
    const std::size_t cells = page[header + 3] * std::size_t{256} + page[header + 4];
    Cursor places(page);
    places.skip(header + 8);
    for (std::size_t i = 0; i < cells; ++i) {
        const auto place = places.take(2);
        if (places.failed()) break;
        Cursor cell(page);
        cell.skip(place[0] * std::size_t{256} + place[1]);
        const std::int64_t size = cell.varint();
        Row row;
        row.rowid = cell.varint();
        if (cell.failed() || size < 1 || size > static_cast<std::int64_t>(page.size())) continue;
        const auto payload = cell.take(static_cast<std::size_t>(size));
        if (!cell.failed()) row.values = read_record(payload);
        if (!row.values.empty()) rows.push_back(std::move(row));
    }
    return rows;
}

std::size_t header_of(std::uint32_t page)
{
    return page == 1 ? kFileHeader : 0;
}

/// A row of trajectory_data: frame, then the agent.
std::optional<std::pair<std::int64_t, RecordedAgent>> to_agent(const Row& row)
{
    if (row.values.size() != 6) return std::nullopt;
    const auto frame = integer(row.values[0]), id = integer(row.values[1]);
    const auto x = number(row.values[2]), y = number(row.values[3]);
    const auto ori_x = number(row.values[4]), ori_y = number(row.values[5]);
    if (!frame || !id || !x || !y || !ori_x || !ori_y) return std::nullopt;
    return std::pair(*frame, RecordedAgent{*id, 0, {*x, *y}, {*ori_x, *ori_y}});
}

/// A row of sidestep_frames; its frame is the rowid.
std::optional<ListedFrame> to_listed(const Row& row)
{
    if (row.values.size() != 3 || row.values[0].index() != 0) return std::nullopt;
    const auto rows = integer(row.values[1]);
    const auto* text = std::get_if<std::string_view>(&row.values[2]);
    const auto hash = text != nullptr ? hash_from_text(*text) : std::nullopt;
    if (!rows || !hash) return std::nullopt;
    return ListedFrame{row.rowid, *hash, *rows, std::nullopt};
}

/// A row of sidestep_levels.
std::optional<LevelChange> to_level(const Row& row)
{
    if (row.values.size() != 3) return std::nullopt;
    const auto id = integer(row.values[0]), frame = integer(row.values[1]);
    const auto level = integer(row.values[2]);
    if (!id || !frame || !level || *level < 0 || *level > 0xffff) return std::nullopt;
    return LevelChange{*frame, *id, static_cast<std::uint16_t>(*level)};
}

/// A row of sidestep_body_places: frame and body, then where it is.
std::optional<std::pair<std::pair<std::int64_t, std::int64_t>, Vec2>> to_body_place(const Row& row)
{
    if (row.values.size() != 4) return std::nullopt;
    const auto frame = integer(row.values[0]), body = integer(row.values[1]);
    const auto x = number(row.values[2]), y = number(row.values[3]);
    if (!frame || !body || !x || !y) return std::nullopt;
    return std::pair(std::pair(*frame, *body), Vec2{*x, *y});
}

}  // namespace

std::optional<SqlitePages> SqlitePages::scan(const std::string& path)
{
    SqlitePages pages;
    pages.in_.open(path, std::ios::binary);
    std::vector<unsigned char> head(kFileHeader);
    if (!pages.in_.read(reinterpret_cast<char*>(head.data()), kFileHeader)) return std::nullopt;
    const std::size_t said = head[16] * std::size_t{256} + head[17];
    const std::size_t size = said == 1 ? 65536 : said;
    if (!std::has_single_bit(size) || size < 512 || head[20] > size / 2) return std::nullopt;
    pages.bytes_.resize(size);
    pages.usable_ = size - head[20];
    for (std::uint32_t page = 1; pages.load(page); ++page) pages.take_page(page);

    const auto by_number = [](const ListedFrame& a, const ListedFrame& b) {
        return a.number < b.number;
    };
    std::stable_sort(pages.frames_.begin(), pages.frames_.end(), by_number);
    std::stable_sort(pages.levels_.begin(), pages.levels_.end(),
                     [](const LevelChange& a, const LevelChange& b) { return a.frame < b.frame; });
    std::sort(pages.row_pages_.begin(), pages.row_pages_.end());
    auto& rows = pages.row_pages_;
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    return pages;
}

bool SqlitePages::load(std::uint32_t page)
{
    if (page == std::numeric_limits<std::uint32_t>::max()) return false;
    in_.clear();
    in_.seekg(static_cast<std::streamoff>(bytes_.size()) * (page - std::streamoff{1}));
    return static_cast<bool>(in_.read(reinterpret_cast<char*>(bytes_.data()),
                                      static_cast<std::streamsize>(bytes_.size())));
}

void SqlitePages::take_page(std::uint32_t page)
{
    for (const Row& row : read_rows(std::span(bytes_).first(usable_), header_of(page))) {
        if (const auto agent = to_agent(row)) {
            const std::pair here(agent->first, page);
            if (row_pages_.empty() || row_pages_.back() != here) row_pages_.push_back(here);
        } else if (auto listed = to_listed(row)) {
            frames_.push_back(*listed);
        } else if (auto level = to_level(row)) {
            levels_.push_back(*level);
        } else if (const auto body = to_body_place(row)) {
            bodies_.insert(*body);
        }
    }
}

std::vector<RecordedAgent> SqlitePages::agents_of(std::int64_t frame)
{
    std::vector<RecordedAgent> agents;
    auto place = std::lower_bound(row_pages_.begin(), row_pages_.end(), std::pair(frame, 0u));
    for (; place != row_pages_.end() && place->first == frame; ++place) {
        if (!load(place->second)) continue;
        const auto page = std::span(bytes_).first(usable_);
        for (const Row& row : read_rows(page, header_of(place->second))) {
            const auto agent = to_agent(row);
            if (agent && agent->first == frame) agents.push_back(agent->second);
        }
    }
    const auto by_id = [](const RecordedAgent& a, const RecordedAgent& b) { return a.id < b.id; };
    std::stable_sort(agents.begin(), agents.end(), by_id);
    return agents;
}

std::vector<Vec2> SqlitePages::bodies_of(std::int64_t frame, std::size_t bodies) const
{
    std::vector<Vec2> places;
    for (std::size_t body = 0; body < bodies; ++body) {
        const auto found = bodies_.find({frame, static_cast<std::int64_t>(body)});
        if (found == bodies_.end()) break;
        places.push_back(found->second);
    }
    return places;
}

}  // namespace sidestep
