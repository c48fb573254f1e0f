import { fileURLToPath } from 'node:url';
import type { EchoCall, Subject } from './bench-suite.js';
import { plainFiles, plainReads } from './file-tools.js';
import type { ServerCommand } from './stdio-client.js';

export const plainEcho: EchoCall = { tool: 'echo', expectedText: (message) => `Echo: ${message}` };

/** The built server, the limit of the language, and the SDK with nothing around it. */
export function ownSubjects(serverFile: string, workspace: string): readonly Subject[] {
  return [
    {
      ...nodeSubject('castellan', [serverFile], workspace, plainEcho),
      files: plainFiles,
      http: nodeServer([serverFile, 'serve', '--http', '--port', '0'], workspace),
    },
    {
      ...nodeSubject('floor', [peerFile('floor.mjs')], workspace, plainEcho),
      files: plainFiles,
      http: nodeServer([peerFile('http-floor.mjs')], workspace),
    },
    {
      ...nodeSubject('bare SDK', [peerFile('bare-sdk.mjs')], workspace, plainEcho),
      files: plainReads,
      http: nodeServer([peerFile('http-bare-sdk.mjs')], workspace),
    },
  ];
}

export function nodeServer(args: readonly string[], cwd: string): ServerCommand {
  return { command: process.execPath, args, cwd };
}

/** Node runs the file itself: a launcher such as npx would hide the server's process. */
export function nodeSubject(name: string, args: readonly string[], cwd: string, echo?: EchoCall): Subject {
  const server = nodeServer(args, cwd);
  return echo === undefined ? { name, server } : { name, server, echo };
}

export function peerFile(name: string): string {
  return fileURLToPath(new URL(`peers/${name}`, import.meta.url));
}

/** The command that starts a server for the files in a folder. */
export function rootedServer({ server, rooted }: Subject, root: string): ServerCommand {
  return rooted?.(root) ?? server;
}
