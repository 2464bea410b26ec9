/** How much one message of a server may hold, however it arrives. */
export const MAX_MESSAGE_BYTES = 10 * 1024 * 1024;
