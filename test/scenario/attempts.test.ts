import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createAgentSession } from "@bough/agent/agent/index.js";
import { PROTOCOLS } from "@bough/agent/model/wire-protocols.test-support.js";
import { type WireServer, wireServer } from "@bough/agent/model/wire-server.test-support.js";
import { SessionManager } from "@bough/session/session/index.js";
import { describe, expect, onTestFinished, test } from "vitest";
import { bough, conversation, makePlace, type Place, Running, sessionFiles } from "./cli-support.js";

const chat = PROTOCOLS.find(({ api }) => api === "openai-completions");

function gitPlace(settings?: object): Place {
  const place = makePlace(settings === undefined ? {} : { settings });
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], { cwd: place.cwd });
  git("init", "-q", "-b", "main");
  git("add", ".");
  git("commit", "-qm", "start");
  writeFileSync(join(place.cwd, "notes.txt"), "buy milk\nwrite tests\nnot committed\n");
  return place;
}

const filesIn = ({ cwd }: Place) =>
  Object.fromEntries(
    readdirSync(cwd)
      .filter((name) => name !== ".git")
      .map((name) => [name, readFileSync(join(cwd, name), "utf8")]),
  );

const left = ({ home }: Place) => (existsSync(join(home, "attempts")) ? readdirSync(join(home, "attempts")) : []);

interface TryJson {
  readonly file: string;
  readonly best: string | null;
  readonly attempts: readonly {
    readonly name: string;
    readonly state: string;
    readonly check?: {
      readonly passed: boolean;
      readonly exitCode: number | null;
      readonly last: readonly string[];
      readonly problem?: string;
      readonly state: string;
    };
    readonly files?: object;
    readonly reason?: string;
  }[];
  readonly kept?: { readonly kind: string };
}

async function tried(place: Place, ...args: readonly string[]): Promise<TryJson & { readonly code: number | null }> {
  const { code, stdout, stderr } = await bough(place, [
    "try",
    "--json",
    "--permission",
    "auto",
    "--sandbox",
    "off",
    ...args,
  ]);
  if (stdout === "") throw new Error(stderr);
  return { ...(JSON.parse(stdout) as TryJson), code };
}

describe("bough try", () => {
  test("checks every attempt in its own folder, keeps the best, and leaves nothing else behind", async () => {
    const place = gitPlace();
    const check = 'cat mark.txt; test "$BOUGH_ATTEMPT" = attempt-2';
    const prompt = "run `cat notes.txt > mark.txt; echo $BOUGH_ATTEMPT >> mark.txt`";
    const { code, attempts, best, file, kept } = await tried(
      place,
      "-n",
      "2",
      "--check",
      check,
      "--keep",
      "best",
      prompt,
    );
    const facts = attempts.map(({ name, state, check: one, files }) => [
      name,
      state,
      one?.passed,
      one?.last.at(-1),
      files,
    ]);
    expect({ code, best, kept: kept?.kind, facts, left: left(place) }).toEqual({
      code: 0,
      best: "attempt-2",
      kept: "done",
      facts: [
        ["attempt-2", "done", true, "attempt-2", { files: 1, added: 4, removed: 0 }],
        ["attempt-1", "done", false, "attempt-1", { files: 1, added: 4, removed: 0 }],
      ],
      left: [],
    });
    expect(attempts[0]?.check?.state).not.toBe(attempts[1]?.check?.state);
    expect(filesIn(place)).toEqual({
      "app.js": "console.log('hello');\n",
      "notes.txt": "buy milk\nwrite tests\nnot committed\n",
      "mark.txt": "buy milk\nwrite tests\nnot committed\nattempt-2\n",
    });
    // On the branch that was kept, after reopening too.
    expect((await conversation(file)).filter((line) => line.startsWith("user"))).toEqual([`user: ${prompt}`]);
    const again = await bough(place, ["attempts", "--json"]);
    const listed = (JSON.parse(again.stdout) as TryJson).attempts.map(({ name, state, check: one }) => [
      name,
      state,
      one?.passed,
    ]);
    expect(listed).toEqual([
      ["attempt-1", "done", false],
      ["attempt-2", "done", true],
    ]);
  });

  test("keeps nothing before conflicts are answered, and what the person did meanwhile stays", async () => {
    const place = gitPlace();
    const prompt = "run `sed -i s/milk/bread/ notes.txt; printf 'a\\0b' > data.bin; echo new > new.txt`";
    await tried(place, "-n", "1", prompt);
    writeFileSync(join(place.cwd, "notes.txt"), "buy cheese\nwrite tests\nnot committed\n");
    writeFileSync(join(place.cwd, "data.bin"), "mine");
    writeFileSync(join(place.cwd, "own.txt"), "own\n");
    const before = filesIn(place);
    const refused = await bough(place, ["attempts", "keep", "1", "--json"]);
    const conflicts = JSON.parse(refused.stdout) as { kind: string; conflicts: readonly { path: string }[] };
    expect([refused.code, conflicts.kind, conflicts.conflicts.map(({ path }) => path)]).toEqual([
      1,
      "conflicts",
      ["data.bin", "notes.txt"],
    ]);
    expect(filesIn(place)).toEqual(before);
    const taken = await bough(place, ["attempts", "keep", "1", "--conflicts", "take", "--json"]);
    expect(taken.code).toBe(0);
    expect(filesIn(place)).toEqual({
      "app.js": "console.log('hello');\n",
      "notes.txt": "buy bread\nwrite tests\nnot committed\n",
      "data.bin": "a\0b",
      "new.txt": "new\n",
      "own.txt": "own\n",
    });
  });

  test("survives checks that hang, print without end, fork, or delete their folder", async () => {
    const place = gitPlace();
    const checks = {
      "sleep 1000": /^it did not end/,
      "yes | head -c 50000000": undefined,
      "sleep 1000 & echo started": undefined,
      'rm -rf "$PWD"': /deleted the folder/,
    };
    const agent = await createAgentSession({
      session: SessionManager.create(place.cwd, join(place.home, "sessions")),
      cwd: place.cwd,
      model: "offline/rules",
      files: { home: place.home },
    });
    onTestFinished(() => agent.dispose());
    for (const [check, problem] of Object.entries(checks)) {
      const hangs = check === "sleep 1000";
      const run = await agent.startAttempts("run `echo x > x.txt`", {
        ...{ count: 1, check, permission: "auto", programArgs: ["--sandbox", "off"] },
        ...(hangs ? { checkTimeoutMs: 300 } : {}),
      });
      const { attempts } = await run.done;
      run.removeFolders();
      const one = attempts[0];
      expect([check, one?.state, one?.check?.passed]).toEqual([check, "done", problem === undefined]);
      if (problem !== undefined) expect(one?.check?.problem).toMatch(problem);
      expect(one?.check?.last.join("").length ?? 0).toBeLessThan(10_000);
    }
    expect(left(place)).toEqual([]);
  });

  test("without git, from a session that has a conversation, and two at once", async () => {
    const place = makePlace();
    await bough(place, ["-p", "--permission", "auto", "--sandbox", "off", "run `echo first > first.txt`"]);
    const [one, other] = await Promise.all([
      tried(place, "-c", "-n", "1", "run `cat first.txt > a.txt`"),
      tried(place, "-c", "-n", "1", "run `cat first.txt > b.txt`"),
    ]);
    expect([one.code, other.code, one.file === other.file, left(place)]).toEqual([0, 0, true, []]);
    const session = SessionManager.open(one.file, undefined, { readOnly: true });
    onTestFinished(() => session.close());
    // The position is still the end of the conversation that they branched from.
    expect(session.buildSessionContext().messages.filter(({ role }) => role === "user")).toHaveLength(1);
    expect(Object.keys(filesIn(place)).sort()).toEqual(["app.js", "first.txt", "notes.txt"]);
  });

  test("kill -9 of everything in the middle of a command: its changes are recorded, and clean leaves nothing", async () => {
    const place = gitPlace();
    const args = ["try", "-n", "2", "--permission", "auto", "--sandbox", "off"];
    const running = new Running(place, [
      ...args,
      'run `echo half > half.txt; touch "$BOUGH_HOME/$BOUGH_ATTEMPT"; sleep 1000`',
    ]);
    while (!existsSync(join(place.home, "attempt-1"))) await new Promise((resolve) => setImmediate(resolve));
    await running.killNow();
    rmSync(join(place.home, "attempt-1"));
    const cleaned = JSON.parse((await bough(place, ["attempts", "clean", "--json"])).stdout) as {
      readonly folders: readonly { readonly outcome: string }[];
    };
    expect(cleaned.folders.map(({ outcome }) => outcome)).toEqual(["removed", "removed"]);
    expect(left(place)).toEqual([]);
    expect(execFileSync("ps", ["-eo", "args"], { encoding: "utf8" })).not.toContain(`${place.home}/attempts`);
    const kept = await bough(place, ["attempts", "keep", "1", "--json"]);
    expect([kept.code, filesIn(place)["half.txt"]]).toEqual([0, "half\n"]);
    expect(sessionFiles(place)).toHaveLength(1);
  });
});

describe("requests of attempts", () => {
  async function wire(): Promise<WireServer> {
    const server = await wireServer();
    onTestFinished(() => server.close());
    return server;
  }

  test("share at least 90 % of their bytes, and the first one is answered before the others are sent", async () => {
    const server = await wire();
    const providers = {
      local: { baseUrl: `${server.origin}${chat?.base}`, api: "openai-completions", models: [{ id: "writer" }] },
    };
    const place = gitPlace({ model: "local/writer", models: { providers }, retry: { maxRetries: 0 } });
    writeFileSync(join(place.cwd, "AGENTS.md"), "Instructions of the project.\n".repeat(300));
    mkdirSync(join(place.cwd, "src"));
    const frames = chat?.frames({ parts: [{ text: "Done." }], stop: "stop" }) ?? [];
    for (let n = 0; n < 3; n++) server.reply({ frames, after: "end" });
    const { code, attempts } = await tried(place, "-n", "3", "Make it so");
    expect([code, attempts.map(({ state }) => state)]).toEqual([0, ["done", "done", "done"]]);
    const [first = "", ...others] = server.requests.map(({ body }) =>
      JSON.stringify((body as { messages: unknown }).messages),
    );
    for (const body of others) {
      let shared = 0;
      while (shared < body.length && body[shared] === first[shared]) shared++;
      expect(shared / body.length).toBeGreaterThan(0.9);
    }
    expect(others).toHaveLength(2);
  });
});
