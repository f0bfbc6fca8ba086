// Tables, and trees of pauses.

function result_table(spec) {
    const row = (cells, tag, scope) => make("tr", {}, ...cells.map((text, i) => i < spec.labels
        ? make("th", {scope, class: "label"}, text) : make(tag, scope === "col" ? {scope} : {}, text)));
    return make("section", spec.id ? {id: "table_" + spec.id, "data-table": spec.id} : {},
        ...(spec.title ? [make("h3", {}, spec.title)] : []),
        ...(spec.note ? [make("p", {class: "note"}, spec.note)] : []),
        scrolling(make("table", {}, make("thead", {}, row(spec.head, "th", "col")),
            make("tbody", {}, ...spec.rows.map((cells) => row(cells, "td", "row")))), spec.title || spec.section));
}

/** Wide tables scroll in themselves, and long ones; with the keyboard, too. */
function scrolling(table, name) {
    const is_long = table.rows.length > 40;
    return make("div", {class: is_long ? "scroll long" : "scroll", tabindex: "0", role: "region", "aria-label": name}, table);
}

function fold(title, is_open, ...parts) {
    const made = make("details", {class: "fold"}, make("summary", {}, title), ...parts);
    made.open = is_open;
    return made;
}

/** Of a place: bars of its own paused time and of all that came of it, then its name. */
function place_line(place, depth, most, styles) {
    const bar = make("span", {class: "bar", "aria-hidden": "true"});
    const part = (kind, ns) => {
        const piece = make("i", {class: kind});
        piece.style.width = `${(100 * ns) / most}%`;
        bar.append(piece);
        return piece;
    };
    part("all", place.all_ns);
    part("own", place.own_ns).style.background = shown_colour(styles[Math.max(depth - 1, 0) % styles.length]);
    const all = quantity_text("time", place.all_ns, 3);
    const own = quantity_text("time", place.own_ns, 3);
    return [bar, place.name + (place.kind ? `, ${place.kind}` : "") + ": " +
        (depth === 0 || own === all ? all : `${own} of ${all}`)];
}

function place_of(place, depth, most, styles) {
    const line = place_line(place, depth, most, styles);
    if (!place.below) {
        return make("div", {class: "leaf"}, ...line);
    }
    const made = make("details", {}, make("summary", {}, ...line),
        ...place.below.map((below) => place_of(below, depth + 1, most, styles)));
    made.open = depth < 1;
    return made;
}

function pause_tree(tree, run, styles) {
    const most = Math.max(...tree.places.map((place) => place.all_ns), 1);
    const made = make("div", {class: "tree", "data-tree": String(tree.run)},
        ...tree.places.map((place) => place_of(place, 0, most, styles)));
    const all = make("button", {type: "button"}, "Open all");
    all.addEventListener("click", () => {
        const open = all.textContent === "Open all";
        made.querySelectorAll("details").forEach((each) => { each.open = open; });
        all.textContent = open ? "Close all" : "Open all";
    });
    const share = (ns) => quantity_text("share", ns / tree.paused_ns, 3);
    const notes = [quantity_text("time", tree.paused_ns) + " paused in all, summed over transmitters",
        ...tree.hops.map((ns, i) => `${share(ns)} at hop ${i + 1}`),
        ...(tree.unknown_ns > 0 ? [share(tree.unknown_ns) + " of unknown cause"] : []),
        ...(tree.left_out > 0 ? [`${tree.left_out} places with shorter times are not shown`] : [])];
    return make("section", {}, make("h3", {}, run.label), make("p", {class: "note"}, notes.join("; ")), all, made);
}
