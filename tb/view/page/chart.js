// One chart: axes, curves, legend, what the pointer shows, and zoom.

const margin = {left: 62, right: 16, top: 8, bottom: 42};
const plot_height = 310;
/** Shorter drags are clicks. */
const least_drag = 8;

class chart {
    /** `room`: what charts have in common, {styles, few_styles, runs, hidden, changed(), zoom(group, range), charts}. */
    constructor(spec, room, nines = false) {
        Object.assign(this, {spec, room, nines});
        this.id = spec.id + (nines ? "_nines" : "");
        this.group = spec.group ?? spec.id;
        this.curves = spec.series.map((series) => new curve(series, spec.kind, nines));
        this.is_log = {x: spec.x.log === true, y: spec.y.log === true};
        this.zoomed = {x: null, y: null};
        this.hidden = new Set();
        this.build();
    }

    style_of(series) {
        if (series.look) {
            return lower_bound;
        }
        return this.room.styles[(series.run ?? series.style) % this.room.styles.length];
    }

    /** Of gnuplot's `(12,4)`, in pixels. */
    dashes_of(series) {
        if (series.look) {
            return [];
        }
        if ((series.run ?? series.style) >= this.room.styles.length) {
            return [8, 4];
        }
        return series.run === undefined || this.room.runs.length > this.room.few_styles ? []
            : (this.style_of(series).dashes.match(/\d+(?=[,)])/g) ?? []).map((length) => length * 0.6);
    }

    shown_curves() {
        return this.curves.filter((each) => each.x.length && this.is_shown(each.series));
    }

    is_shown(series) {
        return series.run === undefined ? !this.hidden.has(series) : !this.room.hidden.has(series.run);
    }

    build() {
        const {spec} = this;
        this.plot = make("div", {class: "plot"});
        this.tip = make("div", {class: "hover", "aria-hidden": "true", hidden: ""});
        this.controls = make("div", {class: "controls"});
        this.legend = make("ul", {class: "legend", "aria-label": "Curves"});
        for (const which of ["x", "y"]) {
            if (spec[which].log !== undefined) {
                this.add_control(() => {
                    this.is_log[which] = !this.is_log[which];
                    this.zoomed[which] = null;
                    this.draw();
                }, () => `${spec[which].what}: ${this.is_log[which] ? "to linear scale" : "to log scale"}`);
            }
        }
        this.reset_button = this.add_control(() => this.reset(), () => "Reset zoom");
        for (const series of spec.series) {
            this.legend.append(make("li", {}, this.legend_button(series)));
        }
        const caption = make("figcaption", {}, spec.title + (this.nines ? ", scale of nines" : ""));
        this.figure = make("figure", {id: "chart_" + this.id, "data-chart": this.id}, caption,
            ...(spec.note ? [make("p", {class: "note"}, spec.note)] : []), this.plot, this.legend, this.controls);
        new ResizeObserver(() => this.draw()).observe(this.plot);
    }

    add_control(act, text) {
        const button = make("button", {type: "button"}, text());
        button.addEventListener("click", () => {
            act();
            button.textContent = text();
        });
        this.controls.append(button);
        return button;
    }

    legend_button(series) {
        const button = make("button", {type: "button", "aria-pressed": "true"},
            sample_of(this.style_of(series), this.dashes_of(series), ["cdf", "points", "means", "places"].includes(this.spec.kind)), series.name);
        button.addEventListener("click", () => {
            const [set, member] = series.run === undefined ? [this.hidden, series] : [this.room.hidden, series.run];
            if (!set.delete(member)) {
                set.add(member);
            }
            series.run === undefined ? this.draw() : this.room.changed();
        });
        return button;
    }

    reset() {
        this.zoomed.y = null;
        this.room.zoom(this.group, null);
    }

    /** Charts that have the same axis: over time all, up those that are folded away together. */
    members(which) {
        const key = which === "x" ? "group" : "folded";
        return this.spec[key] ? this.room.charts.filter((c) => c.spec[key] === this.spec[key]) : [this];
    }

    /** Of the curves that are shown. */
    extent(which) {
        const members = this.members(which);
        const shown = members.flatMap((each) => each.shown_curves());
        const ends = (shown.length ? shown : members.flatMap((each) => each.curves))
            .map((each) => each.extent(which, this.is_log[which]));
        const [low, high] = [Math.min(...ends.map(([least]) => least)), Math.max(...ends.map(([, most]) => most))];
        return low <= high ? [low, high] : [0, 1];
    }

    axis_of(which, from, to) {
        const {quantity, names} = this.spec[which];
        const is_y = which === "y";
        if (names) {
            const [low, high] = this.zoomed[which] ?? [-0.5, names.length - 0.5];
            return new axis("linear", quantity, low, high, from, to, names);
        }
        const scale = is_y && this.nines ? "nines" : this.is_log[which] ? "log" : "linear";
        let [low, high] = this.zoomed[which] ?? this.extent(which);
        if (this.zoomed[which] && scale === "log" && low <= 0) {
            low = this.extent(which)[0];  // it was dragged on a linear axis
        }
        const arrows = is_y && this.curves.some((each) => each.series.look);
        if (!this.zoomed[which]) {
            if (scale === "nines") {
                [low, high] = [1, 0.8 * low];
            } else if (is_y && quantity === "share") {
                [low, high] = [0, 1];
            } else if (scale === "log") {
                const more = Math.max((high / low) ** (arrows ? 0.1 : 0.04), 1.02);
                [low, high] = [low / more, high * more];
            } else {
                // Over time the axis begins where samples do; anything else begins at 0 or below.
                low = this.spec.group && !is_y ? low : Math.min(low, 0);
                high = high > low ? low + (high - low) * (arrows ? 1.12 : is_y || this.spec.kind === "means" ? 1.05 : 1) : low + 1;
            }
        }
        return new axis(scale, quantity, low, high, from, to);
    }

    draw() {
        const width = this.plot.clientWidth;
        if (!width) {
            return;
        }
        const box = {left: margin.left, right: width - margin.right, top: margin.top, bottom: plot_height - margin.bottom};
        this.box = box;
        this.across = this.axis_of("x", box.left, box.right);
        this.up = this.axis_of("y", box.bottom, box.top);
        const names = this.spec.series.map((series) => series.name).join(", ");
        const svg = make_svg("svg", {
            viewBox: `0 0 ${width} ${plot_height}`, role: "img", tabindex: "0",
            "aria-label": `${this.spec.title}: ${this.up.label(this.spec.y.what)} over ` +
                `${this.across.label(this.spec.x.what)}, of ${names}`,
        });
        this.draw_axes(svg, box, width);
        const clip = "clip_" + this.id;
        svg.append(make_svg("clipPath", {id: clip}, make_svg("rect", {
            x: box.left, y: box.top - 1, width: box.right - box.left, height: box.bottom - box.top + 2,
        })));
        const inner = make_svg("g", {"clip-path": `url(#${clip})`});
        this.shown_curves().forEach((each) => this.draw_curve(inner, each));
        this.overlay = make_svg("g");
        svg.append(inner, this.overlay);
        this.listen(svg);
        this.plot.replaceChildren(svg, this.tip);
        this.tip.hidden = true;
        this.reset_button.hidden = !this.zoomed.x && !this.zoomed.y;
        this.spec.series.forEach((series, i) =>
            this.legend.children[i].firstChild.setAttribute("aria-pressed", String(this.is_shown(series))));
    }

    draw_axes(svg, box, width) {
        const line = (x1, y1, x2, y2) => svg.append(make_svg("line", {class: "grid", x1, y1, x2, y2}));
        const text = (x, y, shown, anchor = "middle", more = {}) =>
            svg.append(make_svg("text", {x, y, "text-anchor": anchor, ...more}, shown));
        for (const [value, shown] of this.across.tics(Math.max(2, Math.floor(width / 90)))) {
            const x = this.across.at(value);
            line(x, box.top, x, box.bottom);
            text(x, box.bottom + 16, shown);
        }
        for (const [value, shown] of this.up.tics(5)) {
            const y = this.up.at(value);
            line(box.left, y, box.right, y);
            text(box.left - 6, y + 4, shown, "end");
        }
        const middle = (box.top + box.bottom) / 2;
        text((box.left + box.right) / 2, box.bottom + 36, this.across.label(this.spec.x.what));
        text(12, middle, this.up.label(this.spec.y.what), "middle", {transform: `rotate(-90 12 ${middle})`});
    }

    draw_curve(inner, each) {
        const style = this.style_of(each.series);
        if (this.spec.kind === "bars") {
            const half = this.spec.bar_width / 2;
            each.x.forEach((x, i) => {
                const [left, right] = [this.across.at(x - half), this.across.at(x + half)];
                const [top, bottom] = [this.up.at(each.y[i]), this.up.at(0)].sort((a, b) => a - b);
                inner.append(make_svg("rect", {
                    x: left, y: top, width: right - left, height: bottom - top, fill: shown_colour(style), "data-name": each.series.name,
                }));
            });
        } else if (!this.spec.x.names && this.spec.kind !== "places" && !each.series.look) {
            inner.append(make_svg("path", {
                class: "curve", d: each.path(this.across, this.up), stroke: shown_colour(style),
                "stroke-width": this.curves.length > this.room.few_styles ? 1.5 : 2, "data-name": each.series.name,
                "stroke-dasharray": this.dashes_of(each.series).join(" ") || "none",
            }));
        }
        for (const [x, low, high] of each.bars) {
            const at = this.across.at(x);
            const ends = [low, high].map((y) => this.up.at(this.up.scale === "log" && y <= 0 ? this.up.low : y));
            inner.append(make_svg("line", {class: "interval", x1: at, x2: at, y1: ends[0], y2: ends[1], stroke: shown_colour(style)}));
        }
        for (const [x, y] of each.marks) {
            inner.append(point_of(style, this.across.at(this.spec.kind === "means" ? x : Math.max(x, 1)), this.up.at(y)));
        }
    }
}
