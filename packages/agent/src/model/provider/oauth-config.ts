/** The login of a provider that an extension registers. Names and fields are those of pi. */
import type { ModelInfo } from "../language-model.js";

/** The result of a login, saved as JSON. It may contain anything else that the provider needs later. */
export interface OAuthCredentials {
  /** The refresh token, for `refreshToken`. */
  readonly refresh: string;
  readonly access: string;
  /** When `access` expires, in milliseconds since 1970. */
  readonly expires: number;
  readonly [field: string]: unknown;
}

/** How a login interacts with the user. */
export interface LoginCallbacks {
  /** Shows a page that the user has to open in a browser. */
  onAuth(info: { readonly url: string; readonly instructions?: string }): void;
  /** Shows a code that the user has to enter on a page. */
  onDeviceCode(info: {
    readonly userCode: string;
    readonly verificationUri: string;
    readonly intervalSeconds?: number;
    readonly expiresInSeconds?: number;
  }): void;
  /** Asks for a text. Rejects if the user cancels. */
  onPrompt(prompt: {
    readonly message: string;
    readonly placeholder?: string;
    readonly allowEmpty?: boolean;
  }): Promise<string>;
  onProgress?(message: string): void;
  /** Asks for the code or URL that the browser shows if it cannot reach this machine. Rejects if the user cancels. */
  onManualCodeInput?(): Promise<string>;
  /** Returns the ID of the chosen option, or undefined if the user cancels. */
  onSelect(prompt: {
    readonly message: string;
    readonly options: readonly { readonly id: string; readonly label: string }[];
  }): Promise<string | undefined>;
  /** Aborted when the user cancels the login. */
  readonly signal?: AbortSignal;
}

export interface ProviderOAuth {
  /** Display name in `/login`. */
  readonly name: string;
  /** Runs the login; the result is saved in `auth.json`. */
  login(callbacks: LoginCallbacks): Promise<OAuthCredentials>;
  /** Returns new credentials for expired ones. Called by one process at a time. */
  refreshToken(credentials: OAuthCredentials, signal: AbortSignal): Promise<OAuthCredentials>;
  /** Returns the key to send for valid credentials. */
  getApiKey(credentials: OAuthCredentials): string;
  /** Adjusts the provider's models to these credentials, for example their base URLs to a region. */
  modifyModels?(models: readonly ModelInfo[], credentials: OAuthCredentials): readonly ModelInfo[];
}

/** A provider that supports a login. */
export interface ProviderLogin {
  readonly provider: string;
  /** Display name. */
  readonly name: string;
  readonly loggedIn: boolean;
}
