import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { formatTypes, RPC_TYPES } from "../../../../../scripts/build/rpc-types.mjs";
import { CLI_ERROR_CODES } from "../cli-error.js";
import { jsonPage } from "./json-page.test-support.js";
import { RPC_METHODS } from "./methods/rpc-methods.js";
import { withRpcLists } from "./rpc-page.test-support.js";
import { rpcSchema } from "./rpc-schema.js";
import { rpcTypes } from "./rpc-types.js";

const docs = fileURLToPath(new URL("../../../../../docs/", import.meta.url));
const page = readFileSync(join(docs, "rpc.md"), "utf8");

const root = fileURLToPath(new URL("../../../../../", import.meta.url));

// `npx vitest run packages/program/src/cli/rpc/rpc-docs.test.ts --update` writes all of them again.
describe("the published description of RPC", () => {
  test("docs/reference/rpc-schema.json is what the tables give today", async () => {
    await expect(`${jsonPage(rpcSchema())}\n`).toMatchFileSnapshot(join(docs, "reference", "rpc-schema.json"));
  });

  test("the types of bough/rpc that the build wrote are what the tables give today", () => {
    const folder = join(root, RPC_TYPES);
    const written = new Map(readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), "utf8")]));
    expect(written, "run: npm run build").toEqual(formatTypes(root, rpcTypes()));
  });

  test("the file is a valid JSON Schema that accepts good lines and rejects bad ones", () => {
    const published = JSON.parse(readFileSync(join(docs, "reference", "rpc-schema.json"), "utf8"));
    expect(published).toEqual(JSON.parse(JSON.stringify(rpcSchema())));
    const ajv = new Ajv2020({ strict: true });
    expect([ajv.validateSchema(published), ajv.errors]).toEqual([true, null]);
    const isClientLine = ajv.compile({ ...published, $id: "bough", anyOf: [{ $ref: "#/$defs/ClientLine" }] });
    expect(isClientLine({ id: 1, method: "prompt", params: { text: "hello" } })).toBe(true);
    expect(isClientLine({ id: 1, method: "prompt", params: { text: 5 } })).toBe(false);
    expect(isClientLine({ id: 1, method: "no such method" })).toBe(false);
  });

  test("text of any length stays text", () => {
    const value = { description: "S".repeat(500), list: ["T".repeat(300)], nothing: null };
    expect(JSON.parse(jsonPage(value))).toEqual(value);
  });

  test("the lists of docs/rpc.md are what the tables give today", async () => {
    await expect(withRpcLists(page)).toMatchFileSnapshot(join(docs, "rpc.md"));
  });

  test("every reference in the schema can be resolved", () => {
    const schema = rpcSchema() as { readonly $defs: Readonly<Record<string, unknown>> };
    const wanted = [...JSON.stringify(schema).matchAll(/"\$ref":"#\/\$defs\/([^"]+)"/g)].map((match) => match[1]);
    expect(wanted.filter((name) => !Object.hasOwn(schema.$defs, name as string))).toEqual([]);
    expect(wanted).toEqual(expect.arrayContaining(["Entry", "RunOutcome", "PromptRequest"]));
  });

  test("the sample requests of docs/rpc.md are accepted", () => {
    const requests = [...page.matchAll(/^→ (.+)$/gm)].map((match) => JSON.parse(match[1] as string));
    const methods = requests.filter((request) => request.method !== undefined);
    expect(methods.length).toBeGreaterThan(4);
    for (const { id, method, params } of methods) {
      expect(id).toEqual(expect.any(Number));
      expect(RPC_METHODS.get(method)?.params.safeParse(params ?? {}).error).toBeUndefined();
    }
  });

  test("docs/rpc.md explains each of its own codes", () => {
    expect(Object.keys(CLI_ERROR_CODES).filter((code) => !page.includes(`\`${code}\``))).toEqual([]);
  });
});
