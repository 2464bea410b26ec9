/** Fetches and pushes of a store: how git reaches the remote, and when it is given up. */
import type { GitAddress } from "./git-address.js";
import type { GitOutput, GitRunner } from "./git-run.js";

/** What the remote is called for one push: git then notes in our own refs what it has pushed, and only then. */
const REMOTE = "bough-store";

/** Never asks, and notices a connection that is gone. */
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
  /** Milliseconds after which a remote that says nothing is given up. */
  readonly silence: number;
}

export class GitTransport {
  readonly #options: GitTransportOptions;
  #ssh: Promise<NodeJS.ProcessEnv> | undefined;

  constructor(options: GitTransportOptions) {
    this.#options = options;
  }

  /** Makes the refs of `to` what those of `from` are in the remote. */
  fetch(repository: string, { from, to }: { readonly from: string; readonly to: string }): Promise<GitOutput> {
    const flags = ["--progress", "--prune", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules"];
    const args = ["fetch", ...flags, this.#options.address.url, `+${from}/*:${to}/*`];
    return this.#run(repository, args);
  }

  /** The own ref with the name of the pushed one is set by the same call, if the remote has taken it. */
  push(repository: string, { commit, ref }: { readonly commit: string; readonly ref: string }): Promise<GitOutput> {
    const settings = [`url=${this.#options.address.url}`, `fetch=+${ref}:${ref}`];
    const named = settings.flatMap((one) => ["-c", `remote.${REMOTE}.${one}`]);
    return this.#run(repository, [...named, "push", "--progress", REMOTE, `${commit}:${ref}`]);
  }

  /** With progress, so that a slow remote can be told from a silent one. */
  async #run(repository: string, args: readonly string[]): Promise<GitOutput> {
    const { address, runner, silence } = this.#options;
    this.#ssh ??= this.#sshSettings(repository);
    const environment = { ...address.environment, ...(await this.#ssh) };
    return runner.run({ repository, args, environment, silence });
  }

  /** The person's own ssh command is not replaced. It is looked up once, and not at all if the remote is a folder. */
  async #sshSettings(repository: string): Promise<NodeJS.ProcessEnv> {
    const { address, runner } = this.#options;
    const { GIT_SSH_COMMAND: command = "", GIT_SSH: program = "" } = process.env;
    if (address.isLocal || command !== "" || program !== "") return {};
    const { stdout } = await runner.run({ repository, args: ["config", "--get", "core.sshCommand"] });
    return stdout.toString("utf8").trim() === "" ? { GIT_SSH_COMMAND: SSH } : {};
  }
}
