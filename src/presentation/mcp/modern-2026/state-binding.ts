import { inject, injectable } from 'inversify';
import { ArgumentDigest } from '../../../application/ports/audit/argument-digest-source.js';
import { PolicySource } from '../../../application/ports/permission/policy-source.js';
import { ConsumedStates } from '../../../application/ports/session/consumed-states.js';
import { canonicalJson, type TextDigest } from '../../../domain/canonical-json.js';
import { type Caller, callerKey } from '../../../domain/session/caller.js';

/** A request that may need answers of the client. */
export interface AskingRequest {
  readonly caller: Caller;
  readonly method: string;
  /** Of the tool or prompt. */
  readonly name: unknown;
  readonly arguments: unknown;
}

/** What a state is good for: one request of one caller under one policy, once. */
@injectable()
export class StateBinding {
  constructor(
    @inject(ConsumedStates) readonly consumed: ConsumedStates,
    @inject(PolicySource) private readonly policies: PolicySource,
    @inject(ArgumentDigest) private readonly digest: TextDigest,
  ) {}

  /** Equal for equal requests. */
  of({ caller, method, name, arguments: args }: AskingRequest): string {
    const { hash } = this.policies.current();
    return JSON.stringify([callerKey(caller), method, name, this.digestOf(args ?? {}), hash]);
  }

  digestOf(value: unknown): string {
    // What is nested too deep to be compared is refused by the call itself.
    return this.digest(canonicalJson(value, this.digest) ?? '');
  }
}
