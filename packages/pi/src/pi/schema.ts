/** The schema library that tools of pi describe their input with. */
import * as typebox from "typebox";
import * as compile from "typebox/compile";
import * as value from "typebox/value";

export const schemaModules: Readonly<Record<string, unknown>> = {
  typebox,
  "typebox/compile": compile,
  "typebox/value": value,
};
