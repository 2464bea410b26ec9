/** Searching for tools in one's own words, and calling each of them. */
import { expect, test } from "vitest";
import { call, manyTools, manyToolsOverHttp, openServers, ready, runOwn, said } from "../mcp-servers.test-support.js";
import { serversNote } from "../servers-note.js";
import { NEEDS } from "./needs.test-support.js";
import { searchTools } from "./search-tools.js";

test("most needs that are put into other words than a tool's own are among the first matches", async () => {
  const { servers } = openServers({ office: manyTools(336), workspace: manyTools("workspace") });
  await ready(servers);
  const tools = servers.tools();
  const ranks = NEEDS.map(([need, tool]) => searchTools(tools, need).tools.findIndex((one) => one.tool === tool));
  const within = (most: number) => ranks.filter((rank) => rank >= 0 && rank < most).length / NEEDS.length;
  expect(within(8), "in the answer with its schema").toBeGreaterThan(0.85);
  expect(within(20), "named in the answer").toBeGreaterThan(0.93);
  for (const [need, tool] of [
    ["the bill of a client", "get_invoice"],
    ["stopped pipelines", "cancel_workflow_run"],
    ["merging duplicated vehicles", "merge_vehicle"],
  ] as const)
    expect(
      searchTools(tools, need)
        .tools.slice(0, 20)
        .map((one) => one.tool),
    ).toContain(tool);
});

test("each of 350 tools, of one server over stdio and one over HTTP, is found by its description and called", {
  timeout: 120_000,
}, async () => {
  const { servers } = openServers({ office: await manyToolsOverHttp(230), workspace: manyTools("workspace") });
  await ready(servers);
  const tools = servers.tools();
  expect(tools).toHaveLength(350);
  const missed: string[] = [];
  for (const { tool, name, description } of tools) {
    const about = description.split(" of the company")[0] as string;
    const answer = said(await runOwn(servers, "tool_search", { query: about }));
    if (!answer.includes(`"tool":${JSON.stringify(tool)}`)) missed.push(`${tool}: not found`);
    const done = said(await call(servers, name, { ...(name.startsWith("office") ? { id: "x-1" } : { input: "x" }) }));
    if (!done.includes(`${tool} did its work`)) missed.push(`${tool}: ${done.slice(0, 80)}`);
  }
  expect(missed).toEqual([]);
});

test("a server is announced with its description, and its tools are found by it", async () => {
  const { servers } = openServers({
    office: manyTools(12),
    vault: { ...manyTools(12), description: "Documents of <notaries>" },
  });
  await ready(servers);
  const answer = said(await runOwn(servers, "tool_search", { query: "notary invoice", limit: 1 }));
  expect(answer).toContain('{"server":"vault"');
  const announced = servers.announced({ tools: [], search: true, resources: false });
  const note = serversNote(announced, { told: {}, gone: [] })?.text;
  expect(note).toContain('<server name="vault" about="Documents of &lt;notaries&gt;" tools="12 tools, search">');
});
