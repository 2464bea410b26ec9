/** Logins to providers registered by extensions: saved in `auth.json`, renewed when they expire. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { withFileLock } from "@bough/session/log/index.js";
import { attempt, errorText, isRecord } from "@bough/session/text/index.js";
import { readAuthFile } from "@bough/workbench/secrets/index.js";
import { ModelError } from "../model-error.js";
import { redactKeys } from "../redact-keys.js";
import { saveLogin } from "../save-keys.js";
import type { LoginCallbacks, OAuthCredentials, ProviderOAuth } from "./oauth-config.js";

/** Credentials that expire sooner are renewed, so that they do not expire during a request. */
const MARGIN_MS = 60_000;
const REFRESH_MS = 30_000;

interface OAuthLoginsOptions {
  readonly home: string;
  readonly now: () => number;
  readonly oauthOf: (provider: string) => ProviderOAuth | undefined;
  /** Called after new credentials were saved. */
  readonly onChange: () => void;
}

export class OAuthLogins {
  readonly #options: OAuthLoginsOptions;
  /** Pending refreshes, shared by all callers in this process. */
  readonly #refreshing = new Map<string, Promise<OAuthCredentials>>();

  constructor(options: OAuthLoginsOptions) {
    this.#options = options;
  }

  /** The saved credentials, possibly expired. Undefined for a provider without a login. */
  credentials(provider: string): OAuthCredentials | undefined {
    if (this.#options.oauthOf(provider) === undefined) return undefined;
    return credentialsFrom(readAuthFile(this.#options.home).logins.get(provider));
  }

  /** The saved key, possibly expired. */
  key(provider: string): string | undefined {
    const credentials = this.credentials(provider);
    const oauth = this.#options.oauthOf(provider);
    return credentials && oauth && keyFrom(oauth, credentials);
  }

  /** A valid key; undefined if not logged in. Throws a ModelError if it has expired and cannot be renewed. */
  async freshKey(provider: string): Promise<string | undefined> {
    const oauth = this.#options.oauthOf(provider);
    const saved = this.credentials(provider);
    if (oauth === undefined || saved === undefined) return undefined;
    return keyFrom(oauth, this.#isValid(saved) ? saved : await this.#refreshed(provider, oauth));
  }

  async login(provider: string, callbacks: LoginCallbacks): Promise<void> {
    const { home, oauthOf, onChange } = this.#options;
    const oauth = oauthOf(provider);
    if (oauth === undefined) {
      throw new ModelError("no-login", `${provider} has no login`, {
        data: { provider },
        hint: "Save a key for it instead.",
      });
    }
    const credentials = credentialsFrom(await oauth.login(callbacks));
    callbacks.signal?.throwIfAborted();
    if (credentials === undefined || keyFrom(oauth, credentials) === undefined) {
      throw new ModelError("login-failed", `The login to ${oauth.name} returned no usable credentials`, {
        data: { provider },
        hint: "Nothing was saved. Report this to the author of the extension.",
      });
    }
    saveLogin({ home, provider, credentials });
    onChange();
  }

  #isValid({ expires }: OAuthCredentials): boolean {
    return expires - MARGIN_MS > this.#options.now();
  }

  #refreshed(provider: string, oauth: ProviderOAuth): Promise<OAuthCredentials> {
    const known = this.#refreshing.get(provider);
    if (known !== undefined) return known;
    const refreshing = this.#refresh(provider, oauth).finally(() => this.#refreshing.delete(provider));
    this.#refreshing.set(provider, refreshing);
    return refreshing;
  }

  /**
   * A provider may accept a refresh token only once, so the lock is shared by all processes, and one that waited for it
   * uses what the other saved. A failure leaves the saved credentials unchanged.
   */
  async #refresh(provider: string, oauth: ProviderOAuth): Promise<OAuthCredentials> {
    const { home, onChange } = this.#options;
    const failed = (reason: string, cause?: unknown) =>
      new ModelError("login-expired", `The login to ${oauth.name} could not be renewed: ${reason}`, {
        data: { provider },
        hint: `Log in again with /login ${provider}`,
        cause,
      });
    const name = createHash("sha256").update(provider).digest("hex").slice(0, 16);
    const busy = () => failed("another process is still renewing it");
    return withFileLock({ folder: join(home, "locks"), name, patience: REFRESH_MS, busy }, async () => {
      const saved = this.credentials(provider);
      if (saved === undefined) throw failed("it is no longer saved");
      if (this.#isValid(saved)) return saved;
      const renewed = await oauth.refreshToken(saved, AbortSignal.timeout(REFRESH_MS)).catch((error: unknown) => {
        throw failed(redacted(errorText(error), saved));
      });
      // Keep fields that the provider does not repeat, such as the refresh token.
      const credentials = credentialsFrom({ ...saved, ...renewed });
      if (credentials === undefined) throw failed("the answer has no token");
      saveLogin({ home, provider, credentials });
      onChange();
      return credentials;
    });
  }
}

/** Servers may repeat tokens in their error messages. */
function redacted(text: string, { access, refresh }: OAuthCredentials): string {
  return redactKeys(redactKeys(text, access), refresh);
}

function credentialsFrom(value: unknown): OAuthCredentials | undefined {
  if (!isRecord(value)) return undefined;
  const { refresh, access, expires } = value;
  if (typeof refresh !== "string" || typeof access !== "string" || typeof expires !== "number") return undefined;
  return access === "" || !Number.isFinite(expires) ? undefined : (value as unknown as OAuthCredentials);
}

/** Undefined if it cannot be sent as a key. */
function keyFrom(oauth: ProviderOAuth, credentials: OAuthCredentials): string | undefined {
  const key: unknown = attempt(() => oauth.getApiKey(credentials));
  return typeof key === "string" && /^[\x20-\x7e]+$/.test(key) && key.trim() !== "" ? key : undefined;
}
