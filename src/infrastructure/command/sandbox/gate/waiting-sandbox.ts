import type { ChildProcess } from 'node:child_process';
import { closeSync } from 'node:fs';
import { Socket } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import type { StartNow } from '../../../process/process-starter.js';
import {
  type ProcessStart,
  type StandardInput,
  type StartedProcess,
  startAtGate,
} from '../../process/process-launch.js';
import type { StartGate } from '../../process/start-gate.js';
import type { CommandQuarters } from '../command-quarters.js';
import type { GateFiles, GateScriptFile } from './gate-script-file.js';

/** All that a sandbox is made from: two with the same are the same, whatever runs in them. */
export type SandboxStart = Pick<ProcessStart, 'file' | 'args' | 'identity'>;

/** nsenter and bwrap run outside the sandbox: a variable of the command could make them load its code there. */
const NO_VARIABLES = {};

export interface WaitingSandboxHost extends GateFiles {
  readonly startProcess: StartNow;
}

/** bwrap with a shell that waits at its gate. What it is to run is written for it just before it is let go. */
export class WaitingSandbox implements StartedProcess {
  /** Settles when bwrap has ended or could not be started. */
  readonly exited: Promise<void>;

  private constructor(
    readonly quarters: CommandQuarters,
    private readonly made: SandboxStart,
    readonly child: ChildProcess,
    readonly gate: StartGate,
    private readonly script: GateScriptFile,
  ) {
    this.exited = new Promise((resolve) => {
      child.once('exit', () => resolve());
      child.once('error', () => resolve());
    });
  }

  static start(
    host: WaitingSandboxHost,
    quarters: CommandQuarters,
    start: SandboxStart,
    stdin: StandardInput,
  ): WaitingSandbox {
    const script = host.openScript();
    const filter = host.openFilter();
    try {
      const descriptors = [script.readable, filter, ...quarters.descriptors];
      const { child, gate } = startAtGate(
        host.startProcess,
        { ...start, env: NO_VARIABLES, cwd: '/', descriptors, detached: false },
        stdin,
      );
      return new WaitingSandbox(quarters, start, child, gate, script);
    } catch (error) {
      script.close();
      throw error;
    } finally {
      closeSync(filter);
    }
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null || this.child.pid === undefined;
  }

  /** Its mounts, its user, its filter and its namespaces are those of such a start; all else its shell is told. */
  suits({ file, args, identity }: SandboxStart): boolean {
    const { made } = this;
    return isDeepStrictEqual([made.file, made.args, made.identity], [file, args, identity]);
  }

  tell(script: string): void {
    this.script.write(script);
  }

  /** A server that has nothing else to do may end: nobody waits for this one. */
  unref(): void {
    this.child.unref();
    for (const pipe of this.child.stdio) if (pipe instanceof Socket) pipe.unref();
  }

  ref(): void {
    this.child.ref();
    for (const pipe of this.child.stdio) if (pipe instanceof Socket) pipe.ref();
  }

  /** Nobody wants it. Resolves when nothing of it is left. */
  async end(): Promise<void> {
    // Somebody may wait for it: a server that has nothing else to do must not end before the answer.
    this.ref();
    this.gate.shut();
    this.quarters.kill(this.child);
    await this.exited;
    for (const pipe of this.child.stdio) pipe?.destroy();
    this.close();
    await this.quarters.leave(false);
  }

  /** When its process has ended. */
  close(): void {
    this.script.close();
  }
}
