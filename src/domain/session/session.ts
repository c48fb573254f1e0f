import { Result } from '../result.js';
import type { ToolName } from '../tool/tool-name.js';
import type { Toolset } from '../tool/toolset.js';
import type { Caller } from './caller.js';

export type SessionState = 'created' | 'ready' | 'closed';

export interface ClientInfo {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
  /** True if the client offers its model (sampling). */
  readonly sampling?: boolean;
}

/** One conversation with one caller: its identity, its client, and the tools it may see. */
export class Session {
  #state: SessionState = 'created';
  #client: ClientInfo | undefined;
  readonly #hidden = new Set<ToolName>();
  readonly #toolsets = new Set<Toolset>();
  #choseToolsets = false;
  readonly #listeners = new Set<() => void>();

  private constructor(
    readonly id: string,
    readonly caller: Caller,
  ) {}

  static create(id: string, caller: Caller): Session {
    return new Session(id, caller);
  }

  get state(): SessionState {
    return this.#state;
  }

  get client(): ClientInfo | undefined {
    return this.#client;
  }

  initialize(client: ClientInfo): Result<Session> {
    if (this.#state === 'closed') {
      return Result.failure('The session is closed; open a new one.', 'SessionClosed');
    }
    this.#client = client;
    this.#state = 'ready';
    return Result.ok(this);
  }

  close(): void {
    this.#state = 'closed';
  }

  /** Fails unless the session is initialised and not closed. */
  checkReady(): Result<Session> {
    switch (this.#state) {
      case 'ready':
        return Result.ok(this);
      case 'created':
        return Result.failure('The session is not initialized; send initialize first.', 'SessionNotReady');
      case 'closed':
        return Result.failure('The session is closed; open a new one.', 'SessionClosed');
    }
  }

  hideTool(name: ToolName): void {
    if (this.#hidden.has(name)) return;
    this.#hidden.add(name);
    this.#toolsChanged();
  }

  showTool(name: ToolName): void {
    if (this.#hidden.delete(name)) this.#toolsChanged();
  }

  /** True if the client chose its toolsets, instead of those of the settings. */
  get choseToolsets(): boolean {
    return this.#choseToolsets;
  }

  hasToolset(set: Toolset): boolean {
    return this.#toolsets.has(set);
  }

  /** Only before the first list. */
  chooseToolsets(sets: readonly Toolset[]): void {
    this.#choseToolsets = true;
    this.#toolsets.clear();
    for (const set of sets) this.#toolsets.add(set);
  }

  addToolset(set: Toolset): void {
    if (this.#toolsets.has(set)) return;
    this.#toolsets.add(set);
    this.#toolsChanged();
  }

  /** Calls the listener when the session's list of tools changes; the returned function ends that. */
  onToolsChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #toolsChanged(): void {
    for (const listener of this.#listeners) listener();
  }

  canSee(name: ToolName): boolean {
    return !this.#hidden.has(name);
  }
}
