import { join } from "node:path";

/** The HTML export in a real browser. @type {import("./case.mjs").Case} */
export const page = {
  name: "page",
  says: "writing a session as an HTML page, and opening it from disk in Chromium: first screen, whole file, scrolling",
  data: ["linear-real-10k", "linear-small-100k", "bushy-real-100k"],
  run: (bench) => {
    // Starting a browser takes seconds.
    const wanted = bench.options.once ? ["linear-small-100k"] : page.data;
    const frames = bench.options.once ? 5 : 120;
    for (const { name, path, bytes, entries } of bench.data(wanted)) {
      const file = join(bench.scratch(), "page.html");
      const [written] = bench.measure({
        case: "page",
        data: name,
        bytes,
        jobs: [
          {
            who: "bough",
            what: "write the page",
            task: "page-export",
            input: { path, file },
            expect: entries,
            once: true,
          },
        ],
      });
      if (written === undefined) continue;
      const jobs = [
        { who: "bough", what: "open it: first screen", task: "page", input: { file, frames }, expect: "drawn" },
      ];
      const [opened] = bench.measure({ case: "page", data: name, jobs, bytes });
      if (opened === undefined) continue;
      const row = (/** @type {string} */ what, /** @type {string} */ extra) =>
        bench.rows.push({ case: "page", data: name, who: "bough", what, time: opened.extra(extra) });
      row("open it: the whole file", "whole");
      row("scroll: frame, median", "frame");
      row("scroll: frame, 95 of 100", "frame95");
      const rows = Math.round(opened.extra("rows").median);
      bench.progress(`page: ${name}: at most ${rows} rows and entries in the page`);
      // The budget is for an export of 30 MB; the one ten times larger is for comparison.
      if (name === "linear-small-100k") {
        bench.judge("page-first", opened.time.median);
        bench.judge("page-rows", rows);
      }
    }
  },
};
