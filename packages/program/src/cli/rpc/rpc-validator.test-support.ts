/** Validates lines against the published schema, as any client could. */
import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { definitionName, type RpcSchema } from "./rpc-schema.js";

const file = new URL("../../../../../docs/reference/rpc-schema.json", import.meta.url);

interface RpcValidator {
  /** What is wrong with a line from the program; `method` is that of the request it responds to. */
  readonly serverLine: (line: object, method?: string) => string[];
  /** What is wrong with a line from a client. */
  readonly clientLine: (line: object) => string[];
  readonly definition: (name: string, value: unknown) => string[];
}

let made: RpcValidator | undefined;

/** Stricter than the schema: Bough itself writes no unusual entries or messages, so a wrong shape is an error here. */
export function rpcValidator(): RpcValidator {
  made ??= newValidator();
  return made;
}

function newValidator(): RpcValidator {
  const { anyOf: _lines, ...schema } = JSON.parse(readFileSync(file, "utf8")) as RpcSchema;
  const strict = { ...schema.$defs, OtherEntry: { not: {} }, OtherMessage: { not: {} } };
  const ajv = new Ajv2020({ strict: true, allErrors: false });
  ajv.addSchema({ ...schema, $id: "rpc", $defs: strict });
  const definition = (name: string, value: unknown): string[] => {
    const check = ajv.getSchema(`rpc#/$defs/${name}`);
    if (check === undefined) return [`${name} is not defined`];
    return check(value) === true
      ? []
      : [`${name}: ${ajv.errorsText(check.errors)} in ${JSON.stringify(value).slice(0, 500)}`];
  };
  const result = (method: string, value: unknown): string[] => {
    const { properties } = schema.$defs.Methods as unknown as Maps;
    const ref = properties[method]?.properties.result.$ref;
    return ref === undefined ? [`${method} is not a method`] : definition(ref.replace("#/$defs/", ""), value);
  };
  return {
    definition,
    clientLine: (line) => definition("ClientLine", line),
    serverLine(line, method) {
      if ("event" in line) {
        const { type } = line.event as { readonly type: string };
        return [...definition(`${definitionName(type)}Event`, line.event), ...definition("EventLine", line)];
      }
      if ("method" in line) return definition(`${definitionName(line.method as string)}Question`, line);
      if ("error" in line) return definition("ErrorResponse", line);
      if (method === undefined) return ["an answer to nothing"];
      return result(method, (line as { readonly result: unknown }).result);
    },
  };
}

interface Maps {
  readonly properties: Readonly<
    Record<string, { readonly properties: { readonly result: { readonly $ref?: string } } }>
  >;
}
