import type { SessionUpdate } from "@agentclientprotocol/sdk/unstable";
import { expect, test } from "vitest";
import { sampledRuns } from "../support/sampled.js";
import { AcpClient, textOf } from "./acp-client.js";
import { FrameCheck } from "./acp-schema.js";
import { makePlace, type Place } from "./cli-support.js";

interface Acknowledged {
  readonly entries: Set<string>;
  readonly completed: Set<string>;
  text: string;
}

type OnMove = (sessionId: string, when: "begins" | "ends") => void;

/** Two branches, edits, commands, long answers and a move, which is told: what was said before it is on a branch of its own. */
async function work(acp: AcpClient, onMove: OnMove): Promise<void> {
  const { sessionId } = await acp.begin();
  await acp.say(sessionId, "hello");
  await acp.say(sessionId, 'replace "buy milk" with "buy tea" in notes.txt and read notes.txt');
  const fork = await acp.fork(sessionId);
  await Promise.all([acp.say(fork.sessionId, "$ echo one"), acp.say(sessionId, "hello")]);
  onMove(fork.sessionId, "begins");
  await acp.say(fork.sessionId, "/switch #1");
  onMove(fork.sessionId, "ends");
  await acp.say(fork.sessionId, "hello");
}

/** Runs the work and kills the program when it has sent this many frames; gives what it acknowledged until then. */
async function killedAt(
  place: Place,
  frames: number,
): Promise<{ readonly sent: number; readonly said: Map<string, Acknowledged>; readonly all: Set<string> }> {
  const acp = new AcpClient(place, { args: ["--permission", "auto", "--sandbox", "off"] });
  const said = new Map<string, Acknowledged>();
  const all = new Set<string>();
  /** What a command answers is not part of the conversation. */
  let isMoving = false;
  let sent = 0;
  acp.onFrame = (frame) => {
    // What arrives after the decision to kill was sent before the kill, and counts too.
    sent += 1;
    for (const id of acknowledge(isMoving ? new Map() : said, frame)) all.add(id);
    if (sent === frames) acp.child.kill("SIGKILL");
  };
  // The connection fails when the program is gone, which is what this is about.
  const working = work(acp, (sessionId, when) => {
    isMoving = when === "begins";
    said.delete(sessionId);
  });
  await Promise.race([working, acp.ended]).catch(() => undefined);
  if (sent < frames) await acp.end();
  await acp.ended;
  expect(acp.frames.wrong).toEqual([]);
  return { sent, said, all };
}

/** Notes what a frame says, and gives the entries it names. */
function acknowledge(said: Map<string, Acknowledged>, frame: Readonly<Record<string, unknown>>): readonly string[] {
  const params = frame.params as { readonly sessionId: string; readonly update?: SessionUpdate } | undefined;
  const update = params?.update;
  if (params === undefined || update === undefined) return [];
  const known = said.get(params.sessionId) ?? { entries: new Set(), completed: new Set(), text: "" };
  said.set(params.sessionId, known);
  const entryId = (update._meta as { readonly bough?: { readonly entryId?: string } } | undefined)?.bough?.entryId;
  if (entryId !== undefined) known.entries.add(entryId);
  if (update.sessionUpdate === "tool_call_update" && update.status === "completed")
    known.completed.add(update.toolCallId);
  known.text += textOf(update, "agent_message_chunk");
  return entryId === undefined ? [] : [entryId];
}

test("killed at any frame, everything that was acknowledged is there when the session is loaded again", async () => {
  const { sent: whole } = await killedAt(makePlace(), Number.POSITIVE_INFINITY);
  const runs = sampledRuns({ all: whole, some: 3 });
  for (let run = 0; run < runs; run++) {
    const frames = runs === whole ? run + 1 : 4 + Math.floor(((run + 0.5) * (whole - 4)) / runs);
    const place = makePlace();
    const { said, all } = await killedAt(place, frames);
    const again = new AcpClient(place, { isHere: true });
    await again.initialize();
    for (const [sessionId, { entries, completed, text }] of said) {
      const at = `killed at frame ${frames} of ${whole}, ${sessionId}`;
      // A session in which nothing was said has no file yet.
      if (entries.size === 0 && text === "") continue;
      const loaded = new Map<string, Acknowledged>();
      for (const update of await again.load(sessionId)) acknowledge(loaded, { params: { sessionId, update } });
      const found = loaded.get(sessionId);
      expect(
        [...entries].filter((id) => found?.entries.has(id) !== true),
        at,
      ).toEqual([]);
      expect(
        [...completed].filter((id) => found?.completed.has(id) !== true),
        at,
      ).toEqual([]);
      expect(found?.text.includes(text), `${at}\n${text}\n---\n${found?.text}`).toBe(true);
    }
    const listed = new Map<string, Acknowledged>();
    for (const { sessionId } of await again.list()) {
      for (const update of await again.load(sessionId)) {
        for (const id of acknowledge(listed, { params: { sessionId: "any", update } })) all.delete(id);
      }
    }
    expect([...all], `on no branch of the list, killed at frame ${frames}`).toEqual([]);
    await again.end();
  }
});

test("the check of frames fails on what the schema does not allow", () => {
  const check = new FrameCheck();
  const update = { sessionUpdate: "usage_update", used: "many", size: 1 };
  check.check("agent", { jsonrpc: "2.0", method: "session/update", params: { sessionId: "s", update } });
  check.check("agent", { jsonrpc: "2.0", method: "session/nonsense", params: {} });
  check.check("agent", { jsonrpc: "2.0", id: 1, result: {} });
  expect(check.wrong).toHaveLength(3);
});
