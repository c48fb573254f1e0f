import type { CommandPlan } from '../../command/command-plan.js';
import { type ShellMode, stricterShell } from '../../command/shell-mode.js';
import type { Result } from '../../result.js';
import type { Caller } from '../../session/caller.js';
import { smallest } from '../consent/consent.js';
import { hiddenIn, isUnchangeable } from '../path/check-paths.js';
import { type BackgroundRule, stricterBackground } from './background-rule.js';
import { checkAdmission } from './check/check-tool.js';
import { type NetworkReach, networkReachOf } from './command-obligations.js';
import { allowsAnyProgram } from './command-rules.js';
import type { Decision, DecisionRequest, DecisionStep, Denial } from './decision.js';
import { fitsFullShell, wholeProgramsOf } from './full-shell-terms.js';
import { decideLayer, type LayerPermit, type StepSink } from './layer-decision.js';
import {
  type AuditArguments,
  DEFAULT_MAX_INPUT_BYTES,
  type EnvironmentRules,
  narrowerEnvironment,
  type RateRule,
  slowerRate,
  stricterArguments,
  USUAL_AUDIT_ARGUMENTS,
} from './obligations.js';
import { ownTmpViewOf, type PathView, pathViewOf } from './path-view.js';
import { type PolicyLayer, rulesFor, type ToolRules } from './policy-layer.js';
import { type PatternView, patternsOf } from './policy-patterns.js';
import { principalFolders, principalOf, rolesOf, workspaceTemplateOf } from './policy-roles.js';
import { settle, stricterPermit } from './settle-permit.js';
import { adviceOn } from './suggest/advice.js';
import { networkAdvice } from './suggest/network-additions.js';
import { couldUse, type RoleGrant, roleGrants } from './tool-reach.js';
import { fillWorkspaceTemplate } from './workspace-template.js';

/** The active policy: one file with everything it extends, and any number of ceilings that must all agree. */
export class PermissionPolicy {
  private readonly layers: readonly PolicyLayer[];
  private readonly views = new Map<string, PathView>();

  constructor(
    private readonly base: PolicyLayer,
    private readonly ceilings: readonly PolicyLayer[] = [],
    /** Added to every refusal: why the policy may not be the one that its author expects. */
    private readonly notice?: string,
  ) {
    this.layers = [base, ...ceilings];
  }

  withNotice(notice: string): PermissionPolicy {
    return new PermissionPolicy(this.base, this.ceilings, notice);
  }

  /** Deny beats consent, consent beats allow, silence denies. The same request gets the same decision. */
  decide(request: DecisionRequest, steps?: StepSink): Decision {
    let merged: LayerPermit | undefined;
    for (const layer of this.layers) {
      const verdict = decideLayer(layer, request, steps);
      if (verdict.effect === 'deny') return verdict;
      merged = merged === undefined ? verdict : stricterPermit(merged, verdict);
    }
    if (merged === undefined) throw new Error('A policy without layers cannot decide.');
    return settle(merged, request, this.base.name, steps);
  }

  /** Adds the lines that would allow exactly this call, if lines can allow it. */
  advised(denial: Denial, request: DecisionRequest): Denial {
    return this.noted({ ...denial, hint: `${denial.hint}${adviceOn(this.layers, denial, request)}` });
  }

  /** The same for a command that ran without network. */
  networkAdvice(tool: string, missing: CommandPlan | readonly string[]): string {
    return networkAdvice(this.base, this.rulesOf(tool), missing);
  }

  explain(request: DecisionRequest): {
    readonly decision: Decision;
    readonly steps: readonly DecisionStep[];
  } {
    const steps: DecisionStep[] = [];
    const decision = this.decide(request, (step) => steps.push(step));
    return { decision, steps };
  }

  /** The refusal of a tool whatever its arguments, which a caller that may not know it must not learn. */
  admission(caller: Caller, tool: string): Denial | undefined {
    for (const layer of this.layers) {
      const denial = checkAdmission(layer, caller, tool);
      if (denial !== undefined) return this.noted(denial);
    }
    return undefined;
  }

  private noted(denial: Denial): Denial {
    return this.notice === undefined ? denial : { ...denial, hint: `${denial.hint} ${this.notice}` };
  }

  /** Returns true if a principal has this key (`sha256:` and its hash). */
  knowsApiKey(hash: string): boolean {
    return this.base.principals?.some((rule) => rule.apiKeyHash === hash) ?? false;
  }

  /** The directory of this caller, or why it has none; undefined: the server's workspace. */
  workspaceOf(caller: Caller): Result<string> | undefined {
    const template = workspaceTemplateOf(this.base, caller);
    return template === undefined ? undefined : fillWorkspaceTemplate(template, caller);
  }

  /** Directories whose contents callers can change, as the policy writes them. */
  principalFolders(): readonly string[] {
    return principalFolders(this.base);
  }

  /** The caller's name in logs, audit and metrics, and its roles; undefined without principals. */
  principalOf(caller: Caller) {
    return principalOf(this.base, caller);
  }

  /** How much of the arguments the audit keeps for calls that are not granted. */
  get auditArguments(): AuditArguments {
    return this.layers
      .map((layer) => layer.auditArguments ?? USUAL_AUDIT_ARGUMENTS)
      .reduce(stricterArguments);
  }

  rolesOf(caller: Caller): readonly string[] {
    return rolesOf(this.base, caller);
  }

  /** Returns true if some arguments could be allowed: decides what tools/list shows. */
  couldAllow(caller: Caller, tool: string): boolean {
    return couldUse(this.layers, (layer) => rolesOf(layer, caller), tool);
  }

  /** For each role that the policy names, the one of every caller included, which of these tools it could use. */
  grants(tools: readonly string[]): readonly RoleGrant[] {
    return roleGrants(this.layers, this.base, tools);
  }

  /** The strictest of all layers that set it. Scripts need a real sandbox and no list of programs. */
  shellModeOf(tool: string): ShellMode {
    const [own, ...above] = this.rulesOf(tool).map((rules) => rules?.shell);
    const mode = above.filter((said) => said !== undefined).reduce(stricterShell, own ?? 'static');
    if (mode !== 'full') return mode;
    const fits = this.rulesOf(tool).every((rules) => rules !== undefined && fitsFullShell(rules));
    return fits ? 'full' : 'static';
  }

  /** Programs that no command of this tool may open if scripts are allowed. */
  deniedPrograms(tool: string): readonly string[] {
    if (this.shellModeOf(tool) !== 'full') return [];
    const wholeOf = (layer: PolicyLayer, rules = rulesFor(layer, tool)) =>
      rules === undefined ? [] : wholeProgramsOf(rules, layer);
    return [...new Set(this.layers.flatMap((layer) => wholeOf(layer)))];
  }

  /** The slowest of all layers that set it. */
  rateOf(tool: string): RateRule | undefined {
    const rates = this.rulesOf(tool).map((rules) => rules?.obligations.rate);
    return rates.reduce(slowerRate);
  }

  /** Whether programs of this tool have the network, before a command is known. */
  networkReachOf(tool: string): NetworkReach {
    return networkReachOf(this.rulesOf(tool));
  }

  /** True only if all layers agree. */
  gitMayRestore(tool: string): boolean {
    return this.rulesOf(tool).every((rules) => rules?.gitMayRestore === true);
  }

  /** Which processes may outlive their call: only if all layers agree; the strictest limits. */
  backgroundOf(tool: string): BackgroundRule | undefined {
    const [first, ...rest] = this.rulesOf(tool).map((rules) => rules?.background);
    return rest.reduce(stricterBackground, first);
  }

  /** Denies and allows of one tool, decided on the path alone; with what a person has opened for one call. */
  viewFor(tool: string, opened: readonly string[] = []): PathView {
    if (opened.length > 0) return pathViewOf(this.layers, tool, opened);
    const view = this.views.get(tool) ?? pathViewOf(this.layers, tool);
    this.views.set(tool, view);
    return view;
  }

  /** The same in the /tmp of a session. */
  ownTmpViewFor(tool: string): PathView {
    return ownTmpViewOf(this.layers, tool);
  }

  /** For views without a tool, such as a library of documents: what is denied to all that reveals files. */
  hides(path: string): boolean {
    const slash = path.lastIndexOf('/');
    return this.hidesIn(path.slice(0, slash) || '/')(path.slice(slash + 1));
  }

  hidesIn(folder: string): (name: string) => boolean {
    const checks = this.layers.map((layer) => hiddenIn(layer, folder));
    return (name) => checks.some((hides) => hides(name));
  }

  /** The same for everything that changes files. */
  preserves(path: string): boolean {
    return this.layers.some((layer) => isUnchangeable(layer, path));
  }

  /** The variables that a tool's programs get; a tool without an entry gets none. */
  environmentOf(tool: string): EnvironmentRules {
    const [first, ...rest] = this.rulesOf(tool).map((rules) => rules?.obligations.env ?? NO_ENVIRONMENT);
    return rest.reduce(narrowerEnvironment, first ?? NO_ENVIRONMENT);
  }

  /** For callers that learn only from the answer which model gave it. */
  allowsModel(tool: string, model: string): boolean {
    return this.rulesOf(tool).every(
      (rules) => rules !== undefined && (rules.allowedModels?.allows(model) ?? true),
    );
  }

  /** The maximum size of a call's arguments. */
  maxInputBytesOf(tool: string): number {
    const said = this.rulesOf(tool).map((rules) => rules?.obligations.limits.maxInputBytes);
    return said.reduce(smallest, undefined) ?? DEFAULT_MAX_INPUT_BYTES;
  }

  /** True if every program is allowed on purpose: then the sandbox decides, not options and names. */
  allowsAnyProgram(tool: string): boolean {
    return this.rulesOf(tool).every((rules) => rules?.allowedCommands.rules.some(allowsAnyProgram) ?? false);
  }

  /** Directories that commands may write in some sandbox of the policy. */
  sandboxWrites(): readonly string[] {
    return this.layers.flatMap((layer) => [...layer.sandboxes.values()].flatMap(({ write }) => write));
  }

  /** What every view of the disk must hide or protect; with a tool, its own denies as well. */
  patterns(tool?: string): PatternView {
    const own = (tool === undefined ? [] : this.rulesOf(tool)).flatMap(
      (rules) => rules?.deniedPaths.rules ?? [],
    );
    return patternsOf(this.layers, own);
  }

  rulesOf(tool: string): readonly (ToolRules | undefined)[] {
    return this.layers.map((layer) => rulesFor(layer, tool));
  }
}

const NO_ENVIRONMENT: EnvironmentRules = { pass: [], set: {}, accept: [] };
