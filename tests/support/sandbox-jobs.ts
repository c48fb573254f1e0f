import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SandboxJob, SandboxLimits } from '../../src/application/ports/command-sandbox.js';

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
