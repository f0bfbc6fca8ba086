// Curves of the kinds that charts have: their paths, and what they are at a place.

/** A series with its values as they are drawn. `nines`: of a cdf, on the scale of nines. */
class curve {
    constructor(series, kind, nines) {
        Object.assign(this, {series, kind, nines});
        this.x = series.x;
        this.y = kind !== "cdf" ? series.y
            : series.rank.map((r) => (nines ? series.n - r + 1 : r) / series.n);
    }

    /** [low, high] of what can be shown; a logarithm takes no 0. */
    extent(which, is_log) {
        let [low, high] = [Infinity, -Infinity];
        for (const value of this[which].concat(which === "y" ? this.bars().flatMap(([, ...ends]) => ends) : [])) {
            if (value !== null && (!is_log || value > 0)) {
                low = Math.min(low, value);
                high = Math.max(high, value);
            }
        }
        return [low, high];
    }

    path(across, up) {
        const place = (value, on) => on.at(value).toFixed(1);
        const shown = (value, on) => value !== null && (on.scale !== "log" || value > 0);
        let d = "";
        if (this.kind === "steps") {
            for (let i = 0; i < this.y.length; ++i) {
                d += `${i ? "V" : `M${place(this.x[0], across)} `}${place(this.y[i], up)}H${place(this.x[i + 1], across)}`;
            }
            return d;
        }
        if (this.kind === "cdf") {
            const start = this.nines ? 1 : 0;
            d = `M${place(Math.max(this.x[0], 1), across)} ${place(start, up)}`;
            for (let i = 0; i < this.x.length; ++i) {
                const h = "H" + place(Math.max(this.x[i], 1), across);
                const v = "V" + place(this.y[i], up);
                d += this.nines ? v + h : h + v;
            }
            return d;
        }
        let pen = "M";
        for (let i = 0; i < this.x.length; ++i) {
            if (shown(this.x[i], across) && shown(this.y[i], up)) {
                d += `${pen}${place(this.x[i], across)} ${place(this.y[i], up)}`;
                pen = "L";
            } else {
                pen = "M";
            }
        }
        return d;
    }

    /** [x, low, high] of each interval. */
    bars() {
        return (this.series.low ?? []).map((low, i) => [this.x[i], low, this.series.high[i]])
            .filter(([, low]) => low !== null);
    }

    /** [x, y] of what is marked. */
    marks() {
        if (this.kind === "cdf") {
            return this.series.marks.map(([percent, x]) => [x, this.nines ? 1 - percent / 100 : percent / 100]);
        }
        return ["points", "means"].includes(this.kind) ? this.x.map((x, i) => [x, this.y[i]]) : [];
    }

    /** The place of the last x that is not above. -1: none. */
    place_of(x) {
        let [low, high] = [0, this.x.length];
        while (low < high) {
            const middle = (low + high) >> 1;
            // A gap belongs to what is before it.
            const value = this.x[middle] ?? this.x[middle - 1];
            [low, high] = value <= x ? [middle + 1, high] : [low, middle];
        }
        return low - 1;
    }

    /** [x, y] of the curve at an x; null where it has none. */
    at_x(x) {
        const before = this.place_of(x);
        if (this.kind === "steps") {
            return before >= 0 && before < this.y.length ? [x, this.y[before]] : null;
        }
        const near = [before, before + 1].filter((i) => i >= 0 && i < this.x.length && this.x[i] !== null);
        near.sort((a, b) => Math.abs(this.x[a] - x) - Math.abs(this.x[b] - x));
        return near.length ? [this.x[near[0]], this.y[near[0]]] : null;
    }

    /** Of a cdf: the value of nearest rank, where the share `left` to 100 % is drawn. */
    at_left(left) {
        const {n, rank, x} = this.series;
        const wanted = Math.min(n, Math.max(1, Math.ceil(n * (1 - left) * (1 - 1e-12))));
        let i = rank.findIndex((r) => r >= wanted);
        i = i < 0 ? rank.length - 1 : i;
        return [x[i], this.y[i]];
    }
}
