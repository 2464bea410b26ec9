/** Decides permission requests of tools: by rules, by the mode, by earlier answers, or by asking the user. */
import { defined, visibleText } from "@bough/session/text/index.js";
import { isPackageRegistry, packageRegistries } from "../sandbox/package-registries.js";
import type { SandboxState, SandboxStatus } from "../sandbox/sandbox.js";
import type {
  FilePreview,
  PermissionAnswer,
  PermissionDecision,
  PermissionMode,
  PermissionQuestion,
  PermissionRequest,
} from "../tool.js";
import { failureSentence } from "../tool-failure.js";
import { type AskedRequest, askedRequest, mayLeaveSandbox, type Verdict, verdictOn } from "./asked-request.js";
import { covers, grantFor, type PermissionGrant } from "./grants.js";
import type { CommandSandbox } from "./mode-table.js";
import { parseRule, type Rule, type RuleSource } from "./rule/rule.js";
import { type RuleSuggestion, suggestRules } from "./rule/suggest-rules.js";
import { SandboxedCalls } from "./sandboxed-calls.js";
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
  /** The same for rules of the user, which apply in every project. If omitted, the answer `everywhere` is not offered. */
  readonly keepEverywhere?: (texts: readonly string[], words: string) => RuleSource | undefined;
  /** The sandbox that commands run in; its state is checked before each command. Default: no sandbox. */
  readonly sandbox?: SandboxStatus;
  /** Whether commands run in the sandbox always (the default) or in mode `auto`. */
  readonly sandboxed?: "always" | "auto";
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
  /** Asks the user; undefined if it cannot ask. */
  readonly ask?: AskPermission | undefined;
  /** The rules in use, in the order they were given. */
  readonly rules: readonly Rule[];
  /** Stops using a rule; the file it came from is not changed. */
  dropRule(rule: Rule): void;
  /** The configured sandbox; undefined if there is none. */
  readonly sandbox: SandboxStatus | undefined;
  /** Whether commands run in the sandbox now, in this mode; undefined until it is known whether it works. */
  readonly commandSandbox: CommandSandbox | undefined;
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

  const projectOffer = (asked: AskedRequest): RuleSuggestion | undefined => {
    if (options.keepRules === undefined || asked.always !== undefined) return undefined;
    if (asked.request.blocked !== undefined) return undefined;
    if (asked.place === "outside" && asked.request.action !== "fetch") return undefined;
    return suggestRules(rules, asked.facts, asked.patterns);
  };

  const everywhereOffer = (asked: AskedRequest): RuleSuggestion | undefined => {
    if (options.keepEverywhere === undefined || asked.always !== undefined) return undefined;
    const { request, facts, patterns } = asked;
    if (request.blocked !== undefined) {
      const offer = suggestRules(rules, facts, patterns);
      return offer && { ...offer, words: `${offer.words}, outside the sandbox` };
    }
    return request.action === "fetch" && request.tool === "bash" && isPackageRegistry(facts.host ?? "")
      ? REGISTRIES_OFFER
      : undefined;
  };

  let sandboxState: SandboxState | undefined;
  const usesSandbox = (): boolean => options.sandbox !== undefined && (options.sandboxed !== "auto" || mode === "auto");

  const commandSandbox = (): CommandSandbox | undefined => {
    if (!usesSandbox()) return "off";
    const state = sandboxState ?? options.sandbox?.state;
    return state?.kind === "unavailable" && options.sandboxed === "auto" ? "missing" : state?.kind;
  };

  /** Only commands wait for the sandbox, because its first check takes a moment. */
  const lookAtSandbox = async ({ action }: PermissionRequest): Promise<void> => {
    if (action === "run" && usesSandbox()) sandboxState = await options.sandbox?.ready();
  };

  /** Decides with the mode and the rules of this moment. */
  const decide = (asked: AskedRequest) => {
    const isRun = asked.request.action === "run";
    // The mode may have changed while the sandbox started.
    const sandbox = isRun ? (commandSandbox() ?? "unavailable") : "off";
    const leaves = isRun && options.sandbox !== undefined && (sandbox === "off" || mayLeaveSandbox(asked, rules));
    const isAgain = asked.request.blocked !== undefined;
    const allowed: PermissionDecision = leaves || isAgain ? { allowed: true, outside: true } : { allowed: true };
    return { sandbox, verdict: verdictOn(asked, { mode, rules, sandbox }), allowed };
  };

  const askInTurn = async (asked: AskedRequest): Promise<PermissionDecision> => {
    const { request } = asked;
    await lookAtSandbox(request);
    const { sandbox, verdict, allowed } = decide(asked);
    if (verdict.kind === "allow") return allowed;
    if (verdict.kind === "deny") return refuse(deniedReason(request, { ...verdict, mode }));
    const isBare = sandbox === "unavailable" || sandbox === "missing";
    const note = isBare ? "This command is not sandboxed. Run bough doctor to see why." : undefined;
    const notes = [verdict.doubt, note, request.note].filter((one) => one !== undefined);
    const requestWithNotes = notes.length === 0 ? request : { ...request, note: notes.join(" ") };
    const about = { ...asked, request: requestWithNotes, always: verdict.always };
    const decision = await askAbout(about, verdict.doubt);
    return decision.allowed ? allowed : decision;
  };

  /** `doubt`: why the mode does not allow it. */
  const askAbout = async (asked: AskedRequest, doubt?: string): Promise<PermissionDecision> => {
    const { request } = asked;
    if (grants.some((grant) => covers(grant, asked))) return { allowed: true };
    if (options.ask === undefined) return refuse(unaskedReason({ ...asked, always: asked.always ?? doubt }, mode));
    const offers = { project: projectOffer(asked), everywhere: everywhereOffer(asked) };
    const { project, everywhere } = offers;
    const question = { ...permissionQuestion(asked), project: project?.words, everywhere: everywhere?.words };
    const answer = await options.ask(defined(question));
    if (answer === "session") remember(asked);
    const offer = answer === "project" || answer === "everywhere" ? offers[answer] : undefined;
    if (offer !== undefined) {
      const keep = answer === "project" ? options.keepRules : options.keepEverywhere;
      const source = keep?.(offer.texts, offer.words);
      if (source !== undefined) {
        rules = [...rules, ...offer.texts.map((text) => parseRule(text, { effect: "allow", source }))];
      }
    }
    // If "project" or "everywhere" was not offered, the answer means "once".
    if (YES.has(answer)) return { allowed: true };
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
    const [asked] = await Promise.all([askedRequest(request, options.cwd), lookAtSandbox(request)]);
    await before;
    const { verdict, allowed } = decide(asked);
    if (verdict.kind === "allow") return { decision: allowed };
    return { decision: inTurn(() => askInTurn(asked)) };
  };

  const calls = new SandboxedCalls();

  const permit = async (request: PermissionRequest): Promise<PermissionDecision> => {
    try {
      const completed = calls.completed(request);
      if (completed.blocked?.length === 0)
        return refuse("It was not run again outside the sandbox, because the connection itself was not allowed");
      const queued = queueUp(completed, earlier);
      earlier = queued.catch(() => undefined);
      const decision = await (await queued).decision;
      if (!decision.allowed) calls.noteRefusal(request);
      return decision;
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
    ask: options.ask,
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
    get commandSandbox() {
      return commandSandbox();
    },
    dropRule: (rule) => {
      rules = rules.filter((one) => one !== rule);
    },
    permit,
    allowTool,
  };
}

const YES: ReadonlySet<PermissionAnswer> = new Set(["once", "session", "project", "everywhere"]);

/** One answer for all that package managers download from. */
const REGISTRIES_OFFER: RuleSuggestion = {
  texts: packageRegistries.map((host) => `web_fetch(${host})`),
  words: "reach package registries: npm, PyPI, crates.io and others",
};

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
function described({ tool, action, target, blocked, movedTo }: PermissionRequest): string {
  if (blocked !== undefined) return `running outside the sandbox: ${target}`;
  if (movedTo !== undefined) return `putting back ${target}`;
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
  if (mode === "plan")
    return request.action === "read"
      ? `Plan mode: only files in the working directory can be read: ${described(request)}`
      : `Plan mode: not run: ${described(request)}`;
  const why =
    request.action === "read" ? "only files in the working directory may be read" : "nothing may be changed or run";
  return `Refused in permission mode ${mode} (${why}): ${described(request)}`;
}

/** The reason for a refusal if no user can be asked. */
function unaskedReason({ request, place, always }: AskedRequest, mode: PermissionMode): string {
  if (request.blocked !== undefined) {
    return "It was not run again outside the sandbox, because that needs confirmation, which is not possible here";
  }
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
  const no =
    request.blocked === undefined
      ? `The user said no: ${described(request)}`
      : "The user did not allow running it again outside the sandbox";
  return reason === undefined || reason.trim() === "" ? no : `${no}\nThe user said: ${reason.trim()}`;
}
