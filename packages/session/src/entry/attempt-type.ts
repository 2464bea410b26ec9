/** The `customType` of the entry that the branch of an attempt begins with. */
export const ATTEMPT_TYPE = "bough.attempt";
