import { constants, existsSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { FSWatcher } from 'chokidar';
import type { PolicySnapshot, PolicySource } from '../../application/ports/policy-source.js';
import { Result } from '../../domain/result.js';
import { MAX_POLICY_BYTES } from '../config/yaml-tree.js';
import { changedSinceLoaded, commandsMayWrite } from './changed-policy.js';
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

  /** True: what a running server takes up of it needs trust. */
  commandsMayWrite(file: string): boolean {
    return commandsMayWrite(this.loaded.layer, file);
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
    const watcher = watch([...this.loaded.files, ...others], { ignoreInitial: true });
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
      return this.snapshot;
    }
    const waiting = await this.waitingFor(loaded.value);
    if (waiting !== undefined) {
      const { snapshot } = this.loaded;
      const notice = changedSinceLoaded(waiting, this.request.surroundings);
      if (this.snapshot.notice === notice && this.snapshot.problems.length === 0) return this.snapshot;
      this.change({ ...snapshot, policy: snapshot.policy.withNotice(notice), notice });
    } else if (this.isNews(loaded.value.snapshot)) {
      this.loaded = loaded.value;
      this.watcher?.add([...loaded.value.files]);
      this.change(loaded.value.snapshot);
    }
    return this.snapshot;
  }

  /** What is in force may be the same content as before a change that nobody trusted. */
  private isNews({ hash, notice }: PolicySnapshot): boolean {
    const { hash: before, problems, notice: told } = this.snapshot;
    return hash !== before || problems.length > 0 || notice !== told;
  }

  /** The first file that changed where commands can write, and that nobody has trusted as it is now. */
  private async waitingFor({ contents }: LoadedPolicy): Promise<string | undefined> {
    const { approves } = this.request;
    if (approves === undefined) return undefined;
    for (const [file, bytes] of contents) {
      const before = this.loaded.contents.get(file);
      const isSame = before !== undefined && Buffer.compare(before, bytes) === 0;
      if (isSame || !commandsMayWrite(this.loaded.layer, file)) continue;
      const standing = await approves(file, bytes);
      if (standing !== true && standing !== 'trusted') return file;
    }
    return undefined;
  }

  private change(snapshot: PolicySnapshot): void {
    this.snapshot = snapshot;
    for (const listener of this.listeners) listener(snapshot);
  }
}

/** At most one byte more than a policy may have, and never from anything but a plain file. */
export const readPolicyFile: ReadPolicyFile = async (path, owners) => {
  try {
    // Without O_NONBLOCK a named pipe would hold the start up for ever.
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stats = await file.stat();
      if (!stats.isFile()) return { problem: 'This is no plain file.' };
      if (owners !== undefined && (!owners.includes(stats.uid) || (stats.mode & 0o022) !== 0)) {
        return { problem: notOwned(owners) };
      }
      const bytes = new Uint8Array(Math.min(stats.size, MAX_POLICY_BYTES + 1));
      const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
      return { bytes: bytes.subarray(0, bytesRead) };
    } finally {
      await file.close();
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    if (code === 'ENOENT')
      return { problem: 'There is no such file. `castellan init` writes one to begin with.', absent: true };
    return { problem: `The file cannot be read (${code}).` };
  }
};

function notOwned(owners: readonly number[]): string {
  const whose =
    owners.includes(process.getuid?.() ?? 0) && !owners.every((uid) => uid === 0) ? 'you' : 'root';
  return `This file always counts, so it must belong to ${whose} and nobody else may be able to write it. Set its owner (chown) and take the write permission from others (chmod go-w), or remove it.`;
}
