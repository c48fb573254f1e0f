import type { NamedFolder } from '../../domain/permission/path/normal-path.js';
import { isInOwnTmp } from '../../domain/permission/path/own-tmp.js';
import type {
  CanonicalRequest,
  Decision,
  DecisionRequest,
  DecisionStep,
  RefusedRequest,
} from '../../domain/permission/policy/decision.js';
import type { PermissionPolicy } from '../../domain/permission/policy/permission-policy.js';
import type { PermissionRequest } from '../../domain/permission/policy/permission-request.js';
import type { Caller } from '../../domain/session/caller.js';
import type { CommandParser } from '../ports/command/command-parser.js';
import type { ProgramLocator } from '../ports/command/program-locator.js';
import { TURN_CHARACTERS, type Turns } from '../ports/system/turns.js';
import { type CommandSurroundings, canonicalCommand, canonicalRequest } from './canonical-requests.js';

/** One call about to be made, as its caller wrote it. */
export interface CallToDecide {
  readonly caller: Caller;
  /** Replaces the caller's own roles, for the tests of a policy. */
  readonly roles?: readonly string[];
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly requests: readonly PermissionRequest[];
  /** Another program makes the call: it has the machine's /tmp, and not that of a session. */
  readonly isElsewhere?: true;
}

const COMMANDS = 'execute_command';
/** Commands longer than this take long enough to parse to delay other calls. */
const LONG_COMMAND = 4 * 1024;

/** Converts a tool's requests to their canonical form and asks the policy. */
export class DecideCall {
  #loading: Promise<void> | undefined;

  constructor(
    private readonly workspace: NamedFolder,
    private readonly parser: CommandParser,
    private readonly programs?: ProgramLocator,
    private readonly turns?: Turns,
    /** Whether sandboxes of this machine give a session a /tmp. */
    private readonly hasOwnTmp?: boolean,
  ) {}

  /** Decides on a call whose commands are not parsed yet. Long ones are parsed in a turn of their own. */
  async read(policy: PermissionPolicy, call: CallToDecide): Promise<Decision> {
    const { requests } = call;
    if (!requests.some(({ kind }) => kind === 'run-command')) return this.decide(policy, call);
    await this.load(requests);
    const decision = this.decide(policy, call);
    await this.#rest(requests);
    return decision;
  }

  /** Loads the command parser before requests with commands are decided; for long ones, waits for a turn. */
  async load(requests: readonly PermissionRequest[] = []): Promise<void> {
    this.#loading ??= this.#load().catch((error: unknown) => {
      this.#loading = undefined;
      throw error;
    });
    await this.#loading;
    await this.#rest(requests);
  }

  async #rest(requests: readonly PermissionRequest[]): Promise<void> {
    if (requests.some(isLong)) await this.turns?.take(TURN_CHARACTERS);
  }

  async #load(): Promise<void> {
    await this.parser.load();
    await this.programs?.load();
  }

  decide(policy: PermissionPolicy, call: CallToDecide): Decision {
    const request = this.#decisive(policy, call);
    return this.#complete(policy, policy.decide(request), request);
  }

  explain(
    policy: PermissionPolicy,
    call: CallToDecide,
  ): { readonly decision: Decision; readonly steps: readonly DecisionStep[] } {
    const request = this.#decisive(policy, call);
    const { decision, steps } = policy.explain(request);
    return { decision: this.#complete(policy, decision, request), steps };
  }

  /** What was decided on is what runs: the command line is not parsed a second time. */
  #complete(policy: PermissionPolicy, decision: Decision, request: DecisionRequest): Decision {
    if (decision.effect === 'deny') return policy.advised(decision, request);
    const plans = request.requests.flatMap((part) => (part.kind === 'command' ? [part.plan] : []));
    const inOwnTmp = request.requests.some(isOwnTmp);
    if (plans.length === 0 && !inOwnTmp) return decision;
    return { ...decision, ...(plans.length > 0 && { plans }), ...(inOwnTmp && { inOwnTmp }) };
  }

  /**
   * Leaves out optional requests that the policy denies, as long as one remains. The guards refuse each of
   * them again.
   */
  #decisive(policy: PermissionPolicy, call: CallToDecide): DecisionRequest {
    const asked = this.canonical(policy, call);
    if (!call.requests.some(isOptional) || policy.decide(asked).effect !== 'deny') return asked;
    const kept = call.requests.filter((request) => {
      if (!isOptional(request)) return true;
      return policy.decide(this.canonical(policy, { ...call, requests: [request] })).effect !== 'deny';
    });
    return kept.some(isOptional) ? this.canonical(policy, { ...call, requests: kept }) : asked;
  }

  /** What the call would delete, as far as a person who is asked should know. */
  deletions(policy: PermissionPolicy, call: CallToDecide): readonly string[] {
    return this.canonical(policy, call).requests.flatMap((request) => {
      if (request.kind === 'command') return request.deletes ?? [];
      return request.kind === 'write' && request.deletes && !isOwnTmp(request) ? [request.path] : [];
    });
  }

  canonical(policy: PermissionPolicy, call: CallToDecide): DecisionRequest {
    return {
      caller: call.caller,
      ...(call.roles && { roles: call.roles }),
      tool: call.tool,
      arguments: call.arguments,
      requests: call.requests.map((request) =>
        request.kind === 'run-command'
          ? canonicalCommand(request, this.#surroundings(policy, call.tool))
          : this.#placed(canonicalRequest(request, this.workspace), policy, call),
      ),
    };
  }

  /** A path in /tmp is in the session's, as it is for commands. */
  #placed(
    request: CanonicalRequest | RefusedRequest,
    policy: PermissionPolicy,
    { caller, tool, isElsewhere }: CallToDecide,
  ): CanonicalRequest | RefusedRequest {
    if (request.kind !== 'read' && request.kind !== 'write') return request;
    if (this.hasOwnTmp !== true || isElsewhere || !request.path.startsWith('/tmp')) return request;
    if (!givesOwnTmp(policy, caller)) return request;
    const isOwn = isInOwnTmp(request.path, this.workspace.root, policy.viewFor(tool));
    return isOwn ? { ...request, inOwnTmp: true } : request;
  }

  #surroundings(policy: PermissionPolicy, tool: string): CommandSurroundings {
    const { programs } = this;
    return {
      workspace: this.workspace.root,
      named: this.workspace.named,
      shell: policy.shellModeOf(tool),
      parser: this.parser,
      anyProgram: policy.allowsAnyProgram(tool),
      ...(programs && {
        locate: (program: string, directory: string) => programs.locate(program, directory, tool, policy),
      }),
    };
  }
}

/** Whether commands of this caller are contained, and so have a /tmp of their own if the machine can give them one. */
function givesOwnTmp(policy: PermissionPolicy, caller: Caller): boolean {
  const isContained = policy.rulesOf(COMMANDS).some((rules) => rules?.obligations.sandbox !== undefined);
  return isContained && policy.couldAllow(caller, COMMANDS);
}

function isOwnTmp(request: CanonicalRequest | RefusedRequest): boolean {
  return (request.kind === 'read' || request.kind === 'write') && request.inOwnTmp === true;
}

function isLong(request: PermissionRequest): boolean {
  if (request.kind !== 'run-command') return false;
  const { command, args = [] } = request;
  return args.reduce((sum, word) => sum + word.length, command.length) > LONG_COMMAND;
}

function isOptional(request: PermissionRequest): boolean {
  return request.kind === 'read-path' && request.optional === true;
}
