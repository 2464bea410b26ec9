import { describe, expect, it } from "vitest";
import { addressInTest } from "../../../../../test/support/address-in-test.js";
import { gitAddress, withoutLogin } from "./git-address.js";

describe("the address of a git remote", () => {
  it("is given to git without a password, with a name only for ssh", () => {
    const urls = [
      [addressInTest("https://jane:hush§example.com/app.git"), "https://example.com/app.git"],
      ["https://token@example.com/app.git", "https://example.com/app.git"],
      [addressInTest("https://token:§example.com:8443/a§b.git"), "https://example.com:8443/a@b.git"],
      [addressInTest("ssh://git:hush§example.com/app.git"), "ssh://git@example.com/app.git"],
      ["git@example.com:app.git", "git@example.com:app.git"],
      [addressInTest("git://jane:hush§example.com/app.git"), "git://example.com/app.git"],
      ["/srv/a@b:c.git", "/srv/a@b:c.git"],
      ["file:///srv/app.git", "file:///srv/app.git"],
    ] as const;
    expect(urls.map(([remote]) => gitAddress(remote).url)).toEqual(urls.map(([, url]) => url));
  });

  it("gives the person's helpers the name, and replaces them if there is a password", () => {
    expect(gitAddress("https://jane@example.com/a.git").environment).toEqual({
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "credential.https://example.com.username",
      GIT_CONFIG_VALUE_0: "jane",
    });
    expect(gitAddress(addressInTest("https://token:§example.com/a.git")).environment).toMatchObject({
      GIT_CONFIG_KEY_0: "credential.helper",
      GIT_CONFIG_VALUE_0: "",
      GIT_CONFIG_KEY_1: "credential.https://example.com.helper",
      BOUGH_GIT_USER: "token",
      BOUGH_GIT_PASSWORD: "",
    });
  });

  it("is shown in what git says, and nothing else of it", () => {
    const address = gitAddress(addressInTest("https://jane:p%40ss§example.com/jane/a.git"));
    const said = "remote: jane may not write to https://example.com/jane/a.git with p@ss or p%40ss as 'https://jane@x'";
    expect(withoutLogin(said, address)).toBe(
      "remote: … may not write to https://example.com/jane/a.git with … or … as 'https://x'",
    );
  });
});
