import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { gitEnvironment } from "./git-environment.js";

describe("the environment for git", () => {
  it("has nothing that git says belongs to one repository, and everything else", () => {
    const local = execFileSync("git", ["rev-parse", "--local-env-vars"], { encoding: "utf8" }).trim().split("\n");
    const more = [
      "GIT_CONFIG_KEY_0",
      "GIT_CONFIG_VALUE_12",
      "GIT_NAMESPACE",
      "GIT_QUARANTINE_PATH",
      "GIT_DEFAULT_HASH",
    ];
    const kept = { PATH: "/bin", GIT_SSH_COMMAND: "ssh", GIT_CONFIG_GLOBAL: "/x", GIT_AUTHOR_NAME: "x" };
    const misleading = Object.fromEntries([...local, ...more].map((name) => [name, "x"]));
    expect(gitEnvironment({ ...kept, ...misleading })).toEqual(kept);
  });
});
