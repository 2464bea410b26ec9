// Loaded with `node --import`: the clock of the process is off by as many milliseconds as the file CLOCK_FILE says now.
import { readFileSync } from "node:fs";

const Real = Date;
const file = process.env.CLOCK_FILE;

function now() {
  return Real.now() + Number(readFileSync(file, "utf8"));
}

globalThis.Date = class ShiftedDate extends Real {
  constructor(...parts) {
    if (parts.length === 0) super(now());
    else super(...parts);
  }

  static now() {
    return now();
  }

  /** Dates of files are made by the runtime. */
  static [Symbol.hasInstance](value) {
    return Real[Symbol.hasInstance].call(Real, value);
  }
};
