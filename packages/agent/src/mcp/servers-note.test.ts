import { expect, test } from "vitest";
import { type AnnouncedServer, serversNote, toldServers } from "./servers-note.js";

const server = (name: string, tools: readonly string[], instructions = ""): AnnouncedServer => ({
  name,
  instructions,
  searched: tools.map((tool) => ({ name: `${name}__${tool}`, server: name, tool, description: "", parameters: {} })),
});
const nothing = { told: {}, gone: [] };

test("a note names servers, their tools to search for and what they say", () => {
  const note = serversNote([server("files", ["read", "write"]), server("docs", [], "Be <brief> & exact.")], nothing);
  expect(note?.text.split("\n").slice(2)).toEqual([
    '<server name="files" tools="2 tools, search">',
    "read, write",
    "</server>",
    '<server name="docs">',
    "<instructions>Be &lt;brief&gt; &amp; exact.</instructions>",
    "</server>",
  ]);
});

test("servers whose tools are all sent, and that say nothing, are not worth a note", () => {
  expect(serversNote([server("files", [])], nothing)).toBeUndefined();
});

test("only what is new is said, whatever the number of tools", () => {
  const first = serversNote([server("files", ["read"])], nothing);
  const told = toldServers(JSON.parse(JSON.stringify(first?.told)));
  expect(serversNote([server("files", ["read", "write"])], { told, gone: [] })).toBeUndefined();
  const second = serversNote([server("docs", [], "New."), server("files", ["read"])], { told, gone: [] });
  expect([second?.text.includes("files"), Object.keys(second?.told ?? {})]).toEqual([false, ["files", "docs"]]);
  const third = serversNote([], { told: second?.told ?? {}, gone: ["files"] });
  expect([third?.text, Object.keys(third?.told ?? {})]).toEqual(["No longer available: files.", ["docs"]]);
});

test("many servers with many tools and long instructions stay within a limit, with names from all of the list", () => {
  const tools = Array.from({ length: 2_000 }, (_none, at) => `tool_${at}_${"x".repeat(100)}`);
  const servers = Array.from({ length: 20 }, (_none, at) => server(`s${at}`, tools, "more ".repeat(400)));
  expect(serversNote(servers, nothing)?.text.length).toBeLessThan(16_000);
  const [one] = serversNote([server("s", tools)], nothing)?.text.match(/tool_0_.*/) ?? [];
  expect([one?.includes("tool_19"), one?.endsWith(" more")]).toEqual([true, true]);
});

test.each([[null], ["x"], [[1]], [{ files: 5 }]])("a stored note with %j says nothing", (stored) => {
  expect(toldServers(stored)).toEqual({});
});
