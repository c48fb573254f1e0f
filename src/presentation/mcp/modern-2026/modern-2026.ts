import { inject, injectable } from 'inversify';
import { CallerSessions } from '../../../application/session/caller-sessions.js';
import { ListToolsHandler } from '../../../application/tool/list-tools.js';
import { isJsonObject } from '../../../domain/json-value.js';
import { ClientNotices } from '../surface/client-notices.js';
import { ProtocolOptions } from '../surface/protocol-options.js';
import { ProtocolSurface } from '../surface/protocol-surface.js';
import type { ModernParts } from './modern-parts.js';
import type { ModernServing } from './modern-serving.js';
import { StateBinding } from './state-binding.js';

/** The revision without sessions. */
export const MODERN_VERSION = '2026-07-28';
/** By which a request says that it is of this revision, or of a later one. */
const VERSION_META = 'io.modelcontextprotocol/protocolVersion';

/** Loads what serves 2026-07-28 when the first such client comes. */
@injectable()
export class Modern2026 {
  readonly #parts: ModernParts;
  #serving: Promise<ModernServing> | undefined;
  #loaded: ModernServing | undefined;

  constructor(
    @inject(ProtocolSurface) surface: ProtocolSurface,
    @inject(ProtocolOptions) options: ProtocolOptions,
    @inject(CallerSessions) callers: CallerSessions,
    @inject(ClientNotices) notices: ClientNotices,
    @inject(StateBinding) binding: StateBinding,
    @inject(ListToolsHandler) tools: ListToolsHandler,
  ) {
    this.#parts = { surface, options, callers, notices, binding, tools };
  }

  serving(): Promise<ModernServing> {
    this.#serving ??= import('./modern-serving.js').then(({ ModernServing }) => {
      this.#loaded = new ModernServing(this.#parts);
      return this.#loaded;
    });
    return this.#serving;
  }

  /** Requests over HTTP that are not answered yet, subscriptions among them. */
  get underWay(): number {
    return this.#loaded?.underWay ?? 0;
  }

  /** Resolves at once where no such client ever came. */
  async drain(): Promise<void> {
    await (await this.#serving)?.drain();
  }
}

/** Whether a message says of itself that it is of this revision, or of a later one. */
export function claimsModern(message: unknown): boolean {
  if (!isJsonObject(message) || !isJsonObject(message.params)) return false;
  const meta = message.params._meta;
  return isJsonObject(meta) && VERSION_META in meta;
}
