import { describe, expect, test } from "vitest";
import { AgentSession } from "../../agent/index.js";
import { RPC_METHODS } from "./rpc-methods.js";

/** What clients do in another way, or what is the server's own business. */
const OTHERWISE: Readonly<Record<string, string>> = {
  constructor: "the program makes the agent",
  start: "the program does it",
  dispose: "closing the input does it",
  subscribe: "events are sent to every client",
  operate: "for the operations themselves",
  getSessionTree: "tree.children, a page at a time",
  exportHtml: "exportSession with format html",
  run: "prompt, with its events sent to every client",
  spawnBranch: "a second program on the same file",
  branch: "fork, by the name of the seeds",
  saveEntry: "appendEntry, by the name of the seeds",
  reopenForWriting: "a client opens the session again",
};

function methodsOf(start: object): string[] {
  const names = new Set<string>();
  for (let at = start; at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(at))) {
      if (typeof value === "function") names.add(name);
    }
  }
  return [...names].sort();
}

describe("the methods of RPC", () => {
  test("cover every operation of an agent", () => {
    const missing = methodsOf(AgentSession.prototype).filter((name) => !RPC_METHODS.has(name) && !(name in OTHERWISE));
    expect(missing).toEqual([]);
  });

  test("check their parameters strictly: a misspelt one is not ignored", () => {
    const lenient = [...RPC_METHODS].filter(([, { params }]) => params.safeParse({ neverHeardOf: 1 }).success);
    expect(lenient.map(([name]) => name)).toEqual([]);
  });
});
