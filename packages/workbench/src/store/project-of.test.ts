import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { addressInTest } from "../../../../test/support/address-in-test.js";
import { afterTest } from "../../../../test/support/after-test.js";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import { projectAddress, projectOf, rememberProject } from "./project-of.js";

function repository(remote: string): string {
  const folder = tempFolder();
  execFileSync("git", ["init", "-q"], { cwd: folder });
  execFileSync("git", ["config", "remote.origin.url", remote], { cwd: folder });
  return folder;
}

describe("the project of a remote", () => {
  it.each([
    ["git@example.com:team/app.git", "example.com/team/app"],
    ["https://me@example.com/team/app", "example.com/team/app"],
    [addressInTest("https://me:hush§example.com:8443/team/app.git/"), "example.com/team/app"],
    ["ssh://git@example.com:2222/team/app.git", "example.com/team/app"],
    ["https://example.com/x.git?token=hush", "example.com/x"],
    ["https://example.com:8443/@scope/app.git", "example.com/@scope/app"],
    ["https://example.com:8443/team/app@2.git", "example.com/team/app@2"],
    ["example.com:team/app", "example.com/team/app"],
    ["me:hush@example.com:app.git", "example.com/app"],
    ["/srv/git/app.git", "/srv/git/app"],
    ["../app.git", "../app"],
    ["file:///srv/app.git", "file:///srv/app"],
    ["ssh://git@example.com:team/app.git", "ssh://git@example.com:team/app"],
  ])("of %s is %s, as it was", (remote, project) => {
    expect(projectAddress(remote)).toBe(project);
  });

  it.each([
    [addressInTest("https://me:hush§example.com:99999/x.git"), "example.com/x"],
    [addressInTest("https://me:pa/hush§example.com/x.git"), "example.com/x"],
    [addressInTest("https://me:hush#1§example.com/x.git"), "example.com/x"],
    [addressInTest("https://me:12/hush§example.com/x.git"), "example.com/x"],
    [addressInTest("ssh://me:hush§example.com:team/a.git"), "example.com/team/a"],
    ["https://example.com:99999/x.git?token=hush", "example.com/x"],
    ["https://hush@example.com:99999/x.git", "example.com/x"],
    [addressInTest("helper::https://me:pa/hush§example.com/x.git"), "helper/:https://example.com/x"],
  ])("of %s has no password in it", (remote, project) => {
    expect(projectAddress(remote)).toBe(project);
  });

  it("is that of the folder, also when git runs us from a hook of another repository", async () => {
    const [ours, others] = [repository("https://example.com/ours.git"), repository("https://example.com/others.git")];
    afterTest(() => vi.unstubAllEnvs());
    vi.stubEnv("GIT_DIR", join(others, ".git"));
    vi.stubEnv("GIT_WORK_TREE", others);
    vi.stubEnv("GIT_PREFIX", "");
    const home = tempFolder();
    expect(await projectOf(ours, home)).toBe("example.com/ours");
    mkdirSync(join(ours, "part"));
    expect(await projectOf(join(ours, "part"), home)).toBe("example.com/ours//part");
    expect(await projectOf(tempFolder(), home)).toBeUndefined();
  });
});

describe("a name that was given to a project", () => {
  it("is remembered for the folder, in a private file", async () => {
    const home = join(tempFolder(), "home");
    const [notes, other] = [tempFolder(), tempFolder()];
    expect(await rememberProject(notes, " notes ", { home })).toBe("notes");
    expect(await rememberProject(notes, "others", { home, dryRun: true })).toBe("others");
    expect(await projectOf(notes, home)).toBe("notes");
    const link = join(tempFolder(), "link");
    symlinkSync(notes, link);
    expect(await projectOf(link, home)).toBe("notes");
    expect(await projectOf(other, home)).toBeUndefined();
    expect(await projectOf(notes, tempFolder())).toBeUndefined();
    await rememberProject(other, "__proto__", { home });
    expect(await projectOf(other, home)).toBe("__proto__");
    if (process.platform !== "win32") expect(statSync(join(home, "projects.json")).mode & 0o777).toBe(0o600);
  });

  it("wins over a remote, until the remote's own project is given", async () => {
    const home = tempFolder();
    const folder = repository("https://example.com/team/fork.git");
    await rememberProject(folder, "example.com/team/app", { home });
    expect(await projectOf(folder, home)).toBe("example.com/team/app");
    await rememberProject(folder, addressInTest("https://me:hush§example.com/team/fork.git"), { home });
    expect(await projectOf(folder, home)).toBe("example.com/team/fork");
    expect(JSON.parse(readFileSync(join(home, "projects.json"), "utf8"))).toEqual({ projects: {} });
  });

  it("never holds a password, and is one line", async () => {
    const home = tempFolder();
    const folder = tempFolder();
    expect(await rememberProject(folder, addressInTest("https://me:pa/hush§example.com/x.git"), { home })).toBe(
      "example.com/x",
    );
    for (const bad of ["", "  ", "a\nb", "x".repeat(201)])
      await expect(rememberProject(folder, bad, { home })).rejects.toMatchObject({ code: "store-unknown" });
    expect(await projectOf(folder, home)).toBe("example.com/x");
    writeFileSync(join(home, "projects.json"), "{ broken");
    await expect(projectOf(folder, home)).rejects.toMatchObject({ code: "store-damaged" });
  });
});
