/** Decides permission requests of tools: by rules, by the mode, by earlier answers, or by asking the user. */
import { defined, visibleText } from "@bough/session/text/index.js";
import type { SandboxStatus } from "../sandbox/sandbox.js";
import type {
  FilePreview,
  PermissionAnswer,
  PermissionDecision,
  PermissionMode,
  PermissionQuestion,
  PermissionRequest,
} from "../tool.js";
import { failureSentence } from "../tool-failure.js";
import { type AskedRequest, askedRequest, type Verdict, verdictOn } from "./asked-request.js";
import { covers, grantFor, type PermissionGrant } from "./grants.js";
import type { CommandSandbox } from "./mode-table.js";
import { parseRule, type Rule, type RuleSource } from "./rule/rule.js";
import { suggestRules } from "./rule/suggest-rules.js";
import { checkToolRules, type ToolUseFacts } from "./tool-rules.js";

/** Asks a user about a request. */
export type AskPermission = (question: PermissionQuestion) => Promise<PermissionAnswer>;

export interface CreatePermissionsOptions {
  readonly mode: PermissionMode;
  readonly cwd: string;
  /**
   * Asks the user. If omitted, everything that needs an answer is refused. It must always resolve, even if the run is
   * stopped meanwhile, because the next question waits for it.
   */
  readonly ask?: AskPermission;
  /** Called when something was allowed for the session, so that it can be announced. */
  readonly onGrant?: (grant: PermissionGrant) => void;
  /** Rules from settings, flags and the environment; see `parseRule`. Deny rules apply in every mode. */
  readonly rules?: readonly Rule[];
  /**
   * Saves allow rules for this project and returns where they are. Undefined if saving failed: then only this one
   * request is allowed. If omitted, the answer `project` is not offered.
   */
  readonly keepRules?: (texts: readonly string[], words: string) => RuleSource | undefined;
  /** The sandbox that commands run in; its state is checked before each command. Default: no sandbox. */
  readonly sandbox?: SandboxStatus;
}

export interface Permissions {
  readonly mode: PermissionMode;
  /** Applies from the next request; an open question stays open. */
  setMode(mode: PermissionMode): void;
  /** What was allowed for the session, oldest first. */
  readonly grants: readonly PermissionGrant[];
  /** Revokes a grant: the next such request asks again. False if no grant has this ID. */
  revoke(id: number): boolean;
  /** Revokes all grants, for example when another session is opened. Returns them. */
  forget(): readonly PermissionGrant[];
  /** The rules in use, in the order they were given. */
  readonly rules: readonly Rule[];
  /** Stops using a rule; the file it came from is not changed. */
  dropRule(rule: Rule): void;
  /** The configured sandbox; undefined if there is none. */
  readonly sandbox: SandboxStatus | undefined;
  /** Never rejects. */
  readonly permit: (request: PermissionRequest) => Promise<PermissionDecision>;
  /**
   * For `allowTool` of an agent: applies deny and ask rules to tools that do not ask for permission themselves, such as
   * read-only ones. Never rejects.
   */
  readonly allowTool: (use: ToolUseFacts) => Promise<PermissionDecision>;
}

/**
 * The answer `session` is remembered per tool and action. For commands it covers all later commands of that tool; for a
 * path inside the working directory, all paths inside; for a path outside, everything in the same folder and below. It
 * never overrides the modes `plan` and `read-only`, and never covers protected files (`protected-places.ts`).
 *
 * Questions are asked one at a time, so that the answer `session` also applies to those already waiting.
 */
export function createPermissions(options: CreatePermissionsOptions): Permissions {
  let { mode } = options;
  let grants: readonly PermissionGrant[] = [];
  let rules: readonly Rule[] = options.rules ?? [];
  let lastId = 0;
  let queue: Promise<unknown> = Promise.resolve();
  let earlier: Promise<unknown> = Promise.resolve();

  const remember = (asked: AskedRequest): void => {
    const grant = grantFor(asked);
    // If "session" was not offered, the answer means "once".
    if (grant === undefined) return;
    lastId += 1;
    const made = { id: lastId, ...grant };
    grants = [...grants, made];
    options.onGrant?.(made);
  };

  const projectOffer = (asked: AskedRequest) => {
    if (options.keepRules === undefined || asked.always !== undefined) return undefined;
    if (asked.place === "outside" && asked.request.action !== "fetch") return undefined;
    return suggestRules(rules, asked.facts, asked.patterns);
  };

  /** Only commands wait for the sandbox, because its first check takes a moment. */
  const sandboxFor = async ({ action }: PermissionRequest): Promise<CommandSandbox> =>
    action === "run" && options.sandbox !== undefined ? (await options.sandbox.ready()).kind : "off";

  const askInTurn = async (asked: AskedRequest): Promise<PermissionDecision> => {
    const { request } = asked;
    const sandbox = await sandboxFor(request);
    const verdict = verdictOn(asked, { mode, rules, sandbox });
    if (verdict.kind === "allow") return { allowed: true };
    if (verdict.kind === "deny") return refuse(deniedReason(request, { ...verdict, mode }));
    const note = sandbox === "unavailable" ? "This command is not sandboxed. Run bough doctor to see why." : undefined;
    const notes = [verdict.doubt, note, request.note].filter((one) => one !== undefined);
    const requestWithNotes = notes.length === 0 ? request : { ...request, note: notes.join(" ") };
    return askAbout({ ...asked, request: requestWithNotes, always: verdict.always }, verdict.doubt);
  };

  /** `doubt`: why the mode does not allow it. */
  const askAbout = async (asked: AskedRequest, doubt?: string): Promise<PermissionDecision> => {
    const { request } = asked;
    if (grants.some((grant) => covers(grant, asked))) return { allowed: true };
    if (options.ask === undefined) return refuse(unaskedReason({ ...asked, always: asked.always ?? doubt }, mode));
    const offer = projectOffer(asked);
    const answer = await options.ask(defined({ ...permissionQuestion(asked), project: offer?.words }));
    if (answer === "session") remember(asked);
    if (answer === "project" && offer !== undefined) {
      const source = options.keepRules?.(offer.texts, offer.words);
      if (source !== undefined) {
        rules = [...rules, ...offer.texts.map((text) => parseRule(text, { effect: "allow", source }))];
      }
    }
    // If "project" was not offered, the answer means "once".
    if (answer === "once" || answer === "session" || answer === "project") return { allowed: true };
    return refuse(refusedByUser(request, typeof answer === "object" ? answer.reason : undefined));
  };

  const inTurn = (put: () => Promise<PermissionDecision>): Promise<PermissionDecision> => {
    const turn = queue.then(put);
    queue = turn.catch(() => undefined);
    return turn;
  };

  const allowTool = async (use: ToolUseFacts): Promise<PermissionDecision> => {
    try {
      const checked = await checkToolRules(use, { cwd: options.cwd, rules });
      if (checked.kind === "allow") return { allowed: true };
      if (checked.kind === "deny") return refuse(deniedReason(checked.asked.request, { ...checked, mode }));
      return await inTurn(() => askAbout({ ...checked.asked, always: checked.always }));
    } catch (error) {
      return refuse(`Could not check the permission rules for ${use.tool}: ${failureSentence(error)}`);
    }
  };

  /** Paths are resolved in parallel, but questions keep the order of the requests. */
  const queueUp = async (
    request: PermissionRequest,
    before: Promise<unknown>,
  ): Promise<{ readonly decision: PermissionDecision | Promise<PermissionDecision> }> => {
    const [asked, sandbox] = await Promise.all([askedRequest(request, options.cwd), sandboxFor(request)]);
    await before;
    if (verdictOn(asked, { mode, rules, sandbox }).kind === "allow") return { decision: { allowed: true } };
    return { decision: inTurn(() => askInTurn(asked)) };
  };

  const permit = async (request: PermissionRequest): Promise<PermissionDecision> => {
    try {
      const queued = queueUp(request, earlier);
      earlier = queued.catch(() => undefined);
      return await (await queued).decision;
    } catch (error) {
      return refuse(`Could not ask for permission (${described(request)}): ${failureSentence(error)}`);
    }
  };

  return {
    get mode() {
      return mode;
    },
    setMode: (next) => {
      mode = next;
    },
    get grants() {
      return grants;
    },
    revoke: (id) => {
      const left = grants.filter((grant) => grant.id !== id);
      const found = left.length < grants.length;
      grants = left;
      return found;
    },
    forget: () => {
      const ended = grants;
      grants = [];
      return ended;
    },
    get rules() {
      return rules;
    },
    sandbox: options.sandbox,
    dropRule: (rule) => {
      rules = rules.filter((one) => one !== rule);
    },
    permit,
    allowTool,
  };
}

function refuse(reason: string): PermissionDecision {
  return { allowed: false, reason };
}

/** Words the question here, so that every front end asks the same way. */
function permissionQuestion(asked: AskedRequest): PermissionQuestion {
  const { request, always } = asked;
  const isPath = request.action === "read" || request.action === "write";
  const shown = visibleText(request.target, isPath ? { newlines: "escape" } : {});
  const grant = grantFor(asked)?.words;
  return {
    ...request,
    shown: shown.text,
    warnings: [
      ...hiddenWarning(WHAT[request.action], shown.hidden),
      // Windows line endings are ordinary content; the preview still shows them.
      ...hiddenWarning("change", visibleText(previewText(request.preview).replaceAll("\r\n", "\n")).hidden),
      ...(always === undefined ? [] : [`${always} You are asked every time.`]),
      ...(request.note === undefined ? [] : [request.note]),
    ],
    grant,
  };
}

const WHAT = { read: "path", write: "path", run: "command", fetch: "address", use: "input" } as const;

function hiddenWarning(what: string, hidden: readonly string[]): readonly string[] {
  if (hidden.length === 0) return [];
  const some = hidden.slice(0, 5).join(" ") + (hidden.length > 5 ? " ..." : "");
  return [`This ${what} contains hidden characters, shown as ${some}`];
}

function previewText(preview: FilePreview | undefined): string {
  if (preview === undefined) return "";
  return preview.kind === "change" ? preview.diff : preview.text;
}

const VERBS = { read: "reading ", write: "writing ", run: "", fetch: "fetching " } as const;

/** For the model. */
function described({ tool, action, target }: PermissionRequest): string {
  return action === "use" ? `${tool} ${target}` : `${VERBS[action]}${target}`;
}

interface Denied extends Extract<Verdict, { kind: "deny" }> {
  readonly mode: PermissionMode;
}

function deniedReason(request: PermissionRequest, { rule, mode }: Denied): string {
  if (rule !== undefined) {
    const broken = rule.target.kind === "broken" ? ` (which could not be parsed: ${rule.target.problem})` : "";
    return `Refused by rule ${rule.effect} ${rule.text}${broken}: ${described(request)}`;
  }
  const why =
    request.action === "read" ? "only files in the working directory may be read" : "nothing may be changed or run";
  return `Refused in permission mode ${mode} (${why}): ${described(request)}`;
}

/** The reason for a refusal if no user can be asked. */
function unaskedReason({ request, place, always }: AskedRequest, mode: PermissionMode): string {
  const why =
    always !== undefined
      ? always.replace(/\.$/, "")
      : place === "outside"
        ? "outside the working directory"
        : `mode ${mode} asks about this, and mode auto would not`;
  return `Refused because it needs confirmation, which is not possible here (${why}): ${described(request)}`;
}

/** Ends with the full text of what the user said, because that is what to do instead. */
function refusedByUser(request: PermissionRequest, reason: string | undefined): string {
  const no = `The user said no: ${described(request)}`;
  return reason === undefined || reason.trim() === "" ? no : `${no}\nThe user said: ${reason.trim()}`;
}
