import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { closedFolder, closedPlace } from "./sandbox-place.test-support.js";
import { linuxPrograms, namespaceProblem } from "./sandbox-programs.js";

afterEach(() => vi.unstubAllEnvs());

/** A folder of programs, outside of temporary folders: programs in those are not trusted. */
function programs(scripts: Readonly<Record<string, string>>): string {
  const folder = closedFolder();
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
  return folder;
}

const SOCAT = { socat: "true" };
const find = (folder: string) => linuxPrograms({ cwd: "/nowhere", folders: [folder] });

describe.skipIf(closedPlace === undefined)("the programs of the sandbox (skipped if every folder is temporary)", () => {
  test("are found if bubblewrap is new enough", async () => {
    const folder = programs({ ...SOCAT, bwrap: "echo bubblewrap 0.5.0" });
    expect(await find(folder)).toEqual({
      kind: "found",
      programs: { bwrap: join(folder, "bwrap"), socat: join(folder, "socat") },
    });
  });

  test.each([
    [{}, "bubblewrap and socat are not installed"],
    [{ bwrap: "echo bubblewrap 0.8.0" }, "socat is not installed"],
    [SOCAT, "bubblewrap is not installed"],
  ])("each that is missing is named", async (scripts, reason) => {
    expect(await find(programs(scripts))).toEqual({
      kind: "problem",
      reason,
      fix: "On Debian and Ubuntu: apt install bubblewrap socat",
    });
  });

  test("a bubblewrap that is too old says which version is needed, and one that does not run says so", async () => {
    const old = programs({ ...SOCAT, bwrap: "echo bubblewrap 0.4.1" });
    expect(await find(old)).toEqual({
      kind: "problem",
      reason: "bubblewrap 0.4.1 is too old",
      fix: "Install bubblewrap 0.5.0 or newer.",
    });
    const broken = programs({ ...SOCAT, bwrap: "echo not here >&2; exit 127" });
    expect(await find(broken)).toMatchObject({ kind: "problem", reason: `${join(broken, "bwrap")} does not run` });
  });

  test("are not taken from the project", async () => {
    const folder = programs({ ...SOCAT, bwrap: "echo bubblewrap 0.8.0" });
    expect(await linuxPrograms({ cwd: dirname(folder), folders: [folder] })).toMatchObject({ kind: "problem" });
  });
});

describe("why a sandbox cannot be made", () => {
  beforeEach(() => void vi.stubEnv("container", undefined));
  const SAID = "bwrap: Creating new namespace failed: Operation not permitted\nmore";
  const system = (files: Readonly<Record<string, string>>) => {
    const root = closedFolder();
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), text);
    }
    return root;
  };

  test.each([
    [
      "a container",
      { ".dockerenv": "", "proc/sys/user/max_user_namespaces": "100\n" },
      /^this container does not allow it \(bwrap: .*\)$/,
      /--security-opt seccomp=unconfined/,
    ],
    [
      "no user namespaces at all, which no option of a container changes",
      { ".dockerenv": "", "proc/sys/user/max_user_namespaces": "0\n" },
      /^user namespaces are switched off/,
      /sysctl user\.max_user_namespaces=/,
    ],
    [
      "none for ordinary users",
      { "proc/sys/user/max_user_namespaces": "100\n", "proc/sys/kernel/unprivileged_userns_clone": "0\n" },
      /^unprivileged user namespaces are switched off/,
      /sysctl kernel\.unprivileged_userns_clone=1/,
    ],
    [
      "AppArmor, where one profile helps and the restriction for other programs stays",
      { "proc/sys/kernel/apparmor_restrict_unprivileged_userns": "1\n" },
      /^AppArmor does not let bubblewrap create user namespaces/,
      /^Give bwrap an AppArmor profile that allows it: bough sandbox install\.$/,
    ],
    [
      "something else",
      {},
      /^bwrap: Creating new namespace failed: Operation not permitted$/,
      /^Run `bwrap --unshare-user .*` to see what this system forbids\.$/,
    ],
  ])("%s is named, with what to do", (_, files, reason, fix) => {
    expect(namespaceProblem(SAID, system(files))).toEqual({
      reason: expect.stringMatching(reason),
      fix: expect.stringMatching(fix),
    });
  });

  test("that there are too many user namespaces, or that they are nested too deep, is named with what to do", () => {
    const full = "bwrap: Creating new namespace failed: nesting depth or max_*_namespaces exceeded (ENOSPC)";
    expect(namespaceProblem(full, system({ ".dockerenv": "" }))).toEqual({
      reason: `no more user namespaces are allowed (${full})`,
      fix: expect.stringMatching(/sysctl user\.max_user_namespaces=15000.*start Bough outside\.$/),
    });
  });

  test("a bubblewrap that lacks an option is too old, whatever else is missing", () => {
    expect(namespaceProblem("bwrap: Unknown option --perms", system({ ".dockerenv": "" }))).toEqual({
      reason: "bubblewrap is too old (bwrap: Unknown option --perms)",
      fix: expect.stringMatching(/^Install bubblewrap [\d.]+ or newer\.$/),
    });
  });

  test("a sentence of bubblewrap goes on in one of ours", () => {
    expect(namespaceProblem("bwrap: No permissions. See the README.\n", system({})).reason).toBe(
      "bwrap: No permissions. See the README",
    );
  });

  test("without a message, it still says something", () => {
    expect(namespaceProblem("", system({})).reason).toBe("a command inside it failed without a message");
  });
});
