/** /login and /logout: accounts at providers that extensions brought. */
import type { LoginCallbacks, ProviderLogin } from "../../model/index.js";
import { errorText, withoutControls } from "../../text/index.js";
import type { Command, CommandContext, CommandOutcome } from "../command.js";
import { matching } from "../completions.js";
import type { LoginUi } from "../login-ui.js";
import { unchanged } from "../outcome.js";
import { SENTENCES } from "../sentences.js";

export const LOGIN_COMMAND: Command = {
  name: "login",
  group: "model",
  usage: "[provider]",
  summary: "Log in to a provider of an extension",
  details:
    "Runs the login that an extension registered for its provider and saves the account in auth.json, which only you can read. For a key of any other provider: bough login <provider>.",
  complete: ({ agent }, typed) => matching(listed(agent.registry.logins?.() ?? []), typed),
  async run(context, args) {
    const { agent, ui } = context;
    if (ui === undefined) return unchanged(SENTENCES.noLoginHere);
    const logins = agent.registry.logins?.() ?? [];
    const wanted = args.trim() === "" ? await chosen(logins, ui) : args.trim();
    if (wanted === undefined) return unchanged(logins.length === 0 ? SENTENCES.noLogins : SENTENCES.loginCancelled);
    const login = logins.find(({ provider }) => provider === wanted);
    if (login === undefined) return unchanged(SENTENCES.noLogin(wanted), "no-login");
    return loggedIn(context, login, ui);
  },
};

export const LOGOUT_COMMAND: Command = {
  name: "logout",
  group: "model",
  usage: "<provider>",
  summary: "Forget the account or key of a provider",
  details: "Removes what is saved for the provider in auth.json. Variables of the environment stay.",
  complete: ({ agent }, typed) =>
    matching(listed((agent.registry.logins?.() ?? []).filter(({ loggedIn: isIn }) => isIn)), typed),
  async run({ agent }, args) {
    const provider = args.trim();
    if (provider === "") return unchanged(SENTENCES.logoutWhat);
    if (agent.registry.logout?.(provider) !== true) return unchanged(SENTENCES.nothingSaved(provider));
    return { kind: "done", message: SENTENCES.loggedOut(provider), data: { provider } };
  },
};

function listed(logins: readonly ProviderLogin[]) {
  return logins.map(({ provider, name }) => ({ value: provider, description: name }));
}

async function chosen(logins: readonly ProviderLogin[], ui: LoginUi): Promise<string | undefined> {
  if (logins.length < 2) return logins[0]?.provider;
  const titles = logins.map(({ provider, name }) => `${provider}: ${name}`);
  const title = await ui.select("Log in to which provider?", titles);
  return logins[titles.indexOf(title ?? "")]?.provider;
}

async function loggedIn({ agent, front }: CommandContext, login: ProviderLogin, ui: LoginUi): Promise<CommandOutcome> {
  const { provider, name } = login;
  const cancelling = new AbortController();
  const asking = new LoginDialogs({ ui, name, copy: (text) => front.copy(text), cancelling });
  try {
    await agent.registry.login?.(provider, asking.callbacks);
    return { kind: "done", message: SENTENCES.loggedIn(withoutControls(name)), data: { provider } };
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

/** One dialog at a time. While the browser has its turn, there is one that cancels. */
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

  /** An address that is no web page is not shown as one to open. */
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

/** Long addresses would be cut. */
function folded(line: string): readonly string[] {
  return line.match(new RegExp(`.{1,${COLUMNS}}`, "gu")) ?? [line];
}
