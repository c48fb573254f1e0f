import { mkdir, realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { PolicySource } from '../../application/ports/permission/policy-source.js';
import { Result } from '../../domain/result.js';
import type { Caller } from '../../domain/session/caller.js';
import type { ProtocolHome } from '../../presentation/mcp/http/http-sessions.js';

/** A Castellan that serves one folder. */
export interface WorkspaceServer extends ProtocolHome {
  close(): Promise<void>;
}

const MAX_WORKSPACES = 64;

/**
 * Holds the conversations of each principal in its own folder: behind every folder is a server of its own, so that
 * nothing it keeps (files, flags, processes, workflows, statistics) is shared with another.
 */
export class PrincipalWorkspaces {
  readonly #servers = new Map<string, Promise<WorkspaceServer>>();

  constructor(
    private readonly root: string,
    private readonly policies: PolicySource,
    private readonly own: ProtocolHome,
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
      server = this.serve(real);
      this.#servers.set(real, server);
      // The next caller tries again.
      server.catch(() => this.#servers.delete(real));
    }
    return Result.ok(await server);
  }

  /** Ends what the revision without sessions has under way. */
  async drain(): Promise<void> {
    const servers = await Promise.allSettled(this.#servers.values());
    const homes = servers.flatMap((server) => (server.status === 'fulfilled' ? [server.value] : []));
    await Promise.all([this.own, ...homes].map(({ modern }) => modern.drain()));
  }

  async close(): Promise<void> {
    const servers = await Promise.allSettled(this.#servers.values());
    await Promise.all(servers.map((server) => server.status === 'fulfilled' && server.value.close()));
  }
}
