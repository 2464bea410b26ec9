/** A client made from docs/rpc.md and docs/reference/rpc-schema.json alone drives a whole session. Imports nothing of Bough. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, inject, test } from "vitest";
import { makePlace, type Place } from "./cli-support.js";

type Json = Readonly<Record<string, unknown>>;

const schema = JSON.parse(readFileSync(new URL("../../docs/reference/rpc-schema.json", import.meta.url), "utf8"));
const ajv = new Ajv2020({ strict: true });
ajv.addSchema({ ...schema, $id: "bough" });

function check(pointer: string, value: unknown): void {
  const validate = ajv.getSchema(`bough#/$defs/${pointer}`);
  if (validate === undefined) throw new Error(`${pointer} is not in the schema`);
  if (validate(value) !== true) throw new Error(`${pointer}: ${ajv.errorsText(validate.errors)}`);
}

class OwnClient {
  readonly #program: ChildProcessWithoutNullStreams;
  readonly #waiting = new Map<
    number,
    { method: string; resolve: (line: Json) => void; reject: (error: Error) => void }
  >();
  readonly #ended;
  readonly events: (Json & { readonly type: string })[] = [];
  readonly questions: string[] = [];
  answer: (method: string, params: Json) => unknown = () => null;
  longest = 0;

  constructor({ cwd, env }: Place) {
    const args = [inject("packedProgram"), "--mode", "rpc", "--model", "offline/rules"];
    this.#program = spawn(process.execPath, args, { cwd, env });
    this.#ended = once(this.#program, "close");
    createInterface({ input: this.#program.stdout }).on("line", (text) => this.#take(text));
  }

  request<Result = Json>(method: string, params?: object): Promise<Result> {
    const id = this.#waiting.size + this.events.length * 1000 + 1;
    const line = { id, method, ...(params === undefined ? {} : { params }) };
    check("ClientLine", line);
    this.#program.stdin.write(`${JSON.stringify(line)}\n`);
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { method, resolve: (answer) => resolve(answer as Result), reject });
    });
  }

  async close(): Promise<number> {
    this.#program.stdin.end();
    const [code] = await this.#ended;
    return code;
  }

  #take(text: string): void {
    this.longest = Math.max(this.longest, Buffer.byteLength(text));
    const line = JSON.parse(text) as Json;
    const waiting = this.#waiting.get(line.id as number);
    try {
      check("ServerLine", line);
      if (waiting !== undefined && "result" in line)
        check(`Methods/properties/${waiting.method}/properties/result`, line.result);
    } catch (error) {
      for (const { reject } of this.#waiting.values()) reject(error as Error);
      return;
    }
    if (line.event !== undefined) this.events.push(line.event as Json & { type: string });
    else if (typeof line.method === "string") {
      this.questions.push(line.method);
      const result = this.answer(line.method, line.params as Json);
      this.#program.stdin.write(`${JSON.stringify({ id: line.id, result })}\n`);
    } else if (line.error === undefined) waiting?.resolve(line.result as Json);
    else waiting?.reject(Object.assign(new Error(), line.error));
  }
}

test("a client made from the schema and the page alone drives a whole session", async () => {
  const place = makePlace({ settings: { model: "offline/rules", compaction: { keepRecentTokens: 1 } } });
  const client = new OwnClient(place);
  client.answer = (method, { target }) => (method === "ui.permission" && target === "touch done.txt" ? "once" : "no");

  const hello = await client.request<{ capabilities: { methods: string[] } }>("initialize", { protocolVersion: 1 });
  expect(hello.capabilities.methods).toEqual(Object.keys(schema.$defs.Methods.properties));
  await expect(client.request("initialize", { protocolVersion: 99 })).rejects.toMatchObject({
    code: "unsupported-protocol",
  });

  expect(await client.request("prompt", { text: "list files" })).toMatchObject({ kind: "done" });
  expect(await client.request("prompt", { text: "run touch done.txt" })).toMatchObject({ kind: "done" });
  expect([existsSync(join(place.cwd, "done.txt")), client.questions]).toEqual([true, ["ui.permission"]]);
  const types = new Set(client.events.map(({ type }) => type));
  for (const type of ["session", "run_start", "message_update", "tool_start", "tool_end", "run_end"])
    expect(types).toContain(type);

  const { leafId: first } = await client.request<{ leafId: string }>("getState");
  await client.request("label", { targetId: first, label: "one way" });
  const entries: { id: string; type: string; message?: { role: string } }[] = [];
  for (let offset: number | null = 0; offset !== null; ) {
    const page: { entries: typeof entries; next: number | null } = await client.request("tree.path", {
      offset,
      limit: 2,
    });
    entries.push(...page.entries);
    offset = page.next;
  }
  const prompts = entries.filter(({ message }) => message?.role === "user");
  expect([entries.length > 6, prompts.length]).toEqual([true, 2]);

  const target = { targetId: prompts[1]?.id };
  expect(await client.request("plan.navigateTree", target)).toMatchObject({
    kind: "move",
    editorText: "run touch done.txt",
  });
  expect(await client.request("navigateTree", target)).toMatchObject({
    kind: "done",
    editorText: "run touch done.txt",
  });
  await client.request("prompt", { text: "read notes.txt" });
  expect(await client.request("tree.tips")).toMatchObject({ total: 2 });
  expect(
    await client.request("compare", { a: first, b: (await client.request<{ leafId: string }>("getState")).leafId }),
  ).toMatchObject({
    changed: { both: [] },
  });
  expect(await client.request("plan.merge", { tipId: "one way" })).toMatchObject({ kind: "merge" });
  expect(await client.request("merge", { tipId: "one way" })).toMatchObject({ kind: "done" });
  expect(await client.request("compact")).toMatchObject({ kind: "done", entry: { type: "compaction" } });
  expect(await client.request("getContext")).toMatchObject({ messages: expect.arrayContaining([expect.anything()]) });

  const found = await client.request<{ hits: unknown[]; cursor: string | null }>("search", {
    query: "touch",
    limit: 1,
  });
  expect([found.hits.length, typeof found.cursor]).toEqual([1, "string"]);
  expect(await client.request("search", { cursor: found.cursor })).toMatchObject({ cursor: null });
  await expect(client.request("search", { cursor: found.cursor })).rejects.toMatchObject({ code: "bad-params" });
  for (const [format, file] of [
    ["html", "a.html"],
    ["markdown", "a.md"],
    ["jsonl", "a.jsonl"],
  ]) {
    expect(await client.request("exportSession", { format, file })).toMatchObject({
      file: join(place.cwd, file as string),
    });
  }
  expect(await client.request("verify")).toMatchObject({ ok: true });
  expect(await client.request("fork", { entryId: prompts[1]?.id })).toMatchObject({ kind: "done", inPlace: false });
  expect(await client.request("listSessions")).toMatchObject({ total: 2 });
  expect(await client.request("getStats")).toMatchObject({ session: { userMessages: 1 } });
  expect([await client.close(), client.longest < 1_000_000]).toEqual([0, true]);
});
