import type { PolicySnapshot, PolicySource } from '../application/ports/permission/policy-source.js';
import { PathRules } from '../domain/permission/path/path-rules.js';
import { CommandRules } from '../domain/permission/policy/command-rules.js';
import type { Decision } from '../domain/permission/policy/decision.js';
import type { Obligations } from '../domain/permission/policy/obligations.js';
import type { PathView } from '../domain/permission/policy/path-view.js';
import { PermissionPolicy } from '../domain/permission/policy/permission-policy.js';
import type { PolicyLayer } from '../domain/permission/policy/policy-layer.js';

const NO_COMMANDS = new CommandRules([], '/');

const NOTHING: PolicyLayer = {
  name: 'testing',
  workspace: '/',
  roles: new Map(),
  tools: new Map(),
  knownTools: new Map(),
  sandboxes: new Map(),
  builtin: {
    never: PathRules.NONE,
    neverWritten: PathRules.NONE,
    secrets: PathRules.NONE,
    credentialConfigs: PathRules.NONE,
    protected: PathRules.NONE,
  },
  hiddenPaths: PathRules.NONE,
  unchangeablePaths: PathRules.NONE,
  bounds: {},
  deniedCommands: NO_COMMANDS,
};

const NO_OBLIGATIONS: Obligations = {
  limits: {},
  timeoutNamed: false,
  sandbox: undefined,
  sandboxUnavailable: 'none',
  network: 'none',
  env: { pass: [], set: {}, accept: [] },
  consentUnavailable: 'deny',
  auditRequired: false,
  auditArguments: 'hashed',
  redactResults: false,
};

/** Allows everything to everybody and asks nobody: for tests of a tool, where the policy is not the subject. */
class EverythingAllowed extends PermissionPolicy {
  constructor(private readonly obligations: Obligations) {
    super(NOTHING);
  }

  override decide(): Decision {
    return { effect: 'allow', rule: { file: 'testing', line: 1, column: 1 }, obligations: this.obligations };
  }

  override admission(): undefined {
    return undefined;
  }

  override allowsModel(): boolean {
    return true;
  }

  override couldAllow(): boolean {
    return true;
  }

  override viewFor(): PathView {
    return { canRead: () => true, canWrite: () => true, readableIn: () => () => true };
  }
}

/** A policy that allows everything and never changes; what a call must keep to may be given. */
export class OpenPolicy implements PolicySource {
  readonly #snapshot: PolicySnapshot;

  constructor(obligations: Partial<Obligations> = {}) {
    this.#snapshot = {
      policy: new EverythingAllowed({ ...NO_OBLIGATIONS, ...obligations }),
      hash: 'testing',
      origin: [],
      warnings: [],
      problems: [],
      redaction: { builtin: [], patterns: [], results: false },
    };
  }

  current(): PolicySnapshot {
    return this.#snapshot;
  }

  onChange(): () => void {
    return () => {};
  }
}
