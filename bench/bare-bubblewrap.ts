import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runsCommand } from '../src/application/permission/argument-requests.js';
import { DecideCall } from '../src/application/permission/decide-call.js';
import type { SandboxJob } from '../src/application/ports/command/command-sandbox.js';
import { PolicySource } from '../src/application/ports/permission/policy-source.js';
import type { Castellan } from '../src/composition/server/castellan.js';
import { LOCAL_EMBEDDED } from '../src/domain/session/caller.js';
import { callCancelled, toolFailure } from '../src/domain/tool/tool-error.js';
import { plainArguments } from '../src/infrastructure/command/launch/bubblewrap-arguments.js';
import { planMounts } from '../src/infrastructure/command/mounts/mount-plan.js';
import { findToolchains } from '../src/infrastructure/command/program/toolchains.js';
import { WorkspaceCommands } from '../src/infrastructure/command/runner/workspace-commands.js';
import { prepareHost } from '../src/infrastructure/command/sandbox/bubblewrap-host.js';
import { DeniedObjectStore } from '../src/infrastructure/command/workspace/denied-object-store.js';

const TOOL = 'execute_command';
const MIB = 1024 * 1024;

export interface BareSandbox {
  readonly options: readonly string[];
  /** What the options name goes with it. */
  close(): Promise<void>;
}

/** The whole plan of a command as arguments of one bwrap, which then makes every mount and namespace itself. */
export async function bareSandbox(
  { container }: Castellan,
  workspace: string,
  stateFolder: string,
): Promise<BareSandbox> {
  const { policy } = container.get(PolicySource).current();
  const args = { command: 'true' };
  const call = { caller: LOCAL_EMBEDDED, tool: TOOL, arguments: args, requests: runsCommand(args) };
  const decision = container.get(DecideCall).decide(policy, call);
  if (decision.effect !== 'allow') throw new Error('true is refused');
  const [searchPath, realHome] = [process.env.PATH ?? '', process.env.HOME ?? '/'];
  const places = new DeniedObjectStore(stateFolder, workspace, () => undefined);
  let job: SandboxJob | undefined;
  const commands = new WorkspaceCommands(
    { workspace, stateFolder, environment: process.env, realHome, places },
    {
      kind: 'bubblewrap',
      run: async (planned) => {
        job = planned;
        return toolFailure(callCancelled());
      },
    },
  );
  const { sandbox: profile } = decision.obligations;
  const paths = policy.viewFor(TOOL);
  const prepared = await commands.prepare({
    tool: TOOL,
    policy,
    paths,
    profile,
    session: 'bare',
    cwd: undefined,
  });
  if (!prepared.success) throw new Error(prepared.error.message);
  await prepared.value.run(JOB, new AbortController().signal);
  const host = await prepareHost({ searchPath, stateFolder });
  if (job === undefined || 'reason' in host) throw new Error('There is no sandbox to compare with.');
  const { view, home, tmp } = job;
  const { system } = host;
  const toolchains = await findToolchains(searchPath, realHome);
  const tmpBytes = 64 * MIB;
  const plan = planMounts({ system, toolchains, view, home, tmpBytes, network: 'none', ...(tmp && { tmp }) });
  const request = { systemCalls: 'all', tmpBytes, system, filter: 0 } as const;
  return {
    options: plainArguments('none', [...plan.base, ...plan.inner], request),
    close: async () => {
      await host.close();
      await commands.close();
    },
  };
}

const JOB = {
  program: { kind: 'argv', file: '/bin/true', args: [] },
  env: {},
  network: 'none',
  systemCalls: 'filtered',
  limits: {
    timeoutMs: 1_000,
    maxOutputBytes: MIB,
    memoryBytes: MIB,
    processes: 1,
    openFiles: 1,
    fileBytes: MIB,
    tmpBytes: MIB,
  },
} as const;

function realBubblewrap(): string {
  const found = (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'bwrap'))
    .find((path) => existsSync(path));
  if (found === undefined) throw new Error('bwrap is not on the PATH.');
  return found;
}

/** Runs /bin/true in it, with the pipes that a server would read. */
export async function runBare(options: readonly string[]): Promise<void> {
  const child = spawn(realBubblewrap(), [...options, '--', '/bin/true'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let complaint = '';
  child.stdout.resume();
  child.stderr.on('data', (chunk: Buffer) => {
    complaint += chunk;
  });
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(`bwrap ended with ${code}: ${complaint}`);
}
