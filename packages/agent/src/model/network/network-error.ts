/** Why a request was not sent on, or did not get past the proxy. Failures of a model step are made from it. */
export class NetworkError extends Error {
  override readonly name = "NetworkError";
  readonly reason: "redirect" | "proxy" | "clear-text" | "wrong-address";

  constructor(reason: NetworkError["reason"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
