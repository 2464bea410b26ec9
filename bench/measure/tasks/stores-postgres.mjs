/**
 * A store in PostgreSQL beside bare SQL for the same rows, in turns: the path of a session, a batch of 50 lines, searches;
 * and how long after a push a follower has its line.
 */
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { median } from "../samples.mjs";
import { say } from "../say.mjs";
import { fill, texts } from "../stores/fill.mjs";
import { withServer } from "../stores/server.mjs";

/** @typedef {{ door: string, sessions: number, entries: number, rareEvery: number, rounds: number, keep?: string }} Input */

/** @param {Input} input */
export function run({ door, keep, ...size }) {
  return withServer(
    async (url) => {
      const { initStore, openStore } = await import(door);
      const address = url("postgres");
      await initStore(address);
      const connect = async () => {
        const client = new pg.Client(address);
        await client.connect();
        return client;
      };
      const client = await connect();
      const began = performance.now();
      const { rows: filledBefore } = await client.query("select from bough.session limit 1");
      if (filledBefore.length === 0) await fill(client, { ...size, say, another: connect });
      const filled = performance.now() - began;
      const store = await openStore(address, { replica: { id: "b".repeat(16), name: "bench" }, home: "/nonexistent" });
      await checkRows(store, client, Math.min(size.entries, SAMPLE));
      const extra = {
        filled,
        bytes: Number((await client.query("select pg_total_relation_size('bough.entry') as bytes")).rows[0].bytes),
        ...(await paths(store, client, size)),
        ...(await searches(store, client, size)),
        ...(await pushes(store, client, size)),
        ...(await lists(store)),
        ...(await followers(store, size)),
      };
      await forgetPushes(client, size);
      await store.close();
      await client.end();
      return { ms: filled, check: "measured", extra };
    },
    keep === undefined ? {} : { keep },
  );
}

const SAMPLE = 500;

/**
 * Checks that rows made on the server equal those the store makes of the same lines.
 *
 * @param {any} store
 * @param {any} client
 * @param {number} count
 */
async function checkRows(store, client, count) {
  const { rows } = await client.query("select line from bough.entry where session = 's1' and seq <= $1 order by seq", [
    count,
  ]);
  await store.push(
    "sample",
    rows.map((/** @type {{ line: Buffer }} */ { line }) => line),
  );
  const columns = "e.seq, hash, id, parent, kind, role, at, line, text, words, r.seq is null";
  const from = "from bough.entry e left join bough.run r on r.session = e.session and r.seq = e.seq where e.session =";
  const other = await client.query(
    `(select ${columns} ${from} 's1' and e.seq <= $1) except (select ${columns} ${from} 'sample')`,
    [count],
  );
  if (rows.length < count || other.rows.length > 0)
    throw new Error(`Error: ${other.rows.length} of ${rows.length} rows are not as the store writes them`);
  await client.query("delete from bough.entry where session = 'sample'");
  await client.query("delete from bough.run where session = 'sample'");
  await client.query("delete from bough.session where id = 'sample'");
}

const BARE_PATH = `
with recursive up as (
  select id, parent, line, 0 as depth from bough.entry where session = $1 and id = $2
  union all
  select e.id, e.parent, e.line, up.depth + 1 from up join bough.entry e on e.session = $1 and e.id = up.parent
) select line from up order by depth desc`;

/** @param {any} store @param {any} client @param {Omit<Input, "door">} size */
async function paths(store, client, { sessions, entries, rounds }) {
  const times = new Times();
  for (let round = 0; round < rounds; round++) {
    say(`paths: ${round + 1} of ${rounds}`);
    const n = 1 + ((round * 7919) % sessions);
    const leaf = `${n.toString(16).padStart(6, "0")}${entries.toString(16).padStart(6, "0")}`;
    const own = async () => {
      let count = -1;
      for await (const lines of store.path(`s${n}`)) count += lines.length;
      return count;
    };
    const bare = async () =>
      (await client.query({ name: "path", text: BARE_PATH, values: [`s${n}`, leaf] })).rows.length;
    await times.inTurns(round, { path: own, barePath: bare }, entries);
  }
  return times.medians();
}

/** An even number, because whichever is first in a session reads its pages from the disk. */
const PUSHES = 20;

/** @param {any} store @param {any} client @param {Omit<Input, "door">} size */
async function pushes(store, client, { sessions, entries }) {
  const times = new Times();
  for (let round = 0; round < PUSHES; round++) {
    const session = pushedTo(round, sessions);
    const batch = Array.from({ length: 50 }, (_, n) => messageLine(`p${round}-${n}`, `push ${round} of line ${n}`));
    const other = Array.from({ length: 50 }, (_, n) => messageLine(`q${round}-${n}`, `push ${round} of line ${n}`));
    const own = async () => (await store.push(session, batch)).added;
    const bare = async () => (await client.query(bareInsert(session, other, entries + 1_000 + round * 50))).rowCount;
    await times.inTurns(round, { push: own, barePush: bare }, 50);
  }
  const trigger = await triggerTime(client, entries);
  return { ...times.medians(), trigger };
}

/** Lets a kept server be measured again. @param {any} client @param {Omit<Input, "door">} size */
async function forgetPushes(client, { sessions, entries }) {
  const pushed = Array.from({ length: PUSHES }, (_, round) => pushedTo(round, sessions));
  for (const table of ["entry", "run"])
    await client.query(`delete from bough.${table} where session = any ($1) and seq > $2`, [pushed, entries + 1]);
  await client.query("update bough.session set head = $2 where id = any ($1)", [pushed, entries + 1]);
  await client.query("delete from bough.session where id = 'followed'");
  await client.query("delete from bough.run where session = 'followed'");
}

/** @param {number} round @param {number} sessions */
function pushedTo(round, sessions) {
  return `s${1 + ((round * 104_729) % sessions)}`;
}

const OWN_TRIGGERS = ["note_runs", "note_push"];

/**
 * Bare SQL also pays for the table's triggers, which nobody else would have.
 *
 * @param {any} client
 * @param {number} entries
 */
async function triggerTime(client, entries) {
  /** @type {number[]} */
  const times = [];
  for (let round = 0; round < PUSHES; round++) {
    const lines = Array.from({ length: 50 }, (_, n) => messageLine(`t${round}-${n}`, `push ${round} of line ${n}`));
    const { text, values } = bareInsert("s1", lines, entries + 100_000 + round * 50);
    const { rows } = await client.query(`explain (analyze, format json) ${text}`, values);
    const [plan] = rows[0]["QUERY PLAN"];
    const named = plan.Triggers.filter((/** @type {any} */ one) => OWN_TRIGGERS.includes(one["Trigger Name"]));
    if (named.length !== OWN_TRIGGERS.length) throw new Error("Error: a trigger is missing");
    times.push(named.reduce((/** @type {number} */ sum, /** @type {any} */ one) => sum + one.Time, 0));
  }
  return median(times);
}

/**
 * The same rows into the same table, with unused numbers.
 *
 * @param {string} session
 * @param {Buffer[]} lines
 * @param {number} seq
 */
function bareInsert(session, lines, seq) {
  const records = lines.map((line) => JSON.parse(line.toString()));
  return {
    name: "insert",
    text: `insert into bough.entry (session, seq, hash, id, parent, kind, role, at, replica, line, text)
      select $1, $2 + n, sha256(line), id, null, 'message', 'user', at, 'bbbbbbbbbbbbbbbb', line, text
      from unnest($3::bytea[], $4::text[], $5::text[], $6::text[]) with ordinality as t (line, id, at, text, n)
      on conflict do nothing`,
    values: [
      session,
      seq,
      lines,
      records.map(({ id }) => id),
      records.map(({ timestamp }) => timestamp),
      records.map(({ message }) => message.content),
    ],
  };
}

const WORDS = { rare: "marmalade", uncommon: uncommonWord(), frequent: "merge", two: "merge branch", part: "marmala" };

/** A word in a single text: too frequent for the word index, too rare for reading the newest entries. */
function uncommonWord() {
  const all = texts();
  const names = all.flatMap((text) => text.match(/(?<= )[a-z]+\/[a-z]+-[a-z]+\.[a-z]+(?= )/g) ?? []);
  return names.find((name) => all.filter((text) => text.includes(name)).length === 1) ?? "none";
}

/** The state of hits the simple way: up from the newest entry of their sessions. */
const BARE_PLACES = `
with recursive up as (
  select e.session, e.id, e.parent from (select distinct session from unnest($1::text[]) as t (session)) w
  join lateral (select session, id, parent from bough.entry where session = w.session and kind = 'message'
    order by seq desc limit 1) e on true
  union all
  select e.session, e.id, e.parent from up join bough.entry e on e.session = up.session and e.id = up.parent
) select session, id from up where id = any ($2::text[])`;

/** @param {any} store @param {any} client @param {Omit<Input, "door">} size */
async function searches(store, client, { rounds }) {
  const times = new Times();
  for (let round = 0; round < rounds; round++) {
    say(`searches: ${round + 1} of ${rounds}`);
    for (const [name, words] of Object.entries(WORDS)) {
      const own = async () => Math.min(1, (await store.search({ words })).length);
      const condition =
        name === "part" ? "left(text, 20000) ilike '%' || $1 || '%'" : "words @@ websearch_to_tsquery('simple', $1)";
      const text = `select session, id, role, at, text from bough.entry where ${condition} and text is not null order by at desc nulls last limit 20`;
      const hits = async () => (await client.query({ text, values: [words] })).rows;
      const bare = async () => {
        const rows = await hits();
        const ids = [rows.map((/** @type {any} */ row) => row.session), rows.map((/** @type {any} */ row) => row.id)];
        return Math.min(1, (await client.query({ text: BARE_PLACES, values: ids })).rows.length);
      };
      const alone = async () => Math.min(1, (await hits()).length);
      await times.inTurns(round, { [`${name}Search`]: own, [`${name}Bare`]: bare, [`${name}Hits`]: alone });
    }
  }
  return times.medians();
}

/** @param {any} store */
async function lists(store) {
  const times = new Times();
  const count = (await store.list()).length;
  for (let round = 0; round < 5; round++)
    await times.inTurns(0, { list: async () => (await store.list()).length }, count);
  return times.medians();
}

/**
 * From the start of a push (before its commit) until the follower has the line.
 *
 * @param {any} store
 * @param {Omit<Input, "door">} size
 */
async function followers(store, { rounds }) {
  const stop = new AbortController();
  const news = store.follow("followed", stop.signal)[Symbol.asyncIterator]();
  /** @type {number[]} */
  const waits = [];
  let cursor;
  let next = news.next();
  // What is stored before a follower has looked around is not news to it.
  let follows = false;
  for (let n = 0; !follows; n++) {
    await store.push("followed", [messageLine(`start${n}`, "first")]);
    follows = await Promise.race([next.then(() => true), setTimeout(100, false)]);
  }
  next = news.next();
  for (let round = 0; round < rounds * 5; round++) {
    const began = performance.now();
    const pushed = store.push("followed", [messageLine(`f${round}`, "followed")]);
    let seen = false;
    while (!seen) {
      await next;
      next = news.next();
      for await (const piece of store.pull("followed", cursor)) {
        cursor = piece.cursor;
        seen ||= piece.lines.some((/** @type {{ bytes: Buffer }} */ { bytes }) => bytes.includes(`"f${round}"`));
      }
    }
    waits.push(performance.now() - began);
    await pushed;
  }
  stop.abort();
  await news.return?.();
  return { follow: median(waits), followMost: Math.max(...waits) };
}

/** @param {string} id @param {string} content */
function messageLine(id, content) {
  const message = { role: "user", content, timestamp: 1 };
  return Buffer.from(
    JSON.stringify({ type: "message", id, parentId: null, timestamp: "2026-03-01T00:00:00.000Z", message }),
  );
}

class Times {
  /** @type {Map<string, number[]>} */
  #times = new Map();

  /**
   * Who is first changes with the round. A wrong answer is not taken for a fast one.
   *
   * @param {number} round
   * @param {Record<string, () => Promise<number>>} works
   * @param {number} [expected]
   */
  async inTurns(round, works, expected = 1) {
    const entries = Object.entries(works);
    for (const [name, work] of round % 2 === 0 ? entries : entries.toReversed()) {
      const began = performance.now();
      const answer = await work();
      const list = this.#times.get(name) ?? [];
      list.push(performance.now() - began);
      this.#times.set(name, list);
      if (answer !== expected) throw new Error(`Error: ${name} gave ${answer} instead of ${expected}`);
    }
  }

  medians() {
    return Object.fromEntries([...this.#times].map(([name, times]) => [name, median(times)]));
  }
}
