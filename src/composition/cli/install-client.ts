import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { createInterface } from 'node:readline/promises';
import { CLIENT_FACTS } from '../../domain/client/client-facts.js';
import { isHookClient, MCP_CLIENTS, type McpClient } from '../../domain/client/mcp-client.js';
import { type ClientMachine, clientFile, defaultScope } from '../../infrastructure/client/client-files.js';
import { ClientPlan } from '../../infrastructure/client/client-plan.js';
import { exclusiveFiles, hookFiles, type SwitchedFile } from '../../infrastructure/client/client-switches.js';
import { isOnPath } from '../../infrastructure/client/own-command.js';
import { type ServerStart, serverEntry } from '../../infrastructure/client/server-entry.js';
import { SettingsRecords } from '../../infrastructure/client/settings-record.js';
import { hookFolder } from '../../infrastructure/hook/hook-door.js';
import { installCommand } from '../../presentation/cli/install/install-command.js';
import type { InstallOptions, OwnToolOptions } from '../../presentation/cli/install/install-options.js';
import { processOutput } from '../../presentation/cli/output.js';
import type { GlobalOptions } from '../../presentation/cli/program/command-actions.js';
import { judgedTools } from '../../presentation/hook/own-tools.js';
import { ConfigurationError } from '../configuration/configuration-error.js';
import { findPlaces } from '../configuration/configuration-places.js';
import { SELF } from './self.js';

export async function changeClient(
  what: 'install' | 'uninstall',
  where: GlobalOptions,
  client: string,
  options: InstallOptions,
): Promise<number> {
  const { workspace, stateFolder } = findPlaces(where);
  const name = clientNamed(client);
  const scope = options.scope ?? defaultScope(name);
  const machine = machineWith(workspace);
  const file = clientFile(name, scope, machine);
  if (file === undefined) {
    processOutput.err(`${client} has no settings in projects. Use --scope user.`);
    return 2;
  }
  const start = startIn(scope);
  const entry = serverEntry(file, start, workspace);
  const plan = new ClientPlan(file, entry, options.name, new SettingsRecords(stateFolder));
  const switched = (own: OwnToolOptions): readonly SwitchedFile[] => [
    ...(own.exclusive ? (exclusiveFiles(name, { scope, machine }) ?? []) : []),
    ...(own.hooks && isHookClient(name) ? hookFiles(name, { scope, machine }, start, judgedTools(name)) : []),
  ];
  if (options.print === true) return print(plan, switched(options));
  const surroundings = {
    client,
    facts: CLIENT_FACTS[name],
    plan: (own: OwnToolOptions) => {
      if (what === 'uninstall') return plan.uninstall(switched({ exclusive: true, hooks: true }));
      // Servers that start from now on answer hooks.
      if (own.hooks) mkdirSync(hookFolder(stateFolder), { recursive: true, mode: 0o700 });
      return plan.install(switched(own));
    },
    ask: process.stdin.isTTY && process.stdout.isTTY ? askPerson : undefined,
  };
  return installCommand(surroundings, what, options, processOutput);
}

async function print(plan: ClientPlan, switched: readonly SwitchedFile[]): Promise<number> {
  const printed = await plan.print(switched);
  if (!printed.success) {
    processOutput.err(printed.error);
    return 3;
  }
  for (const [path, text] of printed.value) {
    processOutput.note(`In ${path}:`);
    processOutput.out(text.trimEnd());
  }
  return 0;
}

/** The file of a project is committed: a path of this machine is of no use there, if the name alone will do. */
function startIn(scope: 'project' | 'user'): ServerStart {
  const [command, ...args] = SELF;
  const isNamed = scope === 'project' && isOnPath(process.argv[1], process.env.PATH);
  return isNamed ? { command: 'castellan', args: [] } : { command, args };
}

function clientNamed(client: string): McpClient {
  const name = MCP_CLIENTS.find((known): known is McpClient => known === client);
  if (name !== undefined) return name;
  throw new ConfigurationError(`Unknown client ${client}. There are: ${MCP_CLIENTS.join(', ')}.`);
}

function machineWith(workspace: string): ClientMachine {
  const { HOME, USERPROFILE } = process.env;
  const home = (process.platform === 'win32' ? USERPROFILE : HOME) ?? homedir();
  return { platform: process.platform, home, workspace, environment: process.env };
}

async function askPerson(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(?:es)?$/i.test((await lines.question(question)).trim());
  } finally {
    lines.close();
  }
}
