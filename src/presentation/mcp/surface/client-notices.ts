import { inject, injectable } from 'inversify';
import { PolicySource } from '../../../application/ports/permission/policy-source.js';
import type { ResourceNotice } from '../../../application/ports/resource/resource-notices.js';
import { ToolRegistry } from '../../../application/ports/tool/tool-registry.js';
import type { Session } from '../../../domain/session/session.js';
import { ProtocolSurface } from './protocol-surface.js';

/** How long after the handshake files begin to be followed. */
const FOLLOW_MS = 250;

/** A client that is told of changes. */
export interface NoticeReader {
  readonly session: Session;
  announceTools(): void;
  announcePrompts(): void;
  announceResources(notice: ResourceNotice): void;
}

/** Tells clients of tools, prompts and resources that changed, whatever transport they came by. */
@injectable()
export class ClientNotices {
  constructor(
    @inject(ProtocolSurface) private readonly surface: ProtocolSurface,
    @inject(ToolRegistry) private readonly tools: ToolRegistry,
    @inject(PolicySource) private readonly policies: PolicySource,
  ) {}

  /** Returns how to stop. */
  listen(client: NoticeReader): () => void {
    const disposers = [
      this.tools.onChange(() => client.announceTools()),
      client.session.onToolsChange(() => client.announceTools()),
      this.#onOtherPolicy(() => {
        client.announceTools();
        client.announceResources({ kind: 'list-changed' });
      }),
      this.surface.prompts.onChange(() => client.announcePrompts()),
      this.surface.onResourceNotice((notice) => client.announceResources(notice)),
    ];
    return () => {
      for (const dispose of disposers) dispose();
    };
  }

  /** Follows files for a client, but not at once: the first answers come before the first look at the disk. */
  followSoon(sessionId: string): () => void {
    let stopped = false;
    let unfollow: (() => void) | undefined;
    const timer = setTimeout(() => {
      void this.surface.follow(sessionId).then((stop) => {
        if (stopped) stop();
        else unfollow = stop;
      });
    }, FOLLOW_MS).unref();
    return () => {
      stopped = true;
      clearTimeout(timer);
      unfollow?.();
    };
  }

  /** A refused edit leaves the policy in force, and so the tools and resources, as they were. */
  #onOtherPolicy(listener: () => void): () => void {
    let announced = this.policies.current();
    return this.policies.onChange((snapshot) => {
      if (snapshot.hash === announced.hash) return;
      announced = snapshot;
      listener();
    });
  }
}
