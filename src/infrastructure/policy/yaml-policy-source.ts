import { existsSync, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { FSWatcher } from 'chokidar';
import type { PolicySnapshot, PolicySource } from '../../application/ports/policy-source.js';
import { Result } from '../../domain/result.js';
import { MAX_POLICY_BYTES } from '../config/yaml-tree.js';
import { readForeignFile } from '../state/foreign-file.js';
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
    if (loaded.success) return Result.ok(new YamlPolicySource(request, bench, loaded.value));
    if (loaded.error.found === undefined || request.file === undefined) return loaded;
    const { file, ...others } = request;
    const builtin = await loadPolicy(others, bench, readPolicyFile);
    if (!builtin.success) return builtin;
    const { snapshot, files, ...rest } = builtin.value;
    // Watched all the same: once it is repaired, or trusted, it counts.
    const watched = {
      ...rest,
      files: [file, ...files],
      snapshot: withProblems(snapshot, loaded.error.found),
    };
    return Result.ok(new YamlPolicySource(request, bench, watched));
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
    // A folder in the place of a file would be watched with all that is in it, be it a link to the whole disk.
    const files = [...this.loaded.files, ...others].filter((file) => !isFolder(file));
    // An embedder that forgets close() must still be able to end.
    const watcher = watch(files, { ignoreInitial: true, depth: 0, persistent: false });
    this.watcher = watcher;
    watcher.on('all', () => this.reloadSoon());
    await new Promise<void>((resolve) => {
      // A file that may not be read may not be watched either: it counts again after the next start.
      watcher.on('error', () => resolve());
      watcher.once('ready', () => resolve());
    });
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
      this.change(withProblems(this.loaded.snapshot, loaded.error.found ?? loaded.error.problems));
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

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    // Missing, or behind links that lead in a circle: no folder.
    return false;
  }
}

/** The last good policy, with what is wrong on the disk. Its hash and warnings stay unasked for until needed. */
function withProblems(snapshot: PolicySnapshot, problems: PolicySnapshot['problems']): PolicySnapshot {
  const { policy, origin, redaction } = snapshot;
  return {
    policy,
    origin,
    redaction,
    problems,
    get hash() {
      return snapshot.hash;
    },
    get warnings() {
      return snapshot.warnings;
    },
  };
}

const TOO_LARGE = `The file is larger than ${MAX_POLICY_BYTES / 1024} KiB. Split it with extends.`;

/** At most what a policy may have, and never from anything but a regular file. */
export const readPolicyFile: ReadPolicyFile = async (path, inside) => {
  const links = inside === undefined ? 'anywhere' : { inside };
  const file = await readForeignFile(path, { maxBytes: MAX_POLICY_BYTES, links });
  switch (file.kind) {
    case 'bytes':
      return { bytes: file.bytes };
    case 'missing':
      return { problem: 'There is no such file. `castellan init` writes one to begin with.' };
    case 'refused':
      if (file.tooLarge) return { problem: TOO_LARGE };
      return { problem: `The file is not read: ${file.why}.` };
  }
};
