import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type {
  CommandOutcome,
  CommandSandbox,
  SandboxJob,
  SandboxLimits,
} from '../../src/application/ports/command/command-sandbox.js';
import {
  type BubblewrapOptions,
  BubblewrapSandbox,
} from '../../src/infrastructure/command/sandbox/bubblewrap-sandbox.js';

const MIB = 1024 * 1024;

export const GENEROUS: SandboxLimits = {
  timeoutMs: 15_000,
  maxOutputBytes: 256 * 1024,
  memoryBytes: 1024 * MIB,
  processes: 128,
  openFiles: 256,
  cpuSeconds: 30,
  fileBytes: 100 * MIB,
  tmpBytes: 16 * MIB,
};

/** A folder with a workspace, a home, a state folder and something outside, gone after the suite. */
export class SandboxGround {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'castellan-sandbox-')));
  readonly workspace = join(this.root, 'workspace');
  readonly home = join(this.root, 'home');
  readonly state = join(this.root, 'state');

  constructor() {
    mkdirSync(this.workspace);
  }

  bubblewrap(
    options: Pick<BubblewrapOptions, 'onlyBubblewrap' | 'groups' | 'outside'> = {},
  ): BubblewrapSandbox {
    return new BubblewrapSandbox({
      ...options,
      searchPath: process.env.PATH ?? '',
      realHome: homedir(),
      stateFolder: this.state,
    });
  }

  /** The same, with every command in one session whose /tmp lasts. */
  inSession(sandbox: BubblewrapSandbox, session = 'one'): CommandSandbox {
    const tmp = join(this.root, 'state', 'tmp', session);
    return {
      kind: sandbox.kind,
      detect: () => sandbox.detect(),
      run: (job, signal) => sandbox.run({ ...job, session, tmp }, signal),
      endSession: (name) => sandbox.endSession(name),
    };
  }

  job(
    changes: Partial<Omit<SandboxJob, 'limits'>> & { readonly limits?: Partial<SandboxLimits> } = {},
  ): SandboxJob {
    return {
      program: { kind: 'argv', file: '/bin/true', args: [] },
      cwd: this.workspace,
      env: { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8' },
      view: { read: [], write: [this.workspace], hide: [], readOnlyInside: [] },
      home: this.home,
      network: 'none',
      systemCalls: 'filtered',
      ...changes,
      limits: { ...GENEROUS, ...changes.limits },
    };
  }

  /** The same with a line of shell. */
  shell(text: string, changes: Parameters<SandboxGround['job']>[0] = {}): SandboxJob {
    return this.job({ ...changes, program: { kind: 'script', shell: '/bin/bash', text } });
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** Fails by name where the machine has no sandbox: these suites are never skipped. */
export async function requireSandbox(sandbox: CommandSandbox): Promise<void> {
  const status = await sandbox.detect();
  if (status.state === 'missing')
    throw new Error(`The sandbox suites need bubblewrap. ${status.reason} ${status.remedy}`);
}

export async function outcomeOf(
  sandbox: CommandSandbox,
  job: SandboxJob,
  signal = new AbortController().signal,
): Promise<CommandOutcome> {
  const result = await sandbox.run(job, signal);
  if (!result.success) throw new Error(`The command did not end by itself: ${result.error.message}`);
  return result.value;
}

/** The processes of the whole machine whose command line holds a word that nothing else uses. */
export function processesWith(marker: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && commandLine(pid).includes(marker));
}

/** The program itself, running: not the sandbox that is about to start it. */
export function isRunning(program: string, marker: string): boolean {
  return processesWith(marker).some((pid) => {
    const [name = '', argument] = commandLine(pid).split('\0');
    return name.split('/').at(-1) === program && argument === marker;
  });
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
