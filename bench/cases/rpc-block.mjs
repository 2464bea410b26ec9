/** In the order of the requests. */
const METHODS = /** @type {const} */ ([
  "openSession",
  "getState",
  "tree.children",
  "tree.tips",
  "tree.path",
  "tree.path, from the middle",
  "tree.entries",
  "getContext",
  "getStats",
  "getPins",
  "compare",
  "search",
  "verify",
  "label",
  "plan.compact",
  "prompt",
  "switchTo",
  "prompt, after the switch",
  "clone",
]);

/** Exports read every entry several times, so they only run on sessions that are not too large. */
const EXPORTS = /** @type {const} */ ([
  "exportSession, JSONL",
  "exportSession, Markdown of all",
  "exportSession, Markdown of the path",
  "exportSession, HTML",
]);
const MOST_EXPORTED = 100 * 2 ** 20;

/** How long large requests of a client block everything else. @type {import("./case.mjs").Case} */
export const rpcBlock = {
  name: "rpc-block",
  says: "the longest time that each RPC method holds up the event loop at 100,000 entries",
  data: ["bushy-real-100k", "linear-small-100k"],
  run: (bench) => {
    for (const { name: data, path, bytes, entries } of bench.data(
      bench.options.once ? ["linear-small-100k"] : rpcBlock.data,
    )) {
      const exports = bytes <= MOST_EXPORTED;
      const input = { path, exports, entries };
      const job = { who: "bough", what: "a client", task: "rpc-block", input, expect: "answered" };
      const [outcome] = bench.measure({ case: "rpc-block", data, jobs: [job], bytes, repeats: 3 });
      if (outcome === undefined) continue;
      outcome.row.note = "all requests";
      for (const method of [...METHODS, ...(exports ? EXPORTS : [])]) {
        const time = outcome.extra(method);
        bench.rows.push({ case: "rpc-block", data, who: "bough", what: `longest block of ${method}`, time });
        const processor = outcome.extra(`${method}: processor`);
        bench.rows.push({
          case: "rpc-block",
          data,
          who: "bough",
          what: "  of it the processor's time",
          time: processor,
        });
      }
    }
  },
};
