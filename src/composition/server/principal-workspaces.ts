import { mkdir, realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { PolicySource } from '../../application/ports/permission/policy-source.js';
import type { CallObserver, ObserveCall } from '../../application/ports/system/call-observer.js';
import { Result } from '../../domain/result.js';
import type { Caller } from '../../domain/session/caller.js';
import type { WorkspaceGauges } from '../../infrastructure/observability/prometheus-metrics.js';
import type { ProtocolHome } from '../../presentation/mcp/http/http-sessions.js';

/** One folder that is served: who serves it, and what is known of the calls there. */
export interface ServedWorkspace extends ProtocolHome {
  readonly observer: CallObserver;
  gauges(): WorkspaceGauges;
}

/** A Castellan that serves one folder. */
export interface WorkspaceServer extends ServedWorkspace {
  close(): Promise<void>;
}

const MAX_WORKSPACES = 64;

/**
 * Holds the conversations of each principal in its own folder: behind every folder is a server of its own, so that
 * nothing it keeps (files, flags, processes, workflows, statistics) is shared with another.
 */
export class PrincipalWorkspaces {
  readonly #servers = new Map<string, Promise<WorkspaceServer>>();
  readonly #open = new Set<ServedWorkspace>();
  #observe: ObserveCall | undefined;

  constructor(
    private readonly root: string,
    private readonly policies: PolicySource,
    private readonly own: ServedWorkspace,
    private readonly serve: (folder: string) => Promise<WorkspaceServer>,
  ) {}

  async homeOf(caller: Caller): Promise<Result<ProtocolHome>> {
    const folder = this.policies.current().policy.workspaceOf(caller);
    if (folder === undefined) return Result.ok(this.own);
    if (!folder.success) return folder;
    const path = resolve(this.root, folder.value);
    await mkdir(path, { recursive: true, mode: 0o700 });
    const real = await realpath(path);
    if (real === this.root) return Result.ok(this.own);
    let server = this.#servers.get(real);
    if (server === undefined) {
      if (this.#servers.size >= MAX_WORKSPACES) {
        return Result.failure(`This server has ${MAX_WORKSPACES} workspaces open, and not more.`, 'Full');
      }
      server = this.serve(real).then((served) => this.#opened(served));
      this.#servers.set(real, server);
      // The next caller tries again.
      server.catch(() => this.#servers.delete(real));
    }
    return Result.ok(await server);
  }

  /** Those that are open now. */
  get served(): readonly ServedWorkspace[] {
    return [this.own, ...this.#open];
  }

  /** Tells of the calls in every workspace, also in those that are opened later. */
  watch(observe: ObserveCall): void {
    this.#observe = observe;
    for (const { observer } of this.served) observer.watch(observe);
  }

  #opened(server: WorkspaceServer): WorkspaceServer {
    this.#open.add(server);
    if (this.#observe !== undefined) server.observer.watch(this.#observe);
    return server;
  }

  /** Ends what the revision without sessions has under way. */
  async drain(): Promise<void> {
    await Promise.all(this.served.map(({ modern }) => modern.drain()));
  }

  async close(): Promise<void> {
    const servers = await Promise.allSettled(this.#servers.values());
    await Promise.all(servers.map((server) => server.status === 'fulfilled' && server.value.close()));
  }
}
