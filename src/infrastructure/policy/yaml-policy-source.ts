import { stat } from 'node:fs/promises';
import type { PolicySnapshot, PolicySource } from '../../application/ports/permission/policy-source.js';
import { Result } from '../../domain/result.js';
import { MAX_POLICY_BYTES } from '../config/yaml-tree.js';
import { FileWatch } from '../state/file-watch.js';
import { readForeignFile } from '../state/foreign-file.js';
import { changedSinceLoaded, commandsMayWrite } from './changed-policy.js';
import type { TestBench } from './check/policy-tests.js';
import type { ReadPolicyFile } from './compose-policy.js';
import { EmbeddedTools } from './embedded-tools.js';
import { type LoadedPolicy, loadPolicy, type PolicyRefusal, type PolicyRequest } from './load-policy.js';

const SETTLE_MS = 50;
/** Disks tell times more coarsely than the clock does. */
const CLOCK_GRAIN_MS = 2000;

/** The policy of a YAML file. The last good version stays in force while the file on disk is not one. */
export class YamlPolicySource implements PolicySource {
  private readonly openedAt = Date.now();
  private readonly listeners = new Set<(snapshot: PolicySnapshot) => void>();
  private snapshot: PolicySnapshot;
  private readonly watches = new Map<string, FileWatch>();
  private timer: NodeJS.Timeout | undefined;
  private reloading: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly request: PolicyRequest,
    private readonly bench: TestBench,
    private loaded: LoadedPolicy,
    private readonly embedded: EmbeddedTools,
  ) {
    this.snapshot = loaded.snapshot;
  }

  /** Fails with every problem of the file: nothing starts under a policy that nobody wrote. */
  static async open(
    { surroundings, ...rest }: PolicyRequest,
    bench: TestBench,
  ): Promise<Result<YamlPolicySource, PolicyRefusal>> {
    const embedded = new EmbeddedTools(surroundings.tools);
    const request = { ...rest, surroundings: { ...surroundings, embedded } };
    const loaded = await loadPolicy(request, bench, readPolicyFile);
    if (loaded.success) return Result.ok(new YamlPolicySource(request, bench, loaded.value, embedded));
    if (loaded.error.found === undefined || request.file === undefined) return loaded;
    const { file, ...others } = request;
    const builtin = await loadPolicy(others, bench, readPolicyFile);
    if (!builtin.success) return builtin;
    const { snapshot, files, ...policy } = builtin.value;
    // Watched all the same: once it is repaired, or trusted, it counts.
    const watched = {
      ...policy,
      files: [file, ...files],
      snapshot: variantOf(snapshot, { problems: loaded.error.found }),
    };
    return Result.ok(new YamlPolicySource(request, bench, watched, embedded));
  }

  current(): PolicySnapshot {
    return this.snapshot;
  }

  announce(tools: readonly string[]): void {
    this.embedded.announce(tools);
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
    if (this.watches.size > 0 || this.loaded.files.length === 0) return;
    this.follow([...this.loaded.files, ...(this.request.alsoWatch ?? [])]);
    await Promise.all([...this.watches.values()].map(({ ready }) => ready));
    // A change between the first reading and this moment had no witness.
    if (await this.changedSince(this.openedAt - CLOCK_GRAIN_MS)) await this.reload();
  }

  async close(): Promise<void> {
    clearTimeout(this.timer);
    this.listeners.clear();
    for (const watch of this.watches.values()) watch.stop();
    this.watches.clear();
    await this.reloading;
  }

  private follow(files: readonly string[]): void {
    for (const file of files) {
      if (!this.watches.has(file))
        this.watches.set(file, new FileWatch(file, MAX_POLICY_BYTES, () => this.reloadSoon()));
    }
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
      const problems = loaded.error.found ?? loaded.error.problems;
      // A save in several steps may be read more than once; its mistakes are reported once.
      if (JSON.stringify(problems) !== JSON.stringify(this.snapshot.problems))
        this.change(variantOf(this.loaded.snapshot, { problems }));
      return this.snapshot;
    }
    const waiting = await this.waitingFor(loaded.value);
    if (waiting !== undefined) {
      const { snapshot } = this.loaded;
      const notice = changedSinceLoaded(waiting, this.request.surroundings);
      if (this.snapshot.notice === notice && this.snapshot.problems.length === 0) return this.snapshot;
      this.change(variantOf(snapshot, { policy: snapshot.policy.withNotice(notice), notice, problems: [] }));
    } else if (this.isNews(loaded.value.snapshot)) {
      this.loaded = loaded.value;
      if (this.watches.size > 0) this.follow(loaded.value.files);
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

/** The last good policy, with what is to be said of the files on the disk. Its hash and warnings stay unasked for. */
function variantOf(
  snapshot: PolicySnapshot,
  changes: Pick<PolicySnapshot, 'problems'> & Partial<Pick<PolicySnapshot, 'policy' | 'notice'>>,
): PolicySnapshot {
  const { policy, origin, redaction, notice } = snapshot;
  return {
    policy,
    origin,
    redaction,
    ...(notice !== undefined && { notice }),
    ...changes,
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
export const readPolicyFile: ReadPolicyFile = async (path, { inside, owners } = {}) => {
  const links = inside === undefined ? 'anywhere' : { inside };
  const file = await readForeignFile(path, { maxBytes: MAX_POLICY_BYTES, links });
  switch (file.kind) {
    case 'bytes': {
      const { uid, mode } = file.status;
      const isOwned = owners === undefined || (owners.includes(uid) && (mode & 0o022) === 0);
      return isOwned ? { bytes: file.bytes } : { problem: notOwned(owners) };
    }
    case 'missing':
      return { problem: 'There is no such file. `castellan init` writes one to begin with.', absent: true };
    case 'refused':
      if (file.tooLarge) return { problem: TOO_LARGE };
      return { problem: `The file is not read: ${file.why}.` };
  }
};

function notOwned(owners: readonly number[]): string {
  const whose =
    owners.includes(process.getuid?.() ?? 0) && !owners.every((uid) => uid === 0) ? 'you' : 'root';
  return `This file always counts, so it must belong to ${whose} and nobody else may be able to write it. Set its owner (chown) and take the write permission from others (chmod go-w), or remove it.`;
}
