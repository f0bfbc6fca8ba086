// Quantities as text, and the scales and tics of axes.

const units = {
    time: [["ns", 1], ["µs", 1e3], ["ms", 1e6], ["s", 1e9]],
    bytes: [["B", 1], ["KiB", 2 ** 10], ["MiB", 2 ** 20], ["GiB", 2 ** 30]],
    decimal_bytes: [["B", 1], ["KB", 1e3], ["MB", 1e6], ["GB", 1e9]],
    rate: [["b/s", 1], ["kb/s", 1e3], ["Mb/s", 1e6], ["Gb/s", 1e9], ["Tb/s", 1e12]],
    percent: [["%", 1]],
    share: [["", 1]],
    count: [["", 1]],
};

/** The largest in which the value is at least 1. */
function unit_of(quantity, value) {
    const fitting = units[quantity].filter(([, size]) => Math.abs(value) >= size);
    return fitting.length ? fitting[fitting.length - 1] : units[quantity][0];
}

/** Without zeros at the end, and without the noise of sums of tenths. */
function number_text(value, digits = 6) {
    return String(Number(value.toPrecision(digits)));
}

/** `12.3 ms`, in its own unit. */
function quantity_text(quantity, value, digits = 4) {
    if (quantity === "share") {
        return number_text(100 * value, digits) + " %";
    }
    const [name, size] = unit_of(quantity, value);
    return (number_text(value / size, digits) + " " + name).trim();
}

/** `99.93 %` of what is left to 100 %: as many digits as it takes. */
function percentile_text(left) {
    const digits = left >= 0.1 || left <= 0 ? 1 : Math.ceil(-Math.log10(left)) + 0;
    return String(Number((100 * (1 - left)).toFixed(digits))) + " %";
}

// From a value to where it lies, and back. `nines`: of the share that is left to 100 %.
const scales = {
    linear: {forward: (v) => v, back: (v) => v},
    log: {forward: Math.log10, back: (v) => 10 ** v},
    nines: {forward: (v) => -Math.log10(v), back: (v) => 10 ** -v},
};

/** 1, 2 or 5 times a power of ten; of bytes a power of two. */
function round_step(step, is_binary) {
    if (is_binary && step >= 1) {
        return 2 ** Math.ceil(Math.log2(step));
    }
    const power = 10 ** Math.floor(Math.log10(step));
    return power * [1, 2, 5, 10].find((m) => m * power >= step * 0.999);
}

class axis {
    /** `low` and `high` are values, `from` and `to` the pixels where they lie. */
    constructor(scale, quantity, low, high, from, to, names = null) {
        Object.assign(this, {scale, quantity, low, high, from, to, names});
        this.first = scales[scale].forward(low);
        this.last = scales[scale].forward(high);
    }

    at(value) {
        const place = (scales[this.scale].forward(value) - this.first) / (this.last - this.first || 1);
        return this.from + place * (this.to - this.from);
    }

    value(pixel) {
        const place = (pixel - this.from) / (this.to - this.from);
        return scales[this.scale].back(this.first + place * (this.last - this.first));
    }

    /** [[value, text]], `most` of them or few more. */
    tics(most) {
        if (this.names) {
            return this.names.map((name, i) => [i, name]).filter(([i]) => i >= this.low && i <= this.high);
        }
        const made = this.scale === "log" ? this.log_tics(most)
            : this.scale === "nines" ? this.nines_tics() : [];
        return made.length > 1 ? made : this.linear_tics(most);
    }

    linear_tics(most) {
        const [low, high] = [Math.min(this.low, this.high), Math.max(this.low, this.high)];
        const size = this.unit()[1];
        const step = round_step((high - low) / size / most, this.quantity === "bytes") * size;
        const tics = [];
        for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9 && tics.length < 50; ++i) {
            const value = i * step;
            tics.push([value, this.scale === "nines" ? percentile_text(value)
                : this.scale === "log" ? quantity_text(this.quantity, value) : number_text(value / size)]);
        }
        return tics;
    }

    log_tics(most) {
        const is_binary = this.quantity === "bytes";
        const base = is_binary ? 2 : 10;
        const span = Math.log(this.high / this.low) / Math.log(base);
        const every = Math.max(1, Math.ceil(span / most));
        const parts = !is_binary && span < most / 3 ? [1, 2, 5] : [1];
        const tics = [];
        for (let power = Math.floor(Math.log(this.low) / Math.log(base)); base ** power <= this.high; ++power) {
            for (const part of power % every === 0 ? parts : []) {
                const value = part * base ** power;
                if (value >= this.low * 0.999 && value <= this.high * 1.001) {
                    tics.push([value, quantity_text(this.quantity, value)]);
                }
            }
        }
        return tics;
    }

    nines_tics() {
        const left = [1, 0.5, 0.1, 0.01, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8];
        return left.filter((v) => v <= this.low * 1.001 && v >= this.high * 0.999)
            .map((v) => [v, percentile_text(v)]);
    }

    unit() {
        return unit_of(this.quantity, Math.max(Math.abs(this.low), Math.abs(this.high)));
    }

    /** A value of the axis as text: of names the nearest one. */
    text(value, digits) {
        const last = this.names ? this.names.length - 1 : 0;
        return this.names ? this.names[Math.min(Math.max(Math.round(value), 0), last)] : quantity_text(this.quantity, value, digits);
    }

    label(what) {
        if (this.scale === "nines") {
            return "Percentile";
        }
        if (this.scale === "log") {
            return what + ", log scale";
        }
        const unit = this.unit()[0];
        return what + (unit ? ` [${unit}]` : "");
    }
}
