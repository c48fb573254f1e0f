import { inject, injectable, multiInject } from 'inversify';
import type { Permit } from '../../domain/permission/policy/decision.js';
import type { ResourceContents, ResourceEntry, ResourceTemplate } from '../../domain/resource/resource.js';
import { Result } from '../../domain/result.js';
import type { Session } from '../../domain/session/session.js';
import { parseToolName } from '../../domain/tool/tool-name.js';
import { type FoundResource, ResourceJournal } from '../call/pipeline/resource-journal.js';
import { PolicySource } from '../ports/permission/policy-source.js';
import { ResourceProvider } from '../ports/resource/resource-provider.js';
import { SessionStore } from '../ports/session/session-store.js';
import { type Paged, pageAfter } from '../tool/page-cursor.js';

const MAX_PAGES = 100;

interface PermittedProvider {
  readonly provider: ResourceProvider;
  readonly permit: Permit | 'none needed';
}

/** All resources of all families. */
@injectable()
export class ResourceCatalogue {
  constructor(
    @inject(SessionStore) private readonly sessions: SessionStore,
    @inject(PolicySource) private readonly policies: PolicySource,
    @inject(ResourceJournal) private readonly journal: ResourceJournal,
    @multiInject(ResourceProvider) private readonly providers: readonly ResourceProvider[],
  ) {}

  async list(sessionId: string, cursor?: string): Promise<Result<Paged<ResourceEntry>>> {
    const session = this.session(sessionId);
    if (!session.success) return session;
    const lists = await Promise.all(
      this.open(session.value).map(async (provider) =>
        (await provider.list(session.value)).map((entry) => ({ entry, provider })),
      ),
    );
    const page = pageAfter(lists.flat(), ({ entry }) => entry.uri, cursor);
    if (!page.success) return page;
    const items = await Promise.all(
      page.value.items.map(({ entry, provider }) => provider.describe?.(entry, session.value) ?? entry),
    );
    return Result.ok({ ...page.value, items });
  }

  templates(sessionId: string, cursor?: string): Result<Paged<ResourceTemplate>> {
    const session = this.session(sessionId);
    if (!session.success) return session;
    const templates = this.open(session.value).flatMap((provider) => provider.templates());
    return pageAfter(templates, (template) => template.uriTemplate, cursor);
  }

  /** Reads a resource for a caller: recorded like a call of the tool that shows the same. */
  async read(sessionId: string, uri: string): Promise<Result<ResourceContents>> {
    const session = this.session(sessionId);
    if (!session.success) return session;
    return this.journal.read(session.value, uri, () => this.find(session.value, uri));
  }

  /** Returns true if it could be read. Not recorded, so its content must not be shown. */
  async has(sessionId: string, uri: string): Promise<Result<void>> {
    const session = this.session(sessionId);
    if (!session.success) return session;
    const { contents } = await this.find(session.value, uri);
    return contents.success ? Result.ok(undefined) : contents;
  }

  private async find(session: Session, uri: string): Promise<FoundResource> {
    for (const { provider, permit } of this.permitted(session)) {
      const contents = await provider.read(uri, session);
      if (contents !== undefined) return { contents, permit };
    }
    const message = `There is no resource ${uri.slice(0, 200)}; resources/list shows the available ones.`;
    return { contents: Result.failure(message, 'NotFound'), permit: undefined };
  }

  /** Addresses that match a pattern with a star, at most one more than `limit`. */
  async matching(sessionId: string, pattern: string, limit: number): Promise<readonly string[]> {
    const [start = '', ...rest] = pattern.split('*');
    const end = rest.at(-1) ?? '';
    const found: string[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < MAX_PAGES && found.length <= limit; page += 1) {
      const listed = await this.list(sessionId, cursor);
      if (!listed.success) return found;
      const uris = listed.value.items.map((entry) => entry.uri);
      found.push(...uris.filter((uri) => uri.startsWith(start) && uri.endsWith(end)));
      cursor = listed.value.nextCursor;
      if (cursor === undefined) break;
    }
    return found;
  }

  /** Starts following changes, for a client that receives notifications. */
  async follow(): Promise<void> {
    await Promise.all(this.providers.map((provider) => provider.follow?.()));
  }

  async complete(
    sessionId: string,
    template: string,
    variable: string,
    typed: string,
  ): Promise<Result<readonly string[]>> {
    const session = this.session(sessionId);
    if (!session.success) return session;
    const values = await Promise.all(
      this.open(session.value).map((provider) => provider.complete(template, variable, typed, session.value)),
    );
    return Result.ok(values.flat());
  }

  private open(session: Session): readonly ResourceProvider[] {
    return this.permitted(session).map(({ provider }) => provider);
  }

  /** Families whose content the caller could also get from a tool. */
  private permitted(session: Session): readonly PermittedProvider[] {
    const { policy } = this.policies.current();
    const { caller } = session;
    return this.providers.flatMap((provider): readonly PermittedProvider[] => {
      const { tool } = provider;
      if (tool === undefined) return [{ provider, permit: 'none needed' }];
      const name = parseToolName(tool);
      if (!name.success || !session.canSee(name.value)) return [];
      const decision = policy.decide({ caller, tool, arguments: {}, requests: [] });
      return decision.effect === 'allow' ? [{ provider, permit: decision }] : [];
    });
  }

  private session(id: string): Result<Session> {
    return (
      this.sessions.get(id)?.checkReady() ??
      Result.failure('There is no such session; open one first.', 'SessionNotReady')
    );
  }
}
