// Curves of the kinds that charts have: their paths, and what they are at a place.

/** A series with its values as they are drawn. `nines`: of a cdf, on the scale of nines. */
class curve {
    constructor(series, kind, nines) {
        Object.assign(this, {series, kind, nines});
        this.x = series.x;
        this.y = nines ? series.left : series.y;
        /** [x, low, high] of each interval. */
        this.bars = (series.low ?? []).map((low, i) => [this.x[i], low, series.high[i]]).filter(([, low]) => low !== null);
        /** [x, y] of what is marked. */
        this.marks = kind === "cdf" ? series.marks.map(([percent, x]) => [x, nines ? 1 - percent / 100 : percent / 100])
            : ["points", "means", "places"].includes(kind) ? this.x.map((x, i) => [x, this.y[i]]) : [];
    }

    /** [low, high] of what can be shown; a logarithm takes no 0. */
    extent(which, is_log) {
        const ends = which === "y" ? this.bars.flatMap(([, low, high]) => [low, high]) : [];
        const shown = [...this[which], ...ends].filter((value) => value !== null && (!is_log || value > 0));
        return shown.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [Infinity, -Infinity]);
    }

    /** Steps begin at their first place, those of a cdf at 0 or 100 %; on the scale of nines they rise first. */
    path(across, up) {
        const place = (value, on) => on.at(value).toFixed(1);
        const xs = this.x.map((x) => x === null ? null : place(this.kind === "cdf" ? Math.max(x, 1) : x, across));
        const ys = this.y.map((y) => y === null ? null : place(y, up));
        if (this.kind === "steps") {
            return ys.map((y, i) => `${i ? "V" : `M${xs[0]} `}${y}H${xs[i + 1]}`).join("");
        }
        if (this.kind === "cdf") {
            return `M${xs[0]} ${place(this.nines ? 1 : 0, up)}` +
                xs.map((x, i) => this.nines ? `V${ys[i]}H${x}` : `H${x}V${ys[i]}`).join("");
        }
        const shown = (value, on) => value !== null && (on.scale !== "log" || value > 0);
        const is_shown = this.x.map((x, i) => shown(x, across) && shown(this.y[i], up));
        return xs.map((x, i) => is_shown[i] ? `${is_shown[i - 1] ? "L" : "M"}${x} ${ys[i]}` : "").join("");
    }

    /** [x, y] of the curve at an x, or null: of steps the one that holds there, else the nearest point. */
    at_x(x) {
        if (this.kind === "steps") {
            const next = this.x.findIndex((each) => each > x);
            return next > 0 ? [x, this.y[next - 1]] : null;
        }
        const distance = (i) => this.x[i] === null ? Infinity : Math.abs(this.x[i] - x);
        const nearest = this.x.reduce((best, _, i) => distance(i) < distance(best) ? i : best, 0);
        return this.x.length ? [this.x[nearest], this.y[nearest]] : null;
    }

    /** Of a cdf: the first value within which all but the share `left` complete, or null. */
    at_left(left) {
        const i = this.series.y.findIndex((share) => share >= (1 - left) * (1 - 1e-7));
        return i < 0 ? null : [this.x[i], this.y[i]];
    }
}
