/**
 * What the Claude Agent SDK's documentation of `SessionStore` requires of a store. Its package has no test suite for
 * that.
 */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";

const newKey = (projectKey = `-p-${randomUUID()}`) => ({ projectKey, sessionId: randomUUID() });
const entry = (n, more = {}) => ({
  type: "user",
  uuid: randomUUID(),
  timestamp: "2026-01-01T00:00:00.000Z",
  n,
  ...more,
});
const sorted = (names) => [...names].sort();

export const CONTRACT = {
  "gives back what was appended, in order and deeply equal": async (store) => {
    const key = newKey();
    const entries = [
      entry(1, {
        message: { role: "user", content: [{ type: "text", text: "é 漢 \u0000 \n" }] },
        deep: { a: [1, null, { b: 1e21 }] },
      }),
      { type: "custom-title", customTitle: "x" },
      entry(2, { ...JSON.parse('{"__proto__":{"x":1}}') }),
    ];
    await store.append(key, entries);
    assert.deepEqual(await store.load(key), entries);
  },
  "has null for a key that was never written": async (store) => {
    assert.equal(await store.load(newKey()), null);
    const key = newKey();
    await store.append(key, [entry(1)]);
    assert.equal(await store.load({ ...key, subpath: "subagents/agent-x" }), null);
  },
  "keeps the order of append calls, also of calls that are not waited for": async (store) => {
    const key = newKey();
    const batches = Array.from({ length: 10 }, (_, n) => [entry(n), entry(n + 0.5)]);
    await Promise.all(batches.map((batch) => store.append(key, batch)));
    assert.deepEqual(await store.load(key), batches.flat());
  },
  "appends nothing for an empty batch": async (store) => {
    const key = newKey();
    await store.append(key, [entry(1)]);
    await store.append(key, []);
    assert.equal((await store.load(key)).length, 1);
  },
  "keeps transcripts of sub-agents and projects apart": async (store) => {
    const key = newKey();
    const part = { ...key, subpath: "subagents/agent-a" };
    const elsewhere = { ...key, projectKey: `${key.projectKey}-2` };
    await store.append(key, [entry(1)]);
    await store.append(part, [entry(2)]);
    await store.append(elsewhere, [entry(3)]);
    for (const [one, n] of [
      [key, 1],
      [part, 2],
      [elsewhere, 3],
    ])
      assert.deepEqual(
        (await store.load(one)).map((e) => e.n),
        [n],
      );
  },
  "lists sessions of a project with times in milliseconds, without sub-agents": async (store) => {
    const first = newKey();
    const second = newKey(first.projectKey);
    await store.append(first, [entry(1)]);
    await store.append(second, [entry(1)]);
    await store.append({ ...first, subpath: "subagents/agent-a" }, [entry(2)]);
    await store.append(newKey(), [entry(3)]);
    const listed = await store.listSessions(first.projectKey);
    assert.deepEqual(sorted(listed.map((one) => one.sessionId)), sorted([first.sessionId, second.sessionId]));
    for (const { mtime } of listed) assert.ok(Number.isInteger(mtime) && mtime > 1e12, String(mtime));
    assert.deepEqual(await store.listSessions("-never"), []);
  },
  "lists the transcripts of sub-agents": async (store) => {
    const key = newKey();
    await store.append(key, [entry(1)]);
    const names = ["subagents/agent-a", "subagents/workflows/w1/agent-b"];
    for (const subpath of names) await store.append({ ...key, subpath }, [entry(2)]);
    assert.deepEqual(sorted(await store.listSubkeys(key)), names);
    assert.deepEqual(await store.listSubkeys(newKey(key.projectKey)), []);
  },
  "deletes a session with its sub-agents, and nothing else": async (store) => {
    const key = newKey();
    const other = newKey(key.projectKey);
    const part = { ...key, subpath: "subagents/agent-a" };
    for (const one of [key, other, part]) await store.append(one, [entry(1)]);
    await store.delete(key);
    assert.equal(await store.load(key), null);
    assert.equal(await store.load(part), null);
    assert.deepEqual(await store.listSubkeys(key), []);
    assert.deepEqual(
      (await store.listSessions(key.projectKey)).map((one) => one.sessionId),
      [other.sessionId],
    );
    await store.delete(newKey());
  },
  "deletes one sub-agent alone, and takes entries again after a delete": async (store) => {
    const key = newKey();
    const [a, b] = ["subagents/agent-a", "subagents/agent-b"].map((subpath) => ({ ...key, subpath }));
    for (const one of [key, a, b]) await store.append(one, [entry(1)]);
    await store.delete(a);
    assert.deepEqual(await store.listSubkeys(key), [b.subpath]);
    assert.equal((await store.load(key)).length, 1);
    await store.append(a, [entry(2)]);
    assert.deepEqual(
      (await store.load(a)).map((e) => e.n),
      [2],
    );
  },
};

export const STRICTER = {
  "gives back an entry with an ID once, however often it was appended; others as often as they were": async (store) => {
    const key = newKey();
    const batch = [entry(1), { type: "mode", mode: "plan" }, entry(2)];
    await store.append(key, batch);
    await store.append(key, batch);
    await store.append(key, [batch[0], entry(3)]);
    assert.deepEqual(
      (await store.load(key)).map((e) => e.n ?? e.mode),
      [1, "plan", 2, "plan", 3],
    );
  },
};
