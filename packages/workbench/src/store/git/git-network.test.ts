import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createSocketServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { attempt } from "@bough/session/text/index.js";
import { describe, expect, it, vi } from "vitest";
import { addressInTest } from "../../../../../test/support/address-in-test.js";
import { afterTest } from "../../../../../test/support/after-test.js";
import { isOnPath } from "../../../../../test/support/missing-tools.js";
import {
  bare,
  count,
  environment,
  line,
  open,
  personalSettings,
  refsIn,
  script,
  temporary,
} from "./git-remote.test-support.js";

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterTest(() => server.close());
  return (server.address() as AddressInfo).port;
}

/** The command lines of all processes. */
const argumentsOfAll = () =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => attempt(() => readFileSync(`/proc/${pid}/cmdline`, "utf8")) ?? "");

/** An ssh that runs the command here; if a file `hang` is next to it, it reports that it has started and hangs. */
function fakeSsh(): { readonly command: string; readonly folder: string } {
  const folder = temporary();
  const hang = `if test -e "${folder}/hang"; then touch "${folder}/hanging"; exec sleep 600; fi`;
  const run = 'for last do :; done; exec sh -c "$last"';
  return { command: script(join(folder, "fake-ssh"), `${hang}\ntouch "${folder}/used"\n${run}`), folder };
}

const NO_SSH = { GIT_SSH_COMMAND: undefined, GIT_SSH: undefined };

describe("a git remote over a network", () => {
  it("is given user and password, which no process list and no error shows", async () => {
    const seen: string[] = [];
    const shown: string[] = [];
    const answer = (request: IncomingMessage, response: ServerResponse) => {
      const { authorization } = request.headers;
      if (process.platform === "linux") shown.push(...argumentsOfAll());
      if (authorization === undefined) response.writeHead(401, { "WWW-Authenticate": 'Basic realm="x"' }).end();
      else {
        seen.push(Buffer.from(authorization.split(" ")[1] ?? "", "base64").toString());
        response.writeHead(403).end("jane may not, nor may p@ss/word");
      }
    };
    const port = await listening(createServer(answer));
    // Neither the user's credential helper nor a password prompt may be called.
    const asked = join(temporary(), "asked");
    personalSettings(
      ["credential.helper", `!touch ${asked};`],
      ["core.askPass", script(`${asked}.sh`, `touch ${asked}`)],
    );
    environment({ GIT_ASKPASS: `${asked}.sh`, SSH_ASKPASS: `${asked}.sh` });
    const failure = await open(addressInTest(`http://jane:p%40ss%2Fword§127.0.0.1:${port}/x.git`), "a").catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ code: "store-refused" });
    expect(seen).toEqual(["jane:p@ss/word"]);
    expect(String(failure)).not.toMatch(/jane|word/);
    if (process.platform === "linux") expect(shown.join("\n")).toContain(`127.0.0.1:${port}/x.git`);
    expect(shown.filter((one) => /jane|p%40ss|p@ss/.test(one))).toEqual([]);
    expect(existsSync(asked)).toBe(false);
  });

  it.skipIf(!isOnPath("git"))("counts as unreachable if it is silent", async () => {
    const sockets: Socket[] = [];
    const port = await listening(createSocketServer((socket) => sockets.push(socket)));
    const opened = open(`git://127.0.0.1:${port}/x.git`, "a", { silenceMs: 200 });
    await expect(opened).rejects.toMatchObject({ code: "store-unreachable", message: expect.stringMatching(/answer/) });
    for (const socket of sockets) socket.destroy();
  });

  it("is not waited for when the store is closed", async () => {
    const remote = bare();
    const { command, folder } = fakeSsh();
    environment({ ...NO_SSH, GIT_SSH_COMMAND: command });
    const store = await open(`ssh://host${remote}`, "a");
    writeFileSync(join(folder, "hang"), "");
    const listed = expect(store.list()).rejects.toMatchObject({ code: "sync-aborted" });
    const news = store.follow(undefined, AbortSignal.abort())[Symbol.asyncIterator]();
    expect(await news.next()).toMatchObject({ done: true });
    await vi.waitFor(() => expect(existsSync(join(folder, "hanging"))).toBe(true), { timeout: 60_000 });
    await store.close();
    await listed;
    await expect(store.list()).rejects.toMatchObject({ code: "sync-aborted" });
  });

  it("is reached with the ssh command of the person", async () => {
    const remote = bare();
    const { command, folder } = fakeSsh();
    personalSettings(["core.sshCommand", command]);
    environment(NO_SSH);
    await (await open(`ssh://host${remote}`, "a")).push("s", [line("1")]);
    expect(existsSync(join(folder, "used"))).toBe(true);
    rmSync(join(folder, "used"));
    // If none is configured, ssh is used in a mode that neither asks nor waits.
    personalSettings();
    const path = script(join(folder, "ssh"), `echo "$@" > ${folder}/used; exit 255`);
    environment({ PATH: `${join(path, "..")}:${process.env.PATH}` });
    await expect(open(`ssh://host${remote}`, "a")).rejects.toMatchObject({ code: "store-unreachable" });
    expect(readFileSync(join(folder, "used"), "utf8")).toMatch(/BatchMode=yes .*ConnectTimeout=15 /);
  });
});

describe("a git store", () => {
  it("pushes regardless of the user's own settings for pushes", async () => {
    const remote = bare();
    personalSettings(
      ["push.gpgSign", "true"],
      ["push.pushOption", "ci.skip"],
      ["push.recurseSubmodules", "only"],
      ["submodule.recurse", "true"],
      ["transfer.credentialsInUrl", "die"],
    );
    const a = await open(remote, "a");
    expect(await a.push("s", [line("1")])).toMatchObject({ added: 1 });
    expect(await count(await open(remote, "b"))).toBe(1);
  });

  it("can be used from a hook, with variables for another repository", async () => {
    const remote = bare();
    const elsewhere = temporary();
    environment({
      GIT_DIR: elsewhere,
      GIT_WORK_TREE: elsewhere,
      GIT_INDEX_FILE: join(elsewhere, "index"),
      GIT_OBJECT_DIRECTORY: join(elsewhere, "objects"),
      GIT_QUARANTINE_PATH: join(elsewhere, "objects"),
      GIT_NAMESPACE: "other",
      GIT_DEFAULT_HASH: "sha256",
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "core.bare",
      GIT_CONFIG_VALUE_0: "false",
    });
    await (await open(remote, "a")).push("s", [line("1")]);
    expect(await count(await open(remote, "b"))).toBe(1);
    expect(readdirSync(elsewhere)).toEqual([]);
    vi.unstubAllEnvs();
    expect(refsIn(remote)).toHaveLength(1);
  });

  it("says that a remote with SHA-256 cannot be used", async () => {
    const remote = bare("--object-format=sha256");
    const a = await open(remote, "a");
    await expect(a.push("s", [line("1")])).rejects.toMatchObject({
      code: "store-refused",
      message: expect.stringContaining("SHA-256"),
      hint: expect.stringContaining("--object-format=sha1"),
    });
  });
});
