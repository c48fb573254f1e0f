/** What is kept ready for the next command of an agent stays for so long after the last one: longer than most think. */
export const BETWEEN_COMMANDS_MS = 30_000;
