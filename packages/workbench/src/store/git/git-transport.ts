/** Fetches from and pushes to the remote of a store: how git reaches it, and when to give up. */
import type { GitAddress } from "./git-address.js";
import type { GitOutput, GitRunner } from "./git-run.js";

/** The remote's name during a push: it makes git update our own ref, and only after a successful push. */
const REMOTE = "bough-store";

/** An ssh that never prompts, and that notices a lost connection. */
const SSH = [
  "ssh",
  "-oBatchMode=yes",
  "-oConnectTimeout=15",
  "-oServerAliveInterval=15",
  "-oServerAliveCountMax=2",
].join(" ");

export interface GitTransportOptions {
  readonly address: GitAddress;
  readonly runner: GitRunner;
  /** After this many milliseconds without output, git is stopped. */
  readonly silence: number;
}

export class GitTransport {
  readonly #options: GitTransportOptions;
  #ssh: Promise<NodeJS.ProcessEnv> | undefined;

  constructor(options: GitTransportOptions) {
    this.#options = options;
  }

  /** Makes the refs below `to` match the remote's refs below `from`. */
  fetch(repository: string, { from, to }: { readonly from: string; readonly to: string }): Promise<GitOutput> {
    const flags = ["--progress", "--prune", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules"];
    const args = ["fetch", ...flags, this.#options.address.url, `+${from}/*:${to}/*`];
    return this.#run(repository, args);
  }

  /** Also sets our own ref of the same name, if the remote accepted the push. */
  push(repository: string, { commit, ref }: { readonly commit: string; readonly ref: string }): Promise<GitOutput> {
    const settings = [`url=${this.#options.address.url}`, `fetch=+${ref}:${ref}`];
    const named = settings.flatMap((one) => ["-c", `remote.${REMOTE}.${one}`]);
    return this.#run(repository, [...named, "push", "--progress", REMOTE, `${commit}:${ref}`]);
  }

  /** Called with `--progress`, so that a slow remote differs from a silent one. */
  async #run(repository: string, args: readonly string[]): Promise<GitOutput> {
    const { address, runner, silence } = this.#options;
    this.#ssh ??= this.#sshSettings(repository);
    const environment = { ...address.environment, ...(await this.#ssh) };
    return runner.run({ repository, args, environment, silence });
  }

  /** Keeps the user's own ssh command. Looks it up once, and never for a local remote. */
  async #sshSettings(repository: string): Promise<NodeJS.ProcessEnv> {
    const { address, runner } = this.#options;
    const { GIT_SSH_COMMAND: command = "", GIT_SSH: program = "" } = process.env;
    if (address.isLocal || command !== "" || program !== "") return {};
    const { stdout } = await runner.run({ repository, args: ["config", "--get", "core.sshCommand"] });
    return stdout.toString("utf8").trim() === "" ? { GIT_SSH_COMMAND: SSH } : {};
  }
}
