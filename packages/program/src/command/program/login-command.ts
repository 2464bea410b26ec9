/** /login and /logout: accounts at providers, with a key or with the login an extension brings. */
import {
  BROWSER_SIGN_INS,
  catalogue,
  keepsKeys,
  type LoginCallbacks,
  type ProviderLogin,
  type UserModelRegistry,
} from "@bough/agent/model/index.js";
import { closestNames, errorText, withoutControls } from "@bough/session/text/index.js";
import { readArguments } from "../arguments.js";
import type { Command, CommandContext, CommandOutcome } from "../command.js";
import { matching } from "../completions.js";
import type { LoginUi } from "../login-ui.js";
import { unchanged } from "../outcome.js";
import { SENTENCES } from "../sentences.js";
import { browserSignIn } from "./browser-sign-in.js";
import { enterKey, saveKey } from "./enter-key.js";

export const LOGIN_COMMAND: Command = {
  name: "login",
  group: "model",
  usage: "[provider] [model]",
  summary: "Log in to a provider with an API key, or with its own login",
  details:
    "Asks for the provider's key without showing it, checks it with a request, and saves it in auth.json, which only you can read. A key that does not work is not saved. A few providers need a model name for that. OpenRouter offers to sign in with a browser. If an extension registered a login for the provider, that login is run instead.",
  complete: (context, typed) => matching(accounts(context), typed),
  async run(context, args) {
    const { words } = readArguments(args, { most: 2 });
    const [given, model] = words;
    const wanted = given ?? (await chosen(context));
    if (wanted === undefined)
      return unchanged(context.ui === undefined ? SENTENCES.noLoginHere : SENTENCES.loginCancelled);
    const login = (context.agent.registry.logins?.() ?? []).find(({ provider }) => provider === wanted);
    if (login === undefined) return withKey(context, wanted, model);
    return context.ui === undefined ? unchanged(SENTENCES.noLoginHere) : loggedIn(context, login, context.ui);
  },
};

export const LOGOUT_COMMAND: Command = {
  name: "logout",
  group: "model",
  usage: "<provider>",
  summary: "Forget the account or key of a provider",
  details: "Removes what is saved for the provider in auth.json. Environment variables are unchanged.",
  complete: (context, typed) => matching(saved(context), typed),
  async run({ agent }, args) {
    const provider = args.trim();
    if (provider === "") return unchanged(SENTENCES.logoutWhat);
    const { registry } = agent;
    if (registry.logout?.(provider) !== true) return unchanged(SENTENCES.nothingSaved(provider));
    const source = keepsKeys(registry) ? registry.keySource(provider) : undefined;
    const still =
      source?.kind === "variable" || source?.kind === "command" ? ` ${source.name} is still set and is used.` : "";
    return { kind: "done", message: `${SENTENCES.loggedOut(provider)}${still}`, data: { provider } };
  },
};

interface Account {
  readonly value: string;
  readonly description: string;
}

/** Logins of extensions first, then every provider that takes a key. */
function accounts({ agent, settings }: CommandContext): readonly Account[] {
  const { registry } = agent;
  const logins = (registry.logins?.() ?? []).map(({ provider, name }) => ({ value: provider, description: name }));
  if (!keepsKeys(registry)) return logins;
  const { providers } = catalogue(settings.current.models);
  const keyed = registry
    .providers()
    .filter((provider) => providers.get(provider)?.needsKey === true && !logins.some(({ value }) => value === provider))
    .map((provider) => {
      const source = registry.keySource(provider);
      const description =
        source === undefined ? "API key" : source.kind === "file" ? "key saved" : `${source.name} is set`;
      return { value: provider, description };
    });
  return [...logins, ...keyed];
}

function saved({ agent: { registry } }: CommandContext): readonly Account[] {
  const logins = (registry.logins?.() ?? []).filter(({ loggedIn: isIn }) => isIn);
  const keys = keepsKeys(registry)
    ? registry.providers().filter((provider) => registry.keySource(provider)?.kind === "file")
    : [];
  return [
    ...logins.map(({ provider, name }) => ({ value: provider, description: name })),
    ...keys.map((provider) => ({ value: provider, description: "API key" })),
  ];
}

async function chosen(context: CommandContext): Promise<string | undefined> {
  const { ui } = context;
  if (ui === undefined) return undefined;
  const all = accounts(context);
  const titles = all.map(({ value, description }) => `${value}: ${description}`);
  const title = await ui.select("Log in to which provider?", titles);
  return all[titles.indexOf(title ?? "")]?.value;
}

async function withKey(context: CommandContext, provider: string, model: string | undefined): Promise<CommandOutcome> {
  const { registry } = context.agent;
  const known = keepsKeys(registry) ? registry.providers() : [];
  if (!keepsKeys(registry) || !known.includes(provider)) {
    return unchanged(SENTENCES.noLogin(withoutControls(provider), closestNames(provider, known)[0]), "no-login");
  }
  const { ui } = context;
  if (ui !== undefined && BROWSER_SIGN_INS.includes(provider)) {
    const how = await ui.select(`Log in to ${provider}`, HOW);
    if (how === undefined) return unchanged(SENTENCES.loginCancelled);
    if (how === HOW[0]) return withBrowser({ ...context, ui }, registry, { provider, model });
  }
  return enterKey(context, registry, { provider, model });
}

const HOW = ["Sign in with your browser", "Enter an API key"];

interface KeyWanted {
  readonly provider: string;
  readonly model: string | undefined;
}

async function withBrowser(
  context: CommandContext & { readonly ui: LoginUi },
  registry: UserModelRegistry,
  { provider, model }: KeyWanted,
): Promise<CommandOutcome> {
  const { ui, front } = context;
  const cancelling = new AbortController();
  const asking = new LoginDialogs({ ui, name: provider, copy: (text) => front.copy(text), cancelling });
  let key: string;
  try {
    const tell = (url: string) => asking.callbacks.onAuth({ url });
    key = await registry.keyFromBrowser(provider, await browserSignIn({ tell, signal: cancelling.signal }));
  } catch (error) {
    if (cancelling.signal.aborted) return unchanged(SENTENCES.loginCancelled);
    return unchanged(SENTENCES.loginFailed(provider, withoutControls(errorText(error))), "login-failed");
  } finally {
    asking.end();
  }
  return saveKey(context, registry, { provider, model, key });
}

async function loggedIn({ agent, front }: CommandContext, login: ProviderLogin, ui: LoginUi): Promise<CommandOutcome> {
  const { provider, name } = login;
  const cancelling = new AbortController();
  const asking = new LoginDialogs({ ui, name, copy: (text) => front.copy(text), cancelling });
  try {
    await agent.registry.login?.(provider, asking.callbacks);
    return { kind: "done", ...SENTENCES.loggedIn(withoutControls(name)), data: { provider } };
  } catch (error) {
    if (cancelling.signal.aborted) return unchanged(SENTENCES.loginCancelled);
    const reason = withoutControls(errorText(error));
    return unchanged(SENTENCES.loginFailed(withoutControls(name), reason), "login-failed");
  } finally {
    asking.end();
  }
}

interface DialogParts {
  readonly ui: LoginUi;
  readonly name: string;
  readonly copy: (text: string) => void;
  readonly cancelling: AbortController;
}

const WIDGET = "bough.login";

/** One dialog at a time. While the browser is open, a dialog offers to cancel. */
class LoginDialogs {
  readonly #parts: DialogParts;
  #waiting: AbortController | undefined;

  constructor(parts: DialogParts) {
    this.#parts = parts;
  }

  get callbacks(): LoginCallbacks {
    const { ui, cancelling } = this.#parts;
    return {
      signal: cancelling.signal,
      onAuth: ({ url, instructions }) => this.#show("Open this page to log in:", [url], instructions),
      onDeviceCode: ({ userCode, verificationUri }) =>
        this.#show(`Enter the code ${withoutControls(userCode)} on this page:`, [verificationUri]),
      onProgress: (message) => ui.notify(withoutControls(message)),
      onPrompt: ({ message, placeholder, allowEmpty }) => this.#ask(message, { placeholder, allowEmpty }),
      onManualCodeInput: () => this.#ask("Paste the code or address that the browser shows"),
      onSelect: async ({ message, options }) => {
        this.#stopWaiting();
        const labels = options.map(({ label }) => withoutControls(label));
        const answer = await ui.select(withoutControls(message), labels, { signal: cancelling.signal });
        return options[labels.indexOf(answer ?? "")]?.id;
      },
    };
  }

  end(): void {
    this.#stopWaiting();
    this.#parts.ui.setWidget(WIDGET, undefined);
  }

  async #ask(
    message: string,
    {
      placeholder,
      allowEmpty,
    }: { readonly placeholder?: string | undefined; readonly allowEmpty?: boolean | undefined } = {},
  ): Promise<string> {
    const { ui, cancelling } = this.#parts;
    this.#stopWaiting();
    const answer = await ui.input(withoutControls(message), placeholder, { signal: cancelling.signal });
    if (answer !== undefined || allowEmpty === true) return answer ?? "";
    cancelling.abort();
    throw new Error("cancelled");
  }

  /** Only web addresses are offered to open. */
  #show(title: string, addresses: readonly string[], instructions?: string): void {
    const { ui, copy } = this.#parts;
    const pages = addresses.filter((address) => /^https?:\/\//i.test(address)).map(withoutControls);
    const lines = [title, ...pages, ...(instructions === undefined ? [] : [withoutControls(instructions)])];
    ui.setWidget(WIDGET, lines.flatMap(folded));
    ui.notify(lines.join("\n"));
    if (pages[0] !== undefined) copy(pages[0]);
    void this.#wait();
  }

  async #wait(): Promise<void> {
    const { ui, name, cancelling } = this.#parts;
    this.#stopWaiting();
    const waiting = new AbortController();
    this.#waiting = waiting;
    await ui.select(`Waiting for ${withoutControls(name)}`, ["Cancel"], { signal: waiting.signal });
    if (!waiting.signal.aborted) cancelling.abort();
  }

  #stopWaiting(): void {
    this.#waiting?.abort();
    this.#waiting = undefined;
  }
}

const COLUMNS = 76;

/** Long addresses would be truncated. */
function folded(line: string): readonly string[] {
  return line.match(new RegExp(`.{1,${COLUMNS}}`, "gu")) ?? [line];
}
