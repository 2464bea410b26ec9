/** Runs git on a repository of our own, without questions, hooks or the person's settings for it. */
import { spawn } from "node:child_process";
import { StoreError } from "../store-error.js";

export interface GitOutput {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** No hooks, and no looking for garbage after every fetch: older versions of git call that `gc`, newer ones `maintenance`. */
const SETTINGS = ["core.hooksPath=/dev/null", "gc.auto=0", "maintenance.auto=false"].flatMap((one) => ["-c", one]);

/** `repository` is a bare one. `input` goes to standard input. */
export function runGit(repository: string, args: readonly string[], input?: Uint8Array): Promise<GitOutput> {
  const env = {
    ...process.env,
    GIT_DIR: repository,
    GIT_TERMINAL_PROMPT: "0",
    // An address may not name a program to run.
    GIT_ALLOW_PROTOCOL: "file:git:http:https:ssh",
    GIT_SSH_COMMAND: process.env.GIT_SSH_COMMAND ?? "ssh -oBatchMode=yes",
    LC_ALL: "C",
  };
  return new Promise((resolve, reject) => {
    const child = spawn("git", [...SETTINGS, ...args], { env });
    const out: Buffer[] = [];
    const errors: Buffer[] = [];
    child.stdout.on("data", (piece: Buffer) => out.push(piece));
    child.stderr.on("data", (piece: Buffer) => errors.push(piece));
    child.on("error", (cause) =>
      reject(new StoreError("package-missing", "git is not installed", { hint: "Install git.", cause })),
    );
    child.on("close", (code) =>
      resolve({ code: code ?? 1, stdout: Buffer.concat(out), stderr: Buffer.concat(errors).toString("utf8") }),
    );
    // git may end before it has read everything.
    child.stdin.on("error", () => {});
    child.stdin.end(input);
  });
}

const REFUSED = /denied|rejected|forbidden|authentication|could not read (?:Username|Password)|40[13]\b|not allowed/i;
const FULL = /no space left|disk quota/i;

/** What git said, without the address as it was given: it may hold a password. */
export function gitError(
  output: GitOutput,
  { remote, address }: { readonly remote: string; readonly address: string },
) {
  const lines = output.stderr.replaceAll(remote, address).trim().split("\n");
  const said = lines.find((line) => /^(?:fatal|error|remote|ssh)/.test(line)) ?? lines.at(-1) ?? "";
  if (FULL.test(output.stderr)) return new StoreError("store-full", `No space left in ${address}`);
  if (REFUSED.test(output.stderr)) {
    const hint =
      "Check that you can push there with git, and that refs/bough/* and refs/bough-files/* are not protected.";
    return new StoreError("store-refused", `${address} refused: ${said}`, { hint });
  }
  return new StoreError("store-unreachable", `Cannot reach ${address}: ${said}`, {
    hint: "Nothing was lost. The next sync tries again.",
  });
}
