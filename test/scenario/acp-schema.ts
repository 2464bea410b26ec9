/** Checks every frame of the Agent Client Protocol, in both directions, against the schema that the protocol publishes. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";

type Json = Readonly<Record<string, unknown>>;

const SCHEMA = JSON.parse(
  readFileSync(
    createRequire(import.meta.url).resolve("@agentclientprotocol/sdk/schema/v1/schema.unstable.json"),
    "utf8",
  ),
) as { readonly $defs: Readonly<Record<string, Json>> };

const ajv = new Ajv2020({ strict: false, discriminator: false, validateFormats: false }).addSchema(SCHEMA, "acp");
/** "session/new" to "NewSessionRequest", for parameters; and the same for results. */
const PARAMS = new Map<string, string>();
const RESULTS = new Map<string, string>();
for (const [name, def] of Object.entries(SCHEMA.$defs)) {
  const method = def["x-method"];
  if (typeof method !== "string") continue;
  (name.endsWith("Response") ? RESULTS : PARAMS).set(method, name);
}
const validators = new Map<string, ValidateFunction>();

function validator(name: string): ValidateFunction {
  const known = validators.get(name) ?? ajv.compile({ $ref: `acp#/$defs/${name}` });
  validators.set(name, known);
  return known;
}

/** One for each connection: it remembers which request an answer belongs to. */
export class FrameCheck {
  /** What the schema does not allow, of all frames so far. */
  readonly wrong: string[] = [];
  /** Methods and updates that went over the line. */
  readonly seen = new Set<string>();
  readonly #open = new Map<string, string>();

  check(from: "client" | "agent", frame: Json): void {
    const { id, method, params, result, error } = frame;
    if (frame.jsonrpc !== "2.0") this.#fault(from, frame, "it is not JSON-RPC 2.0");
    if (typeof method === "string") {
      if (id !== undefined) this.#open.set(`${from} ${JSON.stringify(id)}`, method);
      this.#validate(from, PARAMS.get(method), params, frame);
      const update = (params as { readonly update?: { readonly sessionUpdate?: string } } | undefined)?.update;
      this.seen.add(method === "session/update" ? `update ${update?.sessionUpdate}` : method);
      return;
    }
    const asked = this.#open.get(`${from === "agent" ? "client" : "agent"} ${JSON.stringify(id)}`);
    if (error !== undefined) this.#validate(from, "Error", error, frame);
    else if (asked === undefined) this.#fault(from, frame, "it answers no request");
    // Some answers are empty, and the schema has no form for them.
    else if (RESULTS.has(asked)) this.#validate(from, RESULTS.get(asked), result, frame);
  }

  #validate(from: string, name: string | undefined, value: unknown, frame: Json): void {
    const validate = name === undefined ? undefined : validator(name);
    if (validate === undefined) this.#fault(from, frame, "the schema has no such method");
    else if (!validate(value)) this.#fault(from, frame, `${name}: ${ajv.errorsText(validate.errors)}`);
  }

  #fault(from: string, frame: Json, reason: string): void {
    this.wrong.push(`${from}: ${reason}\n${JSON.stringify(frame).slice(0, 1000)}`);
  }
}
