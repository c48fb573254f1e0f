import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { Worker } from 'node:worker_threads';

/** Exchanges folders and a file with links to the outside and back, as fast as it can. */
const WORKER = `
const fs = require('node:fs');
const { workerData } = require('node:worker_threads');
const { root, outside, stop } = workerData;
const flag = new Int32Array(stop);
function exchange(name, target) {
  const path = root + '/' + name;
  fs.renameSync(path, path + '.real');
  fs.symlinkSync(target, path);
  for (let i = 0; i < Math.random() * 2000; i++) Atomics.load(flag, 0);
  fs.unlinkSync(path);
  fs.renameSync(path + '.real', path);
  for (let i = 0; i < Math.random() * 2000; i++) Atomics.load(flag, 0);
}
function quietly(work) { try { work(); } catch { } }
while (Atomics.load(flag, 0) === 0) {
  quietly(() => exchange('folder', outside));
  quietly(() => exchange('deep/folder', outside));
  quietly(() => exchange('file', outside + '/file'));
  // A write may have taken the place meanwhile: set the stage again.
  for (const name of ['folder', 'deep/folder']) {
    quietly(() => { if (fs.lstatSync(root + '/' + name).isSymbolicLink()) fs.unlinkSync(root + '/' + name); });
    quietly(() => fs.renameSync(root + '/' + name + '.real', root + '/' + name));
  }
  quietly(() => fs.writeFileSync(root + '/file', 'inside', { flag: 'wx' }));
  Atomics.add(flag, 1, 1);
}
`;

// renameat2 with RENAME_EXCHANGE: there is no moment at which the name is missing.
const NATIVE = `
import ctypes, os, sys
renameat2 = ctypes.CDLL(None).renameat2
root, = sys.argv[1:]
pairs = [(os.fsencode(root + '/' + n), os.fsencode(root + '/.away-' + n)) for n in ('swapped', 'swapped-file')]
while True:
    for one, other in pairs:
        renameat2(-100, one, -100, other, 2)
`;

/** Somebody who can write in the workspace and means no good. */
export class ExchangingNeighbour {
  readonly #flag = new Int32Array(new SharedArrayBuffer(8));
  readonly #worker: Worker;
  #native: ChildProcess | undefined;

  /** Exchanges `folder`, `deep/folder` and `file` of a workspace with links to a folder outside. */
  constructor(
    private readonly root: string,
    outside: string,
  ) {
    this.#worker = new Worker(WORKER, {
      eval: true,
      workerData: { root, outside, stop: this.#flag.buffer },
    });
  }

  /** Also exchanges `swapped` and `swapped-file` with `.away-…`, in one step each; false where that is not possible. */
  exchangeAtOnce(): boolean {
    if (spawnSync('python3', ['-c', 'import ctypes; ctypes.CDLL(None).renameat2']).status !== 0) return false;
    this.#native = spawn('python3', ['-c', NATIVE, this.root], { stdio: 'ignore' });
    return true;
  }

  get exchanges(): number {
    return Atomics.load(this.#flag, 1);
  }

  async stop(): Promise<void> {
    const gone = new Promise((resolve) => this.#worker.once('exit', resolve));
    Atomics.store(this.#flag, 0, 1);
    await gone;
    const native = this.#native;
    if (native === undefined) return;
    const ended = new Promise((resolve) => native.once('exit', resolve));
    native.kill('SIGKILL');
    await ended;
  }
}
