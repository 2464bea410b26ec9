/** The schema library with which pi's tools describe their input. */
import * as typebox from "typebox";
import * as compile from "typebox/compile";
import * as value from "typebox/value";

export const schemaModules: Readonly<Record<string, unknown>> = {
  typebox,
  "typebox/compile": compile,
  "typebox/value": value,
};
