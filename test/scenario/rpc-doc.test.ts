/** Every code block of docs/rpc.md, run in the order of the page. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, inject, test } from "vitest";
import { RpcClient } from "./cli-rpc-client.js";
import { bough, makePlace, type Place } from "./cli-support.js";

const page = readFileSync(fileURLToPath(new URL("../../docs/rpc.md", import.meta.url)), "utf8");
const blocks = [...page.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language, text]) => ({
  language: language as string,
  text: text as string,
}));
const of = (wanted: string) => blocks.filter(({ language }) => language === wanted).map(({ text }) => text);

/** A project in which the packed package is installed, and its command is on the path. */
function placeWithPackage(): Place {
  const place = makePlace();
  const program = inject("packedProgram");
  mkdirSync(join(place.cwd, "node_modules"));
  symlinkSync(join(program, "../../.."), join(place.cwd, "node_modules", "bough"), "dir");
  const bin = join(place.cwd, "bin");
  mkdirSync(bin);
  const script = `#!/bin/sh\nexec ${JSON.stringify(process.execPath)} ${JSON.stringify(program)} "$@"\n`;
  writeFileSync(join(bin, "bough"), script, { mode: 0o755 });
  return { ...place, env: { ...place.env, PATH: `${bin}${delimiter}${place.env.PATH}` } };
}

/** `…` matches anything, and fields and items may be left out. */
function fits(pattern: unknown, value: unknown): boolean {
  if (typeof pattern === "string" && pattern.includes("…")) {
    const parts = pattern.split("…").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    return typeof value === "string" && new RegExp(`^${parts.join("[\\s\\S]*")}$`).test(value);
  }
  if (typeof pattern !== "object" || pattern === null) return pattern === value;
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(pattern).every(([key, field]) => fits(field, (value as Record<string, unknown>)[key]));
}

describe("docs/rpc.md", () => {
  test("has only blocks of the kinds that are run here", () => {
    expect([...new Set(blocks.map(({ language }) => language))]).toEqual(["js", "sh", ""]);
    expect(blocks.length).toBeGreaterThan(10);
  });

  test("shows a client of bough/rpc, and one of one's own, that run from the packed package", () => {
    const place = placeWithPackage();
    const printed = of("js").map((code, index) => {
      const file = join(place.cwd, `sample-${index}.mjs`);
      writeFileSync(file, code);
      return execFileSync(process.execPath, [file], { cwd: place.cwd, env: place.env, encoding: "utf8" });
    });
    expect(printed).toEqual(["running bash\ndone\ntrue\n", "1\ndone\n"]);
  });

  test("shows a command line that works", async () => {
    for (const line of of("sh")) {
      const args = line.trim().split(" ");
      expect(args.shift()).toBe("bough");
      expect(await bough(makePlace(), args)).toMatchObject({ code: 0, stderr: "" });
    }
  });

  test("shows conversations that happen like this", async () => {
    const place = makePlace();
    const client = new RpcClient(place, [], { isHere: true });
    const asked: string[] = [];
    client.onQuestion = (method, params) => {
      if (method !== "ui.permission") return null;
      if (String(params.target).startsWith("echo started")) return "once";
      // Answered by the page.
      return undefined;
    };
    let seen = 0;
    const heard = async (pattern: object) => {
      const found = await client.line((line) => client.lines.indexOf(line) >= seen && fits(pattern, line));
      seen = client.lines.indexOf(found) + 1;
      if (typeof found.id === "string") asked.push(found.id);
    };
    const known = new Map<number, string>();
    for (const text of of("")) {
      for (const row of text.trim().split("\n")) {
        const line = JSON.parse(row.slice(2)) as { id?: unknown; method?: string; params?: object };
        if (row.startsWith("← ")) await heard(line);
        else if (line.method === undefined) client.write(JSON.stringify({ ...line, id: asked.pop() }));
        else {
          expect(row.startsWith("→ ")).toBe(true);
          if (row.includes("…")) known.set(line.id as number, line.method);
          const { entries } = await client.request<{ entries: { id: string }[] }>("tree.path");
          const params = JSON.parse(
            JSON.stringify(line.params ?? {}).replaceAll('"…"', JSON.stringify(entries[1]?.id ?? "")),
          );
          void client.send(line.method, params, line.id as number);
        }
      }
    }
    expect(known.size).toBeLessThan(2);
    expect(await client.close()).toMatchObject({ code: 0, stderr: "" });
  });
});
