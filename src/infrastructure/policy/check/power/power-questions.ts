import type { CallToDecide, DecideCall } from '../../../../application/permission/decide-call.js';
import type { AskingMode } from '../../../../domain/permission/consent/consent.js';
import type { Access } from '../../../../domain/permission/path/path-bounds.js';
import type { Decision } from '../../../../domain/permission/policy/decision.js';
import type { PermissionPolicy } from '../../../../domain/permission/policy/permission-policy.js';
import type { PermissionRequest } from '../../../../domain/permission/policy/permission-request.js';
import { LOCAL_STDIO } from '../../../../domain/session/caller.js';
import type { TestBench } from '../policy-tests.js';

/** What a call gets: refused, allowed, or allowed once a person agreed. */
export type Answered = 'deny' | 'allow' | AskingMode;

const PROBE = 'qz7probe';

/** Asks the policy about calls of one role. Every sentence of the statement of power rests on its answers. */
export class PowerQuestions {
  constructor(
    private readonly policy: PermissionPolicy,
    private readonly decideCall: DecideCall,
    private readonly requestsOf: TestBench['requestsOf'],
    private readonly role: string,
  ) {}

  path(tool: string, accesses: readonly Access[], path: string): Answered {
    const requests = accesses.map(
      (access): PermissionRequest => ({ kind: `${access}-path`, path, argument: 'path' }),
    );
    return answerOf(this.#decide(tool, requests));
  }

  /** What the tool does with the path of each of its arguments, by the tool's own word. */
  usesOf(tool: string): readonly (readonly Access[])[] {
    const given = { path: PROBE, paths: [PROBE], source: PROBE, destination: PROBE };
    const uses = new Map<string, Access[]>();
    for (const request of this.requestsOf(tool, given)) {
      if (request.kind !== 'read-path' && request.kind !== 'write-path') continue;
      const access = request.kind === 'read-path' ? 'read' : 'write';
      const known = uses.get(request.argument) ?? [];
      if (!known.includes(access)) uses.set(request.argument, [...known, access]);
    }
    return [...uses.values()];
  }

  /** The program and its arguments, exactly. */
  command(tool: string, [command = '', ...args]: readonly string[]): Decision {
    return this.#decide(tool, [{ kind: 'run-command', command, args }]);
  }

  /** A call that names no file, program or host. */
  call(tool: string): Answered {
    return answerOf(this.#decide(tool, []));
  }

  /** Whether the role has the tool at all. */
  has(tool: string): boolean {
    const decision = this.#decide(tool, []);
    return decision.effect !== 'deny' || !['ROLE', 'DISABLED', 'UNKNOWN_TOOL'].includes(decision.reason);
  }

  #decide(tool: string, requests: readonly PermissionRequest[]): Decision {
    const call: CallToDecide = { caller: LOCAL_STDIO, roles: [this.role], tool, arguments: {}, requests };
    return this.decideCall.decide(this.policy, call);
  }
}

export function answerOf(decision: Decision): Answered {
  return decision.effect === 'consent' ? decision.consent.mode : decision.effect;
}
