import { Server } from '@modelcontextprotocol/sdk/server/index.js';

export const allowed = Server;
