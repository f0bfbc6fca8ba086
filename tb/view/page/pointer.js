// What a pointer and the arrow keys do in a chart: values under it, and zoom by dragging.

Object.assign(chart.prototype, {
    listen(svg) {
        const place = (event) => {
            const around = svg.getBoundingClientRect();
            const within = (value, low, high) => Math.min(Math.max(value, low), high);
            const scale = svg.viewBox.baseVal.width / around.width;
            return [within((event.clientX - around.left) * scale, this.box.left, this.box.right),
                within((event.clientY - around.top) * scale, this.box.top, this.box.bottom)];
        };
        let start = null;
        svg.addEventListener("pointerdown", (event) => {
            if (event.button === 0) {
                start = place(event);
                svg.setPointerCapture(event.pointerId);
            }
        });
        svg.addEventListener("pointermove", (event) => {
            start ? this.show_selection(start, place(event)) : this.show_values(place(event));
        });
        svg.addEventListener("pointerup", (event) => {
            const from = start;
            start = null;
            if (from) {
                this.select(from, place(event));
            }
        });
        svg.addEventListener("pointercancel", () => {
            start = null;
            this.leave();
        });
        svg.addEventListener("pointerleave", () => start || this.leave());
        svg.addEventListener("dblclick", () => this.reset());
        svg.addEventListener("blur", () => this.leave());
        svg.addEventListener("keydown", (event) => this.key(event));
    },

    leave() {
        this.overlay.replaceChildren();
        this.tip.hidden = true;
    },

    /** What was meant across and up, in pixels; null: it hardly moved in this direction. */
    dragged(from, to) {
        return [0, 1].map((i) => Math.abs(to[i] - from[i]) >= least_drag ? [from[i], to[i]].sort((a, b) => a - b) : null);
    },

    show_selection(from, to) {
        const [x, y] = this.dragged(from, to);
        const [left, right] = x ?? [this.box.left, this.box.right];
        const [top, bottom] = y ?? [this.box.top, this.box.bottom];
        this.tip.hidden = true;
        this.overlay.replaceChildren(...(x || y ? [make_svg("rect", {
            class: "selection", x: left, y: top, width: right - left, height: bottom - top,
        })] : []));
    },

    select(from, to) {
        const [x, y] = this.dragged(from, to);
        this.zoomed.y = y ? [this.up.value(y[1]), this.up.value(y[0])] : this.zoomed.y;
        if (x) {
            this.room.zoom(this.group, x.map((pixel) => this.across.value(pixel)));
        } else if (y) {
            this.draw();
        }
    },

    /** Of a cdf the values at a percentile, else what the curves are at an x. */
    show_values([x, y]) {
        const is_cdf = this.spec.kind === "cdf";
        const value = is_cdf ? this.up.value(y) : this.across.value(x);
        const left = this.nines ? value : 1 - value;
        const line = is_cdf ? {x1: this.box.left, x2: this.box.right, y1: y, y2: y}
            : {x1: x, x2: x, y1: this.box.top, y2: this.box.bottom};
        const head = is_cdf ? percentile_text(left) + (this.spec.x.quantity === "time" ? " have completed within" : " have at most")
            : this.across.text(value, 5);
        const rows = [];
        this.overlay.replaceChildren(make_svg("line", {class: "cursor", ...line}));
        const bounds = this.curves.filter((each) => each.series.look).flatMap((each) => each.marks);
        for (const each of this.shown_curves().filter((curve) => !curve.series.look)) {
            const found = is_cdf ? each.at_left(left) : each.at_x(value);
            if (!found || found[1] === null) {
                continue;
            }
            const is_bound = bounds.some((point) => point[0] === found[0] && point[1] === found[1]);
            const shown = (is_bound ? "at least " : "") + quantity_text(this.spec[is_cdf ? "x" : "y"].quantity, found[is_cdf ? 0 : 1]);
            rows.push(make("div", {}, make("span", {}, sample_of(this.style_of(each.series), []), " ", each.series.name),
                make("span", {class: "value"}, shown)));
            const [px, py] = [this.across.at(this.across.scale === "log" ? Math.max(found[0], 1e-9) : found[0]), is_cdf ? y : this.up.at(found[1])];
            if (px >= this.box.left && px <= this.box.right && py >= this.box.top && py <= this.box.bottom) {
                this.overlay.append(make_svg("circle", {cx: px, cy: py, r: 4, fill: shown_colour(this.style_of(each.series))}));
            }
        }
        this.tip.replaceChildren(make("strong", {}, head), ...rows);
        this.tip.hidden = false;
        this.place_tip(x, y);
        this.pointed = [x, y];
    },

    /** Beside the pointer, within the chart. */
    place_tip(x, y) {
        const scale = this.plot.clientWidth / (this.box.right + margin.right);
        const [width, height] = [this.tip.offsetWidth, this.tip.offsetHeight];
        const beside = x * scale + 14 + width <= this.plot.clientWidth ? x * scale + 14 : x * scale - 14 - width;
        this.tip.style.left = `${Math.max(0, Math.min(beside, this.plot.clientWidth - width))}px`;
        this.tip.style.top = `${Math.max(0, y * scale - height - 8)}px`;
    },

    /** The arrow keys move the pointer; Home resets the zoom. */
    key(event) {
        const step = {ArrowLeft: [-8, 0], ArrowRight: [8, 0], ArrowUp: [0, -8], ArrowDown: [0, 8]}[event.key];
        if (step) {
            const {left, right, top, bottom} = this.box;
            const [x, y] = this.pointed ?? [(left + right) / 2, (top + bottom) / 2];
            this.show_values([Math.min(Math.max(x + step[0], left), right), Math.min(Math.max(y + step[1], top), bottom)]);
        } else if (event.key === "Home") {
            this.reset();
        } else if (event.key === "Escape") {
            this.leave();
        } else {
            return;
        }
        event.preventDefault();
    },
});
