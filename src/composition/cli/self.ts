import { startCommand } from './start-command.js';

/** How a client starts this very program. */
export const SELF = startCommand(process.argv[1]);
