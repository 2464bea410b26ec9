import { AgentSession } from "@bough/agent/agent/index.js";
import * as plan from "@bough/agent/agent/plan.js";
import * as project from "@bough/agent/project/index.js";
import * as session from "@bough/session/session/index.js";
import * as exporting from "@bough/workbench/export/index.js";
import * as interop from "@bough/workbench/interop/index.js";
import * as store from "@bough/workbench/store/index.js";
import { describe, expect, test } from "vitest";
import { SUBCOMMANDS } from "../../subcommand/subcommands.js";
import { COVERAGE } from "./rpc-coverage.test-support.js";
import { RPC_METHODS } from "./rpc-methods.js";

function methodsOf(start: object): string[] {
  const names = new Set<string>();
  for (let at = start; at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(at))) {
      if (typeof value === "function") names.add(name);
    }
  }
  return [...names].sort();
}

/** Functions of a door that do something; classes and constants are for those who make things themselves. */
function functionsOf(door: object): string[] {
  return Object.entries(door).flatMap(([name, value]) =>
    typeof value === "function" && !/^class\b/.test(Function.prototype.toString.call(value)) ? [name] : [],
  );
}

const OPERATIONS: Readonly<Record<string, readonly string[]>> = {
  AgentSession: methodsOf(AgentSession.prototype),
  SessionManager: methodsOf(session.SessionManager.prototype),
  "bough/session": functionsOf(session),
  "bough/agent/plan": functionsOf(plan),
  "bough/export": functionsOf(exporting),
  "bough/interop": functionsOf(interop),
  "bough/project": functionsOf(project),
  "bough/store": functionsOf(store),
  subcommands: SUBCOMMANDS.map(({ name }) => name),
};

describe("the methods of RPC", () => {
  test.each(Object.entries(OPERATIONS))("cover every operation of %s, or say why not", (place, names) => {
    expect(names.length).toBeGreaterThan(9);
    const said = COVERAGE[place] ?? {};
    const missing = names.filter((name) => !RPC_METHODS.has(name) && !(name in said));
    expect(missing).toEqual([]);
  });

  test("are named rightly where something else has another name, and nothing is listed that does not exist", () => {
    for (const [place, said] of Object.entries(COVERAGE)) {
      const wrong = Object.entries(said).filter(
        ([name, how]) =>
          !OPERATIONS[place]?.includes(name) ||
          (how.startsWith("=") ? !RPC_METHODS.has(how.slice(1)) : RPC_METHODS.has(name)),
      );
      expect({ place, wrong }).toEqual({ place, wrong: [] });
    }
  });

  test("check their parameters strictly: a misspelt one is not ignored", () => {
    const lenient = [...RPC_METHODS].filter(([, { params }]) => params.safeParse({ neverHeardOf: 1 }).success);
    expect(lenient.map(([name]) => name)).toEqual([]);
  });
});
