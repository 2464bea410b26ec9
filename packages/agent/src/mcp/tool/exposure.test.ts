import { expect, test } from "vitest";
import { exposureOf, planOffer, type ToolExposure } from "./exposure.js";
import type { ServerTool } from "./listed-tools.js";

const tools = (server: string, count: number): ServerTool[] =>
  Array.from({ length: count }, (_none, at) => {
    const tool = `t${String(at).padStart(3, "0")}`;
    return { name: `${server}__${tool}`, server, tool, description: "", parameters: {} };
  });

const facts = (list: readonly ServerTool[], exposure?: ToolExposure) => ({
  tools: list,
  exposure: () => exposure,
  sent: new Set<string>(),
  isSearched: false,
  budget: { maxTools: 40, maxTokens: Number.POSITIVE_INFINITY },
});

test("an exact name wins over a pattern, and a longer pattern over a shorter one", () => {
  const setting = { "*": "search", "get_*": "all", "get_secret*": "none", get_secret_santa: "all" } as const;
  const found = ["list", "get_it", "get_secrets", "get_secret_santa"].map((tool) => exposureOf(setting, tool));
  expect(found).toEqual(["search", "all", "none", "all"]);
  expect([exposureOf("none", "x"), exposureOf({ a: "all" }, "x"), exposureOf({}, "toString")]).toEqual([
    "none",
    undefined,
    undefined,
  ]);
});

test("at most 200 tools of one server are sent directly", () => {
  const plan = planOffer(facts([...tools("a", 250), ...tools("b", 10)], "all"));
  expect([plan.direct.length, plan.isSearched]).toEqual([210, true]);
});

test("tools that are always sent take nothing from the budget of the others", () => {
  const list = [...tools("a", 100), ...tools("b", 40)];
  const exposure = ({ server }: ServerTool) => (server === "a" ? "all" : undefined);
  expect(planOffer({ ...facts(list), exposure })).toEqual({ direct: list, isSearched: false });
});

test("what a path sends stays, and what does not fit beside it is searched for", () => {
  const [old, more] = [tools("a", 30), tools("b", 30)];
  const sent = new Set(old.map(({ name }) => name));
  expect(planOffer({ ...facts([...old, ...more]), sent })).toEqual({ direct: old, isSearched: true });
  expect(planOffer({ ...facts([...old, ...more.slice(0, 1)]), sent, isSearched: true })).toEqual({
    direct: old,
    isSearched: true,
  });
});
