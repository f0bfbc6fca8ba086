// Elements of the page. All text is set as text: names of runs and of tags come from outside.

const svg_space = "http://www.w3.org/2000/svg";

function with_parts(element, attributes, parts) {
    for (const [name, value] of Object.entries(attributes)) {
        element.setAttribute(name, value);
    }
    for (const part of parts) {
        element.append(part instanceof Node ? part : document.createTextNode(part));
    }
    return element;
}

/** make("td", {class: "text"}, "8 KiB") */
function make(tag, attributes = {}, ...parts) {
    return with_parts(document.createElement(tag), attributes, parts);
}

function make_svg(tag, attributes = {}, ...parts) {
    return with_parts(document.createElementNS(svg_space, tag), attributes, parts);
}

/** Black has to be seen on dark paper, too. */
function shown_colour(style) {
    return style.colour === "#000000" ? "var(--ink)" : style.colour;
}

// gnuplot's point types that curves have, around the origin.
const point_shapes = {
    4: "M-4-4H4V4H-4Z", 5: "M-4-4H4V4H-4Z",
    6: "M-4 0A4 4 0 1 0 4 0A4 4 0 1 0-4 0Z", 7: "M-4 0A4 4 0 1 0 4 0A4 4 0 1 0-4 0Z",
    8: "M0-5L5 4H-5Z", 9: "M0-5L5 4H-5Z",
    11: "M0 5L5-4H-5Z", 13: "M0-5L5 0L0 5L-5 0Z",
};

/** Style of the series that marks values which are only lower bounds: it has no number. */
const lower_bound = {colour: "#000000", dashes: ""};

function point_of(style, x, y) {
    if (style === lower_bound) {  // above the mark of the value itself
        return make_svg("path", {class: "bound", d: "M0-6V-20M-5-14L0-20L5-14", transform: `translate(${x} ${y})`});
    }
    const open = style.point === 4 || style.point === 6 || style.point === 8;
    return make_svg("path", {
        class: "point", d: point_shapes[style.point], transform: `translate(${x} ${y})`,
        fill: open ? "var(--paper)" : shown_colour(style), stroke: shown_colour(style),
    });
}

/** A short piece of a curve, for legends. */
function sample_of(style, dashes, has_points = false) {
    const line = {d: "M0 6H26", class: "curve", stroke: shown_colour(style), "stroke-width": 2.5,
        "stroke-dasharray": dashes.join(" ") || "none"};
    return make_svg("svg", {width: 26, height: 12, "aria-hidden": "true"}, ...(style === lower_bound ? [] : [make_svg("path", line)]),
        ...(has_points ? [point_of(style, 13, style === lower_bound ? 20 : 6)] : []));
}
