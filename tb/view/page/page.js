// Puts the page together from its data.

const data = JSON.parse(document.getElementById("report").textContent);
const labels = data.runs.map((run) => run.label);
const main = document.querySelector("main");

const room = {
    styles: data.styles,
    few_styles: data.few_styles,
    runs: data.runs,
    /** Numbers of runs that are switched off, in all charts. */
    hidden: new Set(),
    charts: [],
    changed() {
        this.charts.forEach((each) => each.draw());
    },
    /** `range` of x of all charts of the group; null: all of it. */
    zoom(group, range) {
        for (const each of this.charts.filter((c) => c.group === group)) {
            // A logarithmic axis and a linear one beside it have the same range.
            each.zoomed.x = range;
            each.draw();
        }
    },
};

/** A section, unless it would be empty, with its link at the top. */
function add_section(id, title, ...parts) {
    if (parts.length) {
        main.append(make("section", {id}, make("h2", {}, title), ...parts));
        document.querySelector("nav").append(make("a", {href: "#" + id}, title), " ");
    }
}

function figures_of(spec) {
    const made = spec.kind === "cdf" ? [new chart(spec, room), new chart(spec, room, true)] : [new chart(spec, room)];
    room.charts.push(...made);
    return made.map((each) => each.figure);
}

/** Sections of charts that have a place on the page. */
const placed = new Set();

/** The charts of these sections; those that are folded away under one heading each. */
function charts_of(...sections) {
    sections.forEach((section) => placed.add(section));
    const wanted = data.charts.filter((spec) => sections.includes(spec.section));
    const plain = wanted.filter((spec) => !spec.folded).flatMap(figures_of);
    const headings = [...new Set(wanted.flatMap((spec) => spec.folded ?? []))];
    return [
        ...(plain.length ? [make("div", {class: "charts"}, ...plain)] : []),
        ...headings.map((heading) => fold(heading, false, make("div", {class: "charts"},
            ...wanted.filter((spec) => spec.folded === heading).flatMap(figures_of)))),
    ];
}

function tables_of(section) {
    return data.tables.filter((spec) => spec.section === section).map(result_table);
}

function provenance() {
    const warnings = data.runs.flatMap((run) => run.warnings.map((text) => make("li", {}, `${run.label}: ${text}`)));
    const commands = data.runs.flatMap((run) => [make("h3", {}, run.label),
        make("pre", {}, run.command_line || "not recorded: run.json is missing"),
        make("p", {class: "note"}, [run.version ? `weir ${run.version}` : "weir", run.commit ? `commit ${run.commit}` : [],
            run.build ? `built with ${run.build}` : []].flat().join(", "))]);
    return [...(warnings.length ? [make("ul", {class: "warnings"}, ...warnings)] : []),
        fold(labels.length > 1 ? "Command lines" : "Command line", false, ...commands)];
}

function verdicts() {
    return data.verdicts.map((each) => make("div", {class: each.is_fault ? "verdict fault" : "verdict"}, make("h3", {}, each.title), make("pre", {}, each.text)));
}

document.title = data.title;
document.querySelector("h1").textContent = data.title;
document.querySelector(".made_by").textContent = `${data.made_by}. Curves: drag to zoom, double click to reset, ` +
    "click a name to switch it off; thinned to at most 2,000 points.";
add_section("verdicts", "Verdict", ...tables_of("verdict"), ...verdicts(), ...tables_of("failures"));
add_section("answers", "Results", ...tables_of("answers"), ...(data.pictures ?? []).map(({name, svg}) => make("figure", {"data-picture": name},
    make("img", {alt: name, src: "data:image/svg+xml," + encodeURIComponent(svg)}))));
add_section("sweep", "Points", ...tables_of("sweep"));
add_section("curves", "Curves", ...charts_of("curves"));
if (labels.length) {
    add_section("runs", labels.length > 1 ? "Runs" : "Run", ...provenance());
}
add_section("configuration", "Configuration", ...data.configuration.map(
    ({title, is_open, tables}) => fold(title, is_open, ...tables.map(result_table))));
add_section("completion", "Completion times", ...charts_of("completion"), ...tables_of("completion"));
add_section("counts", labels.length > 1 ? "Comparison" : "Results", ...tables_of("counts"));
add_section("limits", "Limits", ...tables_of("limits"), ...charts_of("hot_spots"));
add_section("occupancy", "Occupancy", ...charts_of("occupancy"));
add_section("pauses", "Pauses", ...charts_of("pauses"));
add_section("causes", "Causes of pauses", ...data.trees.map((tree) => pause_tree(tree, data.runs[tree.run], data.styles)));
add_section("senders", "Windows and rates", ...charts_of("senders"));
add_section("losses", "Frames lost", ...charts_of("losses"));
// Charts of plugins may have sections of their own.
for (const {section} of data.charts.filter((spec) => !placed.has(spec.section))) {
    const title = section.charAt(0).toUpperCase() + section.slice(1).replaceAll("_", " ");
    add_section(section || "others", title || "Other charts", ...(placed.has(section) ? [] : charts_of(section)));
}
