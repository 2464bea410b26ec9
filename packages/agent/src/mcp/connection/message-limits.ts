/** Size limit for a message from a server, for all transports. */
export const MAX_MESSAGE_BYTES = 10 * 1024 * 1024;
