/** The name of Bough's own agent, where the name of another one can be. */
export const OWN_AGENT = "bough";
