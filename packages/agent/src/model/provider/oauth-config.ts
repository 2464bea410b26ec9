/** How a provider that an extension registers lets its users log in. Names and fields are those of pi. */
import type { ModelInfo } from "../language-model.js";

/** What a login gives. Anything else that the provider needs later may be in it too; it is saved as JSON. */
export interface OAuthCredentials {
  /** What `refreshToken` needs for new credentials. */
  readonly refresh: string;
  readonly access: string;
  /** Until when `access` is valid, in milliseconds since 1970. */
  readonly expires: number;
  readonly [field: string]: unknown;
}

/** How a login talks to the user. */
export interface LoginCallbacks {
  /** A page that the user has to open in a browser. */
  onAuth(info: { readonly url: string; readonly instructions?: string }): void;
  /** A code that the user has to type on a page. */
  onDeviceCode(info: {
    readonly userCode: string;
    readonly verificationUri: string;
    readonly intervalSeconds?: number;
    readonly expiresInSeconds?: number;
  }): void;
  /** Rejects if the user cancels. */
  onPrompt(prompt: {
    readonly message: string;
    readonly placeholder?: string;
    readonly allowEmpty?: boolean;
  }): Promise<string>;
  onProgress?(message: string): void;
  /** The code or address a browser shows if it cannot reach this machine. Rejects if the user cancels. */
  onManualCodeInput?(): Promise<string>;
  /** The ID of the option, or undefined if the user cancels. */
  onSelect(prompt: {
    readonly message: string;
    readonly options: readonly { readonly id: string; readonly label: string }[];
  }): Promise<string | undefined>;
  /** Aborted when the user cancels the login. */
  readonly signal?: AbortSignal;
}

export interface ProviderOAuth {
  /** For people, in `/login`. */
  readonly name: string;
  /** Runs the login; what it returns is saved in `auth.json`. */
  login(callbacks: LoginCallbacks): Promise<OAuthCredentials>;
  /** New credentials for expired ones. Only one process asks at a time. */
  refreshToken(credentials: OAuthCredentials, signal: AbortSignal): Promise<OAuthCredentials>;
  /** The key to send, from credentials that are valid. */
  getApiKey(credentials: OAuthCredentials): string;
  /** The provider's models for these credentials, such as other addresses for other regions. */
  modifyModels?(models: readonly ModelInfo[], credentials: OAuthCredentials): readonly ModelInfo[];
}

/** A provider with a login of its own. */
export interface ProviderLogin {
  readonly provider: string;
  /** For people. */
  readonly name: string;
  readonly loggedIn: boolean;
}
