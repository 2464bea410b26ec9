import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as agentDoor from "../src/agent/index.js";
import { unexportedTypes } from "./support/unexported-types.js";

const manifest = new URL("../package.json", import.meta.url);
const { exports: published } = JSON.parse(readFileSync(manifest, "utf8")) as {
  readonly exports: Readonly<Record<string, unknown>>;
};
const doors = Object.keys(published)
  .filter((name) => name !== "./package.json")
  .map((name) => name.slice(2));

describe("C5: types of the doors", () => {
  it("C5: every type that a door's signatures name can be imported from that door or the one above", {
    timeout: 300_000,
  }, () => {
    const missing = [...unexportedTypes(doors)].flatMap(([door, types]) =>
      types.map(({ type, namedBy }) => `bough/${door}: ${type}, named by ${namedBy}`),
    );
    expect(missing).toEqual([]);
  });

  it.each(["defineTool", "textResult", "costOf", "toModelInput"])(
    "C5: %s is exported by bough/agent, and the page about the library says what it is for",
    (name) => {
      expect(agentDoor).toHaveProperty(name, expect.any(Function));
      expect(readFileSync(new URL("../docs/sdk.md", import.meta.url), "utf8")).toContain(`\`${name}`);
    },
  );
});
