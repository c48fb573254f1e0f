import { constants, existsSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { FSWatcher } from 'chokidar';
import type { PolicySnapshot, PolicySource } from '../../application/ports/policy-source.js';
import { Result } from '../../domain/result.js';
import { MAX_POLICY_BYTES } from '../config/yaml-tree.js';
import type { ReadPolicyFile } from './compose-policy.js';
import { type LoadedPolicy, loadPolicy, type PolicyRefusal, type PolicyRequest } from './load-policy.js';
import type { TestBench } from './policy-tests.js';

const SETTLE_MS = 50;
/** Disks tell times more coarsely than the clock does. */
const CLOCK_GRAIN_MS = 2000;

/** The policy of a YAML file. The last good version stays in force while the file on disk is not one. */
export class YamlPolicySource implements PolicySource {
  private readonly openedAt = Date.now();
  private readonly listeners = new Set<(snapshot: PolicySnapshot) => void>();
  private snapshot: PolicySnapshot;
  private watcher: FSWatcher | undefined;
  private timer: NodeJS.Timeout | undefined;
  private reloading: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly request: PolicyRequest,
    private readonly bench: TestBench,
    private loaded: LoadedPolicy,
  ) {
    this.snapshot = loaded.snapshot;
  }

  /** Fails with every problem of the file: nothing starts under a policy that nobody wrote. */
  static async open(
    request: PolicyRequest,
    bench: TestBench,
  ): Promise<Result<YamlPolicySource, PolicyRefusal>> {
    const loaded = await loadPolicy(request, bench, readPolicyFile);
    return loaded.success ? Result.ok(new YamlPolicySource(request, bench, loaded.value)) : loaded;
  }

  current(): PolicySnapshot {
    return this.snapshot;
  }

  /** False: the file only narrows the baseline until somebody trusts it. */
  get trusted(): boolean {
    return this.loaded.trusted;
  }

  onChange(listener: (snapshot: PolicySnapshot) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Reads the files again; one reload after the other, so that the newest content wins. */
  reload(): Promise<PolicySnapshot> {
    const next = this.reloading.then(() => this.loadAgain());
    this.reloading = next;
    return next;
  }

  async watch(): Promise<void> {
    if (this.watcher !== undefined || this.loaded.files.length === 0) return;
    const { watch } = await import('chokidar');
    // Where the folder of a file is missing as well, the watcher would look at everything above it.
    const others = (this.request.alsoWatch ?? []).filter((file) => existsSync(dirname(file)));
    // An embedder that forgets close() must still be able to end.
    const watcher = watch([...this.loaded.files, ...others], { ignoreInitial: true, persistent: false });
    this.watcher = watcher;
    watcher.on('all', () => this.reloadSoon());
    await new Promise<void>((resolve) => watcher.once('ready', () => resolve()));
    // A change between the first reading and this moment had no witness.
    if (await this.changedSince(this.openedAt - CLOCK_GRAIN_MS)) await this.reload();
  }

  async close(): Promise<void> {
    clearTimeout(this.timer);
    this.listeners.clear();
    await this.watcher?.close();
    this.watcher = undefined;
    await this.reloading;
  }

  private async changedSince(moment: number): Promise<boolean> {
    const times = this.loaded.files.map((file) =>
      stat(file).then(
        ({ ctimeMs }) => ctimeMs,
        () => Number.POSITIVE_INFINITY,
      ),
    );
    return (await Promise.all(times)).some((time) => time >= moment);
  }

  /** An editor saves in several steps; they count as one change. */
  private reloadSoon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.reload(), SETTLE_MS);
  }

  private async loadAgain(): Promise<PolicySnapshot> {
    const loaded = await loadPolicy(this.request, this.bench, readPolicyFile);
    if (!loaded.success) {
      const { snapshot } = this.loaded;
      this.change({ ...snapshot, problems: loaded.error.problems });
    } else if (loaded.value.snapshot.hash !== this.snapshot.hash || this.snapshot.problems.length > 0) {
      this.loaded = loaded.value;
      this.watcher?.add([...loaded.value.files]);
      this.change(loaded.value.snapshot);
    }
    return this.snapshot;
  }

  private change(snapshot: PolicySnapshot): void {
    this.snapshot = snapshot;
    for (const listener of this.listeners) listener(snapshot);
  }
}

/** At most one byte more than a policy may have, and never from anything but a plain file. */
export const readPolicyFile: ReadPolicyFile = async (path) => {
  try {
    // Without O_NONBLOCK a named pipe would hold the start up for ever.
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stats = await file.stat();
      if (!stats.isFile()) return { problem: 'This is no plain file.' };
      const bytes = new Uint8Array(Math.min(stats.size, MAX_POLICY_BYTES + 1));
      const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
      return { bytes: bytes.subarray(0, bytesRead) };
    } finally {
      await file.close();
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    if (code === 'ENOENT')
      return { problem: 'There is no such file. `castellan init` writes one to begin with.' };
    return { problem: `The file cannot be read (${code}).` };
  }
};
