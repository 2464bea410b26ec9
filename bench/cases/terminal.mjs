const CHAT = "linear-real-10k";
/** Milliseconds between two letters. */
const FAST_TYPIST_MS = 100;

/** The terminal: from keys to frames, with the real screens. @type {import("./case.mjs").Case} */
export const terminal = {
  name: "terminal",
  says: "typing in the chat, opening the tree, keys and a search in it, drawn by the real screens into memory (100 x 40)",
  data: [CHAT, "bushy-real-100k", "deep-small-200k", "siblings-small-100k"],
  run: (bench) => {
    const worst = { open: 0, key: 0 };
    const pause = bench.options.once ? 1 : FAST_TYPIST_MS;
    const wanted = bench.options.once ? [CHAT, "bushy-real-100k"] : terminal.data;
    for (const { name, path, bytes } of bench.data(wanted)) {
      const jobs = [
        { who: "bough", what: "tree: key to first rows", task: "terminal", input: { path, pause }, expect: "tree" },
      ];
      const [outcome] = bench.measure({ case: "terminal", data: name, jobs, bytes });
      if (outcome === undefined) continue;
      const row = (what, extra) =>
        bench.rows.push({ case: "terminal", data: name, who: "bough", what, time: outcome.extra(extra) });
      row("tree: key to frame, median", "key");
      row("tree: key to frame, 95 of 100", "key95");
      row("tree: key to frame, the slowest", "keyWorst");
      row("tree: key to frame while it searches, the slowest", "searchingWorst");
      row("chat: typed character to frame, median", "typing");
      row("chat: typed character to frame, the slowest", "typingWorst");
      if (name === CHAT) bench.judge("terminal-typing", outcome.extra("typingWorst").median);
      else {
        worst.open = Math.max(worst.open, outcome.time.median);
        for (const extra of ["keyWorst", "searchingWorst"])
          worst.key = Math.max(worst.key, outcome.extra(extra).median);
      }
    }
    if (worst.open > 0) bench.judge("terminal-open", worst.open);
    if (worst.key > 0) bench.judge("terminal-key", worst.key);
  },
};
