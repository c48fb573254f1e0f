import { resolve } from 'node:path';
import type { CallObserver, ObserveCall } from '../../application/ports/system/call-observer.js';
import { isInside } from '../../domain/permission/path/normal-path.js';
import type { PermissionPolicy } from '../../domain/permission/policy/permission-policy.js';
import { Result } from '../../domain/result.js';
import type { Caller } from '../../domain/session/caller.js';
import type { WorkspaceGauges } from '../../infrastructure/observability/prometheus-metrics.js';
import type { ProtocolHome } from '../../presentation/mcp/http/http-sessions.js';
import { holdPrincipalFolder } from './principal-folder.js';

/** One folder that is served: who serves it, and what is known of the calls there. */
export interface ServedWorkspace extends ProtocolHome {
  readonly observer: CallObserver;
  gauges(): WorkspaceGauges;
}

/** A Castellan that serves one folder. */
export interface WorkspaceServer extends ServedWorkspace {
  /** Whether a session is open, or a request, a call or a process under way. */
  isUsed(): boolean;
  close(): Promise<void>;
}

/** What a policy says about the folders of callers. */
interface WorkspacePolicies {
  current(): { readonly policy: Pick<PermissionPolicy, 'workspaceOf' | 'principalFolders'> };
}

const MAX_WORKSPACES = 64;
/** A workspace whose last caller came so recently may be about to be used. */
const JUST_ASKED_MS = 10_000;
const SWEEP_MS = 30_000;

interface Entry {
  readonly path: string;
  /** Device and inode of the folder: another folder under the same name is another workspace. */
  readonly object: string;
  readonly server: Promise<WorkspaceServer>;
  opened: WorkspaceServer | undefined;
  askedAt: number;
}

function alias(named: string): Result<never> {
  const why = `${named} leads into the server's workspace by another name: write it in the policy as a path below it.`;
  return Result.failure(why, 'NoWorkspace');
}

/**
 * Holds the conversations of each principal in its own folder: behind every folder is a server of its own, so that
 * nothing it keeps (files, flags, processes, workflows, statistics) is shared with another. One that nobody uses
 * is released.
 */
export class PrincipalWorkspaces {
  readonly #entries = new Map<string, Entry>();
  readonly #closing = new Map<string, Promise<void>>();
  #observe: ObserveCall | undefined;
  #sweeper: NodeJS.Timeout | undefined;

  constructor(
    private readonly root: string,
    private readonly policies: WorkspacePolicies,
    private readonly own: ServedWorkspace,
    private readonly serve: (folder: string) => Promise<WorkspaceServer>,
    /** How long a workspace without sessions, calls and processes is kept. */
    private readonly idleMs: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  async homeOf(caller: Caller): Promise<Result<ProtocolHome>> {
    const { policy } = this.policies.current();
    const folder = policy.workspaceOf(caller);
    if (folder === undefined) return Result.ok(this.own);
    if (!folder.success) return folder;
    const folders = [this.root, ...policy.principalFolders().map((name) => resolve(this.root, name))];
    const named = resolve(this.root, folder.value);
    const held = holdPrincipalFolder(named, folders);
    if (!held.success) return held;
    const { path, status } = held.value;
    // While it is held, no other folder can get its number.
    try {
      // By such a name the policy does not hide it from callers of this workspace.
      if (isInside(path, this.root) && !isInside(named, this.root)) return alias(named);
      if (path === this.root) return Result.ok(this.own);
      return await this.#serverOf(path, `${status.dev}:${status.ino}`);
    } finally {
      held.value.release();
    }
  }

  async #serverOf(path: string, object: string): Promise<Result<ProtocolHome>> {
    const known = this.#entries.get(path);
    if (known !== undefined && known.object !== object) void this.#release(known);
    else if (known !== undefined) {
      known.askedAt = this.now();
      return Result.ok(await known.server);
    }
    const closing = this.#closing.get(path);
    if (closing !== undefined) {
      await closing;
      return this.#serverOf(path, object);
    }
    if (this.#entries.size >= MAX_WORKSPACES && !this.#releaseIdlest()) {
      return Result.failure(
        `This server already has ${MAX_WORKSPACES} workspaces in use, the maximum.`,
        'Full',
      );
    }
    const server = this.serve(path);
    const entry: Entry = { path, object, server, opened: undefined, askedAt: this.now() };
    this.#entries.set(path, entry);
    this.#sweeper ??= setInterval(() => this.releaseIdle(), SWEEP_MS).unref();
    try {
      entry.opened = await server;
    } catch (error) {
      // The next caller tries again.
      this.#entries.delete(path);
      throw error;
    }
    if (this.#observe !== undefined) entry.opened.observer.watch(this.#observe);
    return Result.ok(entry.opened);
  }

  /** Those that are open now. */
  get served(): readonly ServedWorkspace[] {
    const opened = [...this.#entries.values()].flatMap((entry) => entry.opened ?? []);
    return [this.own, ...opened];
  }

  /** Tells of the calls in every workspace, also in those that are opened later. */
  watch(observe: ObserveCall): void {
    this.#observe = observe;
    for (const { observer } of this.served) observer.watch(observe);
  }

  /** Releases the workspaces that nobody has used for long. */
  releaseIdle(): void {
    for (const entry of this.#entries.values()) {
      if (this.#isIdle(entry) && this.now() - entry.askedAt > this.idleMs) void this.#release(entry);
    }
  }

  #releaseIdlest(): boolean {
    const idle = [...this.#entries.values()]
      .filter((entry) => this.#isIdle(entry) && this.now() - entry.askedAt > JUST_ASKED_MS)
      .sort((first, second) => first.askedAt - second.askedAt);
    if (idle[0] !== undefined) void this.#release(idle[0]);
    return idle.length > 0;
  }

  #isIdle({ opened }: Entry): boolean {
    return opened !== undefined && !opened.isUsed();
  }

  #release(entry: Entry): Promise<void> {
    if (this.#entries.get(entry.path) === entry) this.#entries.delete(entry.path);
    const closing = entry.server
      .then(
        (server) => server.close(),
        // It never opened, which its caller was told.
        () => undefined,
      )
      .finally(() => this.#closing.get(entry.path) === closing && this.#closing.delete(entry.path));
    this.#closing.set(entry.path, closing);
    return closing;
  }

  /** Ends what the revision without sessions has under way. */
  async drain(): Promise<void> {
    await Promise.all(this.served.map(({ modern }) => modern.drain()));
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    for (const entry of this.#entries.values()) void this.#release(entry);
    await Promise.allSettled(this.#closing.values());
  }
}
