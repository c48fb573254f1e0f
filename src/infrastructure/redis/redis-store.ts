import { createHmac } from 'node:crypto';
import type { Logger } from '../../application/ports/system/logger.js';
import { InstanceLease } from './instance-lease.js';
import { JOIN, joinRefusal, STORE_SCHEMA } from './join-scripts.js';
import { checkKind, RedisConnections } from './redis-connections.js';
import { reasonOf, StoreRefused, StoreUnavailable } from './redis-fault.js';
import { type RedisScript, STALE } from './redis-script.js';

export interface RedisPlace {
  /** May hold a password: never shown. */
  readonly url: string;
  /** Instances with the same name are one service. */
  readonly service: string;
  /** Known to the instances alone. */
  readonly secret: string;
  readonly instance: string;
  readonly version: string;
}

export type StoreState = 'connecting' | 'joined' | 'lost' | 'refused';

/** `same`: the store that we knew. `new`: our first, or one that replaced it and has nothing of what it held. */
export type JoinKind = 'same' | 'new';

const BEAT_MS = 1500;
const FIRST_JOIN_MS = 3000;

/** What all instances share: one Redis, joined by each of them, under one prefix. */
export class RedisStore {
  readonly instance: string;
  readonly lease: InstanceLease;
  readonly #prefix: string;
  readonly #channels = new Map<string, (text: string) => void>();
  readonly #joins = new Set<(kind: JoinKind) => void>();
  #connections: Promise<RedisConnections> | undefined;
  #state: StoreState = 'connecting';
  #id = '';
  #refusal: StoreRefused | undefined;
  #fault: string | undefined;
  #isAwaited = false;
  #beat: NodeJS.Timeout | undefined;
  #firstJoin: { readonly promise: Promise<void>; readonly done: () => void } | undefined;

  constructor(
    private readonly place: RedisPlace,
    private readonly logger: Logger,
  ) {
    this.instance = place.instance;
    this.lease = new InstanceLease(place.instance, place.version);
    // One hash tag: where keys are spread over slots, those of a service stay together.
    this.#prefix = `castellan:{${place.service}}:`;
  }

  get state(): StoreState {
    return this.#state;
  }

  /** Why it must not be used, where that is so. */
  get refusal(): string | undefined {
    return this.#refusal?.message;
  }

  get fault(): string | undefined {
    return this.#fault;
  }

  key(...parts: readonly string[]): string {
    return this.#prefix + parts.join(':');
  }

  /** A key derived for one purpose. */
  sign(purpose: string, text: string): string {
    return createHmac('sha256', `${this.place.secret}\n${purpose}`).update(text).digest('base64url');
  }

  /** Before the first use. */
  listen(channel: string, listener: (text: string) => void): void {
    this.#channels.set(this.key(channel), listener);
  }

  /** Calls back after every join, the first included. */
  onJoin(listener: (kind: JoinKind) => void): void {
    this.#joins.add(listener);
  }

  /** Waits a little for the first join; rejects where it was refused, and not where Redis is away. */
  async open(): Promise<void> {
    this.#isAwaited = true;
    await this.#opened();
    this.#isAwaited = false;
    if (this.#refusal !== undefined) throw this.#refusal;
  }

  /** Runs a script of storeScript(): its first key and argument are added. Rejects with StoreUnavailable. */
  async decide(
    script: RedisScript,
    keys: readonly string[],
    args: readonly (string | number)[],
  ): Promise<unknown> {
    const id = await this.joinedId();
    const connections = await this.#connect();
    try {
      return await connections.run(script, [this.key('store'), ...keys], [id, ...args]);
    } catch (error) {
      throw this.#faultOf(error, connections);
    }
  }

  /** The name of the store, another one for one that lost its memory. Rejects with StoreUnavailable. */
  async joinedId(): Promise<string> {
    if (this.#state !== 'joined') await this.#opened();
    if (this.#state !== 'joined') throw this.#refusal ?? new StoreUnavailable(this.#state);
    return this.#id;
  }

  /** A plain command; rejects with StoreUnavailable. */
  async command(name: string, ...args: readonly (string | number)[]): Promise<unknown> {
    await this.joinedId();
    try {
      return await (await this.#connect()).call(name, ...args);
    } catch (error) {
      throw new StoreUnavailable(reasonOf(error));
    }
  }

  /** The number of instances that hear it. */
  async publish(channel: string, text: string): Promise<number> {
    return Number(await this.command('PUBLISH', this.key(channel), text));
  }

  async close(): Promise<void> {
    clearInterval(this.#beat);
    const connections = await this.#connections;
    if (connections !== undefined && this.#state === 'joined') {
      const [, own = '', all = ''] = this.#leaseKeys();
      const left = [connections.call('DEL', own), connections.call('HDEL', all, this.instance)];
      await Promise.allSettled(left);
    }
    this.#state = 'lost';
    connections?.close();
  }

  #connect(): Promise<RedisConnections> {
    this.#connections ??= RedisConnections.open(this.place.url, [...this.#channels.keys()], {
      ready: () => void this.#connections?.then((connections) => this.#join(connections)),
      lost: () => this.#lost(),
      message: (channel, text) => this.#heard(channel, text),
      fault: (error) => this.#failed(error),
    });
    return this.#connections;
  }

  /** Whoever can reach Redis can say anything there. */
  #heard(channel: string, text: string): void {
    try {
      this.#channels.get(channel)?.(text);
    } catch (error) {
      this.logger.debug(`Redis: a message that is none of ours was ignored (${reasonOf(error)})`);
    }
  }

  async #opened(): Promise<void> {
    if (this.#state !== 'connecting') return;
    if (this.#firstJoin === undefined) {
      let done = () => {};
      const promise = new Promise<void>((resolve) => {
        done = resolve;
      });
      this.#firstJoin = { promise, done };
      // Nobody waits twice: after this the store counts as away until it is joined.
      setTimeout(() => {
        if (this.#state === 'connecting') this.#lost();
        done();
      }, FIRST_JOIN_MS).unref();
      await this.#connect();
    }
    await this.#firstJoin.promise;
  }

  #faultOf(error: unknown, connections: RedisConnections): StoreUnavailable {
    if (!(error instanceof Error && error.message.includes(STALE)))
      return new StoreUnavailable(reasonOf(error));
    this.#lost();
    void this.#join(connections);
    return new StoreUnavailable('it has lost what it knew');
  }

  /** Tells the others that we are alive; where we are not one of them, tries to become one. */
  #keepUp(connections: RedisConnections): void {
    connections.checkMessages();
    if (this.#state !== 'joined') void this.#join(connections);
    else this.#renew(connections).catch((error: unknown) => this.#faultOf(error, connections));
  }

  async #join(connections: RedisConnections): Promise<void> {
    this.#beat ??= setInterval(() => this.#keepUp(connections), BEAT_MS).unref();
    try {
      await checkKind(connections);
      const proof = this.sign('store', this.place.service);
      const fresh = `${this.instance}.${Date.now().toString(36)}`;
      const args = [fresh, STORE_SCHEMA, proof, this.place.version, this.#id];
      const answer = await connections.run(JOIN, [this.key('store')], args);
      const [outcome, detail, version] = Array.isArray(answer) ? answer.map(String) : [];
      if (outcome !== 'joined' || detail === undefined) throw joinRefusal(outcome, detail, version);
      await this.#joined(connections, detail);
    } catch (error) {
      this.#state = 'lost';
      this.#failed(error);
    }
    this.#firstJoin?.done();
  }

  async #joined(connections: RedisConnections, id: string): Promise<void> {
    const kind: JoinKind = this.#id === id ? 'same' : 'new';
    const isFirst = this.#id === '';
    this.#id = id;
    await this.#renew(connections);
    this.#refusal = undefined;
    this.#fault = undefined;
    this.#state = 'joined';
    if (kind === 'new' && !isFirst) this.logger.warn('Redis has lost what it held; sessions begin anew');
    for (const listener of this.#joins) listener(kind);
  }

  #renew(connections: RedisConnections): Promise<void> {
    return this.lease.renew(connections, this.#leaseKeys(), this.#id);
  }

  #leaseKeys(): readonly string[] {
    return [this.key('store'), this.key('instance', this.instance), this.key('instances')];
  }

  #failed(error: unknown): void {
    if (error instanceof StoreRefused) {
      if (!this.#isAwaited && this.#refusal?.message !== error.message) this.logger.error(error.message);
      this.#refusal = error;
      this.#state = 'refused';
      this.#firstJoin?.done();
    } else {
      this.#fault = reasonOf(error);
      this.logger.debug(`Redis: ${this.#fault}`);
    }
  }

  #lost(): void {
    if (this.#state === 'joined' || this.#state === 'connecting')
      this.logger.warn('Redis does not answer; what needs it is refused until it is back');
    this.#state = 'lost';
  }
}
