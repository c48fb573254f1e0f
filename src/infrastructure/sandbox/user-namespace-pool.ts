import { spawn } from 'node:child_process';
import { closeSync, openSync, writeFileSync } from 'node:fs';

/** Host uid and gid of a command when the server itself is root and the workspace belongs to root. */
export const NOBODY = 65534;

// Real root is exempt from RLIMIT_NPROC, so a command must not be host uid 0. The others keep their numbers;
// host 0 gets one that nobody has, because it must be mapped for CAP_DAC_OVERRIDE to reach root's files, and
// must not be 0 inside, because leaving uid 0 would cost bwrap the capabilities it still needs.
const MAP = `1 1 ${NOBODY}\n100000 0 1\n`;

/** One namespace serves one command at a time: the kernel counts processes for each namespace. */
export class UserNamespacePool {
  readonly #idle: number[] = [];

  constructor(private readonly unshare: string) {}

  /** A descriptor of a user namespace; give it back when nothing lives in it any more. */
  async take(): Promise<number> {
    return this.#idle.pop() ?? (await this.#create());
  }

  giveBack(descriptor: number): void {
    if (this.#idle.length < 16) this.#idle.push(descriptor);
    else closeSync(descriptor);
  }

  close(): void {
    for (const descriptor of this.#idle.splice(0)) closeSync(descriptor);
  }

  async #create(): Promise<number> {
    const holder = spawn(this.unshare, ['--user', '/bin/sh', '-c', 'echo; read line'], {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: {},
    });
    try {
      await new Promise<void>((resolve, reject) => {
        holder.once('error', reject);
        holder.once('exit', (code) => reject(new Error(`${this.unshare} --user ended with ${code}`)));
        holder.stdout.once('data', () => resolve());
      });
      writeFileSync(`/proc/${holder.pid}/uid_map`, MAP);
      writeFileSync(`/proc/${holder.pid}/gid_map`, MAP);
      // The descriptor keeps the namespace alive when its first process is gone.
      return openSync(`/proc/${holder.pid}/ns/user`, 'r');
    } finally {
      holder.stdin.on('error', () => undefined).end();
    }
  }
}
