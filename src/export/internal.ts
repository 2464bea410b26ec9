/** For other rooms only. */
export { type SecretFinder, secretFinder } from "./secrets/find-secrets.js";
