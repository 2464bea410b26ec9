/** What the declarations of the doors say, and what the docs say about them. */
import { readdirSync, readFileSync } from "node:fs";
import * as agentDoor from "@bough/agent/agent/index.js";
import { describe, expect, it } from "vitest";
import { apiPages, doorProgram, MOST_USED } from "../scripts/generate-api.mjs";
import { bentTypes } from "./support/bent-types.js";
import { declarationsOf, unexportedTypes, unreachableTypes } from "./support/unexported-types.js";

const manifest = new URL("../package.json", import.meta.url);
const { exports: published } = JSON.parse(readFileSync(manifest, "utf8")) as {
  readonly exports: Readonly<Record<string, unknown>>;
};
const doors = Object.keys(published)
  .filter((name) => name !== "./package.json")
  .map((name) => name.slice(2));

const program = doorProgram();

describe("types of the doors", () => {
  it("every type that a door's signatures name can be imported from that door or the one above", {
    timeout: 300_000,
  }, () => {
    const missing = [...unexportedTypes(doors, program)].flatMap(([door, types]) =>
      types.map(({ type, namedBy }) => `bough/${door}: ${type}, named by ${namedBy}`),
    );
    expect(missing).toEqual([]);
  });

  it("every type that signatures lead to can be imported from some door", () => {
    const missing = unreachableTypes(doors, program);
    expect(missing.map(({ type, namedBy }) => `${type}, named by ${namedBy}`)).toEqual([]);
  });

  it("no signature has a type that cannot be named", () => {
    const named = doors.map((door) => ({ door, file: declarationsOf(door) }));
    expect(bentTypes(named, program)).toEqual([]);
  });

  it.each(["defineTool", "textResult", "costOf", "toModelInput"])(
    "%s is exported by bough/agent, and the page about the library says what it is for",
    (name) => {
      expect(agentDoor).toHaveProperty(name, expect.any(Function));
      expect(readFileSync(new URL("../docs/sdk.md", import.meta.url), "utf8")).toContain(`\`${name}`);
    },
  );
});

describe("docs/api", () => {
  const folder = new URL("../docs/api/", import.meta.url);
  const { pages, silent } = apiPages(program);

  it("is what the declarations give today: a change of the library is seen in review", () => {
    expect(readdirSync(folder).sort()).toEqual([...pages.keys()].sort());
    const differing = [...pages].filter(([name, text]) => readFileSync(new URL(name, folder), "utf8") !== text);
    expect(
      differing.map(([name]) => name),
      "run: npm run build && node scripts/generate-api.mjs",
    ).toEqual([]);
  });

  it("leads from its first page to what is used most", () => {
    const links = MOST_USED.map(([door, name]) => [`${door.replace("/", "-")}.md`, name] as const);
    expect(links.filter(([page, name]) => !pages.get(page)?.includes(`\n### \`${name}\`\n`))).toEqual([]);
    expect(
      links.filter(([page, name]) => !pages.get("README.md")?.includes(`(${page}#${name.toLowerCase()})`)),
    ).toEqual([]);
  });

  it("says of every exported value what it is for", () => {
    expect(silent).toEqual([]);
  });
});
