import {
  MAX_WORKFLOW_RESULTS,
  WORKFLOW_IDLE_MS,
  type WorkflowStore,
} from '../../application/ports/session/workflow-store.js';
import type { Logger } from '../../application/ports/system/logger.js';
import { isJsonObject } from '../../domain/json-value.js';
import type { WorkflowContext } from '../../domain/session/workflow-context.js';
import { reasonOf } from './redis-fault.js';
import { storeScript } from './redis-script.js';
import type { RedisStore } from './redis-store.js';

const MAX_KNOWN_SESSIONS = 20_000;
const CHANNEL = 'workflows';

const ADD = storeScript(`
redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[4])
redis.call('SET', KEYS[3], ARGV[3], 'PX', ARGV[4])
redis.call('PUBLISH', KEYS[4], ARGV[5])
return 1
`);

const FIND = storeScript(`
local context = redis.call('GET', KEYS[2])
if not context then return false end
redis.call('PEXPIRE', KEYS[2], ARGV[2])
redis.call('PEXPIRE', KEYS[3], ARGV[2])
return {context, redis.call('LRANGE', KEYS[3], 0, -1)}
`);

/** The results are a list of [tool, result], the latest at the end. One nested too deep for Lua goes with the next. */
const RECORD = storeScript(`
if redis.call('EXISTS', KEYS[2]) == 0 then return 0 end
for _, entry in ipairs(redis.call('LRANGE', KEYS[3], 0, -1)) do
  local isRead, known = pcall(cjson.decode, entry)
  if not isRead or known[1] == ARGV[3] then redis.call('LREM', KEYS[3], 0, entry) end
end
redis.call('RPUSH', KEYS[3], ARGV[4])
redis.call('LTRIM', KEYS[3], -ARGV[5], -1)
redis.call('PEXPIRE', KEYS[2], ARGV[2])
redis.call('PEXPIRE', KEYS[3], ARGV[2])
return 1
`);

/** Workflows that any instance can go on with. Most sessions have none, and do not ask Redis for each call. */
export class RedisWorkflowStore implements WorkflowStore {
  /** The latest workflow of each session, or that it has none; kept right by what others announce. */
  readonly #latest = new Map<string, string | undefined>();

  constructor(
    private readonly store: RedisStore,
    private readonly logger: Logger,
  ) {
    store.listen(CHANNEL, (text) => this.#heard(text));
    // What was announced while we were away was not heard.
    store.onJoin(() => this.#latest.clear());
  }

  async add(context: WorkflowContext): Promise<void> {
    const { toolResults: _, ...facts } = context;
    const { id, sessionId } = context;
    const keys = [
      this.store.key('workflow', id),
      this.store.key('latest', sessionId),
      this.store.key(CHANNEL),
    ];
    const args = [JSON.stringify(facts), id, WORKFLOW_IDLE_MS, JSON.stringify([sessionId, id])];
    await this.#tried(() => this.store.decide(ADD, keys, args));
    this.#know(sessionId, id);
  }

  async find(id: string): Promise<WorkflowContext | undefined> {
    const keys = [this.store.key('workflow', id), this.store.key('results', id)];
    const found = await this.#tried(() => this.store.decide(FIND, keys, [WORKFLOW_IDLE_MS]));
    if (!Array.isArray(found)) return undefined;
    const [facts, results] = found;
    return contextOf(String(facts), Array.isArray(results) ? results.map(String) : []);
  }

  latest(sessionId: string): string | undefined | Promise<string | undefined> {
    return this.#latest.has(sessionId) ? this.#latest.get(sessionId) : this.#askLatest(sessionId);
  }

  async record(id: string, tool: string, result: unknown): Promise<void> {
    const keys = [this.store.key('workflow', id), this.store.key('results', id)];
    const args = [WORKFLOW_IDLE_MS, tool, JSON.stringify([tool, result]), MAX_WORKFLOW_RESULTS];
    await this.#tried(() => this.store.decide(RECORD, keys, args));
  }

  async #askLatest(sessionId: string): Promise<string | undefined> {
    try {
      const id = await this.store.command('GET', this.store.key('latest', sessionId));
      this.#know(sessionId, typeof id === 'string' ? id : undefined);
    } catch (error) {
      this.logger.debug(`Workflows are not known: ${reasonOf(error)}`);
    }
    return this.#latest.get(sessionId);
  }

  #heard(text: string): void {
    const [sessionId, id]: unknown[] = JSON.parse(text);
    if (typeof sessionId === 'string' && typeof id === 'string' && this.#latest.has(sessionId))
      this.#know(sessionId, id);
  }

  #know(sessionId: string, id: string | undefined): void {
    this.#latest.delete(sessionId);
    this.#latest.set(sessionId, id);
    const [oldest] = this.#latest.keys();
    if (this.#latest.size > MAX_KNOWN_SESSIONS && oldest !== undefined) this.#latest.delete(oldest);
  }

  async #tried(ask: () => Promise<unknown>): Promise<unknown> {
    try {
      return await ask();
    } catch (error) {
      this.logger.debug(`A workflow was not reached: ${reasonOf(error)}`);
      return undefined;
    }
  }
}

function contextOf(text: string, results: readonly string[]): WorkflowContext | undefined {
  const facts: unknown = JSON.parse(text);
  if (!isContext(facts)) return undefined;
  const toolResults = new Map<string, unknown>();
  for (const entry of results) {
    const [tool, result]: unknown[] = JSON.parse(entry);
    if (typeof tool === 'string') toolResults.set(tool, result);
  }
  return { ...facts, toolResults };
}

/** Only our own instances write there. */
function isContext(value: unknown): value is Omit<WorkflowContext, 'toolResults'> {
  return (
    isJsonObject(value) &&
    typeof value.id === 'string' &&
    typeof value.sessionId === 'string' &&
    typeof value.callerId === 'string' &&
    typeof value.promptName === 'string' &&
    isJsonObject(value.promptArgs)
  );
}
