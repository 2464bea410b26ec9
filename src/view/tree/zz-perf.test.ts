import { it } from "vitest";
import { Kind, Role } from "../../entry/index.js";
import { branchIndexOf, TreeIndex } from "../../tree/index.js";
import * as v from "../index.js";

const cpu = () => {
  const u = process.cpuUsage();
  return (u.user + u.system) / 1000;
};
const hint = () => "x";
function source(parentOf: (i: number) => number, count: number, leaf = count - 1) {
  const tree = new TreeIndex();
  const role = (i: number) => [Role.user, Role.assistant, Role.toolResult, Role.assistant][i % 4] as Role;
  const add = (i: number) => {
    const p = parentOf(i);
    tree.add(`e${i}`, p < 0 ? null : `e${p}`, { kind: Kind.message, role: role(i), offset: i * 300, length: 300 });
  };
  for (let i = 0; i < count; i++) add(i);
  let reads = 0;
  const s = {
    tree,
    leaf,
    name: "big",
    labelOf: () => undefined,
    get reads() {
      return reads;
    },
    grow() {
      add(tree.count);
      s.leaf = tree.count - 1;
    },
    entryAt(n: number) {
      reads++;
      const id = `e${n}`;
      const base = { type: "message", id, parentId: null, timestamp: "2026-01-15T12:00:00.000Z" };
      const r = n % 4;
      const message =
        r === 0
          ? { role: "user", content: `prompt number ${n} about something` }
          : r === 1
            ? {
                role: "assistant",
                content: [{ type: "toolCall", id: `c${n}`, name: "bash", arguments: { command: `cmd ${n}` } }],
                stopReason: "toolUse",
              }
            : r === 2
              ? {
                  role: "toolResult",
                  toolCallId: `c${n - 1}`,
                  toolName: "bash",
                  content: [{ type: "text", text: "out" }],
                  isError: false,
                }
              : { role: "assistant", content: [{ type: "text", text: `answer ${n}` }], stopReason: "stop" };
      return JSON.parse(JSON.stringify({ ...base, message }));
    },
  };
  return s;
}
const layout = (m: any, s: any, top?: string) =>
  v.layoutTree(m, s, {
    width: 120,
    height: 40,
    glyphs: v.UNICODE_GLYPHS,
    now: Date.UTC(2026, 0, 16),
    hint,
    ...(top ? { top } : {}),
  });
function run(name: string, src: any) {
  const out: string[] = [];
  const t = (what: string, f: () => any) => {
    const a = cpu();
    const r0 = src.reads;
    const r = f();
    out.push(`${what} ${(cpu() - a).toFixed(1)}ms/${src.reads - r0}r`);
    return r;
  };
  t("index", () => branchIndexOf(src.tree));
  for (const filter of v.TREE_FILTERS) {
    const m = new v.TreeModel(src);
    let s = v.initialTree(filter);
    t(`${filter} open`, () => layout(m, s));
    s = t("up", () => {
      const n = v.previousRow(m, s);
      layout(m, n);
      return n;
    });
    s = t("home", () => {
      const n = v.firstRow(m, s);
      layout(m, n);
      return n;
    });
    s = t("open", () => {
      const n = v.openOrStepIn(m, v.nextBranch(m, s));
      layout(m, n);
      return n;
    });
    s = t("end", () => {
      const n = v.lastRow(m, s);
      layout(m, n);
      return n;
    });
    t("append", () => {
      src.grow();
      layout(m, s);
    });
    s = t("narrow", () => {
      const n = v.nextNarrowing(s);
      layout(m, n);
      return n;
    });
  }
  const m = new v.TreeModel(src);
  let s = v.initialTree();
  const search = new v.TreeSearch(m, "number 4");
  s = v.withSearch(s, search);
  t("search slice", () => {
    const end = performance.now() + 8;
    search.advance(() => performance.now() >= end);
  });
  t("search all", () => search.advance(() => false));
  t("drawn", () => layout(m, s));
  s = t("match", () => {
    const n = v.nextMatch(m, s);
    layout(m, n);
    return n;
  });
  s = t("far match", () => {
    const n = v.selectEntry(m, s, search.matches.at(-1)!);
    layout(m, n);
    return n;
  });
  out.push(`${search.matches.length} matches`);
  console.log(name + "\n  " + out.join("\n  "));
}
it(
  "chain",
  () =>
    run(
      "chain 200k",
      source((i) => i - 1, 200_000),
    ),
  60000,
);
it(
  "children",
  () =>
    run(
      "100k children",
      source((i) => (i === 0 ? -1 : 0), 100_000),
    ),
  60000,
);
it(
  "bushy",
  () =>
    run(
      "bushy 100k",
      source((i) => (i % 8 === 0 && i > 50 ? (i * 7919) % (i - 40) : i - 1), 100_000),
    ),
  60000,
);
it(
  "nested",
  () =>
    run(
      "nested 100k",
      source((i) => (i < 2 ? i - 1 : i % 2 === 0 ? i - 2 : i - 1), 100_000),
    ),
  60000,
);
