/** Git remotes in temporary folders, and stores on them. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { vi } from "vitest";
import { afterTest } from "../../../../../test/support/after-test.js";
import { searchMirror } from "../search-mirror.js";
import type { PulledLines } from "../store.js";
import { replicaNamed } from "../store-contract.test-support.js";
import { GitStore, type GitStoreOptions } from "./git-store.js";

export function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), "bough-git-store-"));
  afterTest(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}

export const git = (cwd: string, ...args: string[]) => execFileSync("git", args, { cwd, encoding: "utf8" }).trim();

export function bare(...flags: string[]): string {
  const remote = join(temporary(), "remote.git");
  git(tmpdir(), "init", "-q", "--bare", "--template=", ...flags, remote);
  // Otherwise the remote starts a process that collects garbage after each push.
  git(remote, "config", "receive.autoGc", "false");
  return remote;
}

export async function open(
  remote: string,
  name: string,
  { home = temporary(), ...options }: Partial<GitStoreOptions> = {},
): Promise<GitStore> {
  const search = ((store, query) => searchMirror(store, query, home)) as GitStoreOptions["search"];
  const store = await GitStore.open({ remote, replica: replicaNamed(name), home, search, pollMs: 5, ...options });
  afterTest(() => store.close());
  return store;
}

/** The repository that a store keeps in a home that has only one. */
export function ownRepository(home: string): string {
  const [folder = ""] = readdirSync(join(home, "stores"));
  return join(home, "stores", folder, "git");
}

/** Adds a file to a ref of the remote, as another program would. */
export function addFile(remote: string, { path, text, ref }: { path: string; text: string; ref: string }): void {
  const change = `M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`;
  const input = `commit ${ref}\ncommitter x <x> 0 +0000\ndata 1\nx\nfrom ${ref}^0\n${change}\n`;
  execFileSync("git", ["fast-import", "--quiet"], { cwd: remote, input });
}

export const refsIn = (repository: string, below = "refs") =>
  git(repository, "for-each-ref", "--format=%(refname)", below).split("\n").filter(Boolean);

/** Makes the remote refuse pushes or accept them again. */
export function refusePushes(remote: string, { refuse }: { refuse: boolean }): void {
  const hooks = join(remote, "hooks");
  if (refuse) script(join(hooks, "pre-receive"), "exit 1");
  else rmSync(join(hooks, "pre-receive"));
}

export function script(path: string, body: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${body}\n`);
  chmodSync(path, 0o755);
  return path;
}

/** Sets the user's git settings, replacing those of whoever runs the tests. */
export function personalSettings(...settings: readonly (readonly [string, string])[]): void {
  const file = join(temporary(), "gitconfig");
  writeFileSync(file, "");
  for (const [key, value] of settings) git(tmpdir(), "config", "--file", file, "--add", key, value);
  environment({ GIT_CONFIG_GLOBAL: file });
}

export function environment(variables: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  afterTest(() => vi.unstubAllEnvs());
}

export const line = (id: string) =>
  Buffer.from(`{"type":"custom","id":"${id}","parentId":null,"timestamp":"t","customType":"x"}`);

export async function piecesOf(store: GitStore, cursor?: string, session = "s"): Promise<PulledLines[]> {
  const pieces: PulledLines[] = [];
  for await (const piece of store.pull(session, cursor)) pieces.push(piece);
  return pieces;
}

export async function count(store: GitStore, session = "s"): Promise<number> {
  return (await piecesOf(store, undefined, session)).reduce((sum, { lines }) => sum + lines.length, 0);
}
