/** Public view of a connection; separate, so that declarations do not import the SDK. */

export type ServerState =
  | { readonly kind: "idle" | "connecting" | "connected" | "disabled" }
  | { readonly kind: "failed" | "needs-login"; readonly reason: string; readonly hint?: string };

export interface TransportPlace {
  readonly cwd: string;
  /** Bough's own folder, where logins are stored. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}
