import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

/** Options of ours that name descriptors or powers of a process which a bare bwrap does not have. */
const WITH_VALUE = new Set(['--userns', '--userns2', '--pidns', '--seccomp', '--cap-drop', '--cap-add']);
/** In their place, so that it makes as many namespaces as a command meets. */
const OWN = ['--unshare-user', '--unshare-pid', '--unshare-net'];

/**
 * A `bwrap` for the PATH of a server that writes down what it is started with: the arguments of the real plan, for
 * running the very same mounts without the server.
 */
export class BubblewrapRecorder {
  readonly #record: string;

  constructor(private readonly folder: string) {
    mkdirSync(folder, { recursive: true });
    this.#record = join(folder, 'arguments');
    // Commands of a root server run as another user.
    chmodSync(dirname(folder), 0o711);
    chmodSync(folder, 0o777);
    // Whole or not at all: the next sandbox may be set up while this one's arguments are read.
    const keep = `printf '%s\\0' "$@" > '${this.#record}'.$$ && mv '${this.#record}'.$$ '${this.#record}'`;
    const script = `#!/bin/sh\n${keep}\nexec '${realBubblewrap()}' "$@"\n`;
    writeFileSync(join(folder, 'bwrap'), script);
    chmodSync(join(folder, 'bwrap'), 0o755);
  }

  get path(): string {
    return `${this.folder}${delimiter}${process.env.PATH ?? ''}`;
  }

  /** Of the last sandbox, up to its command. */
  arguments(): readonly string[] {
    const recorded = readFileSync(this.#record, 'utf8').split('\0');
    const options = recorded.slice(0, recorded.indexOf('--'));
    const kept: string[] = [];
    for (let index = 0; index < options.length; index += 1) {
      const option = options[index] ?? '';
      if (WITH_VALUE.has(option)) index += 1;
      // The recorder's own folder is shown because it is on the PATH.
      else if (option === '--ro-bind' && options[index + 1] === this.folder) index += 2;
      else kept.push(option);
    }
    return [...OWN, ...kept];
  }
}

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
