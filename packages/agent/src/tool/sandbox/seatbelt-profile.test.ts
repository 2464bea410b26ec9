import { expect, test } from "vitest";
import type { SandboxPlan } from "./sandbox-plan.js";
import { seatbeltProfile } from "./seatbelt-profile.js";

const PLAN: SandboxPlan = {
  cwd: "/Users/me/a project",
  writable: ["/private/tmp", "/Users/me/a project", "/Users/me/a project/.git"],
  closed: ["/Users/me/a project/.git/config", "/Users/me/a project/.git/hooks"],
  hidden: [
    { path: "/Users/me/.ssh", kind: "folder" },
    { path: '/Users/me/a project/a "key".pem', kind: "file" },
    { path: "/private/tmp/agent.sock", kind: "socket" },
  ],
  sockets: ["/Users/me/.docker/run/docker.sock"],
};

test("the profile for macOS is this text (it has not been run there)", async () => {
  await expect(seatbeltProfile(PLAN, 50_123)).toMatchFileSnapshot("seatbelt-profile.expected.sb");
});

test("what is closed and hidden comes after what is open, because later rules win", () => {
  const lines = seatbeltProfile(PLAN, 50_123).split("\n");
  const last = (start: string) => lines.findLastIndex((line) => line.startsWith(start));
  const first = (start: string) => lines.findIndex((line) => line.startsWith(start));
  expect(last("(allow file-write*")).toBeLessThan(first("(deny file-write* (subpath"));
  expect(first("(deny network*)")).toBeLessThan(first("(allow network-"));
  const hidden = first('(deny network-outbound (remote unix-socket (subpath "/private/tmp/agent.sock")');
  expect(last("(allow network-outbound (remote unix-socket (subpath")).toBeLessThan(hidden);
});
