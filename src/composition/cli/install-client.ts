import { homedir } from 'node:os';
import { createInterface } from 'node:readline/promises';
import { MCP_CLIENTS, type McpClient } from '../../domain/client/mcp-client.js';
import {
  type ClientFile,
  type ClientMachine,
  clientFile,
  defaultScope,
} from '../../infrastructure/client/client-files.js';
import { ClientRegistration } from '../../infrastructure/client/client-registration.js';
import { serverEntry } from '../../infrastructure/client/server-entry.js';
import { type InstallOptions, installCommand } from '../../presentation/cli/install/install-command.js';
import { processOutput } from '../../presentation/cli/output.js';
import type { GlobalOptions } from '../../presentation/cli/program/command-actions.js';
import { ConfigurationError } from '../configuration/configuration-error.js';
import { findPlaces } from '../configuration/configuration-places.js';
import { SELF } from './self.js';

export async function changeClient(
  what: 'install' | 'uninstall',
  where: GlobalOptions,
  client: string,
  options: InstallOptions,
): Promise<number> {
  const { workspace } = findPlaces(where);
  const file = fileOf(client, options, workspace);
  if (file === undefined) {
    processOutput.err(`${client} has no settings in projects. Use --scope user.`);
    return 2;
  }
  const registration = new ClientRegistration(file, options.name);
  const entry = serverEntry(file, { command: SELF[0], args: SELF.slice(1) }, workspace);
  if (options.print === true) {
    processOutput.note(`In ${file.path}:`);
    processOutput.out((await registration.print(entry)).trimEnd());
    return 0;
  }
  const plan = () => (what === 'install' ? registration.add(entry) : registration.remove());
  const ask = process.stdin.isTTY && process.stdout.isTTY ? askPerson : undefined;
  return installCommand({ client, plan, ask }, what, options, processOutput);
}

function fileOf(client: string, { scope }: InstallOptions, workspace: string): ClientFile | undefined {
  const name = MCP_CLIENTS.find((known): known is McpClient => known === client);
  if (name === undefined) {
    throw new ConfigurationError(`Unknown client ${client}. There are: ${MCP_CLIENTS.join(', ')}.`);
  }
  const { HOME, USERPROFILE } = process.env;
  const home = (process.platform === 'win32' ? USERPROFILE : HOME) ?? homedir();
  const machine: ClientMachine = {
    platform: process.platform,
    home,
    workspace,
    environment: process.env,
  };
  return clientFile(name, scope ?? defaultScope(name), machine);
}

async function askPerson(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(?:es)?$/i.test((await lines.question(question)).trim());
  } finally {
    lines.close();
  }
}
