import { baseName } from '../../../domain/command/program-facts.js';
import { isInterpreter } from '../../../domain/command/programs/runners.js';
import { type ConsentTerms, stricterConsent } from '../../../domain/permission/consent/consent.js';
import type { CommandRule } from '../../../domain/permission/policy/command-rules.js';
import {
  isStricter,
  LIMIT_NAMES,
  type Limits,
  type SandboxProfile,
  stricterSandbox,
} from '../../../domain/permission/policy/obligations.js';
import type { ToolRules } from '../../../domain/permission/policy/policy-layer.js';
import { NO_SANDBOX } from '../compile/merge-policies.js';
import type { EffectsSubject, Report } from './effects-subject.js';

export function checkCommandRules({ layer }: EffectsSubject, report: Report): void {
  for (const tool of layer.tools.values()) {
    for (const rule of tool.allowedCommands.rules) {
      checkNetwork(tool, rule, report);
      checkSandbox(tool, rule, layer.sandboxes, report);
      checkLimits(tool, rule, report);
      checkInterpreter(rule, report);
      if (rule.consent !== undefined) checkConsent(tool, rule.consent, report);
    }
    for (const rule of tool.deniedCommands.rules) checkExceptions(rule, report);
    for (const { consent } of tool.allowedPaths.rules) {
      if (consent !== undefined) checkConsent(tool, consent, report);
    }
  }
}

function checkNetwork({ obligations: { sandbox } }: ToolRules, rule: CommandRule, report: Report): void {
  const { network } = rule;
  if (network === undefined) return;
  if (sandbox !== undefined && isStricter(sandbox.network, network)) {
    const message = `network: ${network} has no effect: the sandbox ${sandbox.name} says network: ${sandbox.network}.`;
    report(
      rule.at,
      message,
      `Take network out of sandboxes.${sandbox.name}; the entry's own network is none already.`,
    );
  } else if (network !== 'full' && sandbox === undefined) {
    const message = `network: ${network} has no effect: these commands run without a sandbox.`;
    report(rule.at, message, 'Name a sandbox at the entry, such as sandbox: readonly.');
  }
}

/** A rule can only be stricter than its entry. */
function checkSandbox(
  { tool, obligations: { sandbox: own } }: ToolRules,
  { sandbox: name, at }: CommandRule,
  sandboxes: ReadonlyMap<string, SandboxProfile>,
  report: Report,
): void {
  if (name === undefined) return;
  const hint = `Put the wider one at ${tool} itself and stricter ones at the rules.`;
  if (name === NO_SANDBOX) {
    if (own !== undefined)
      report(at, 'sandbox: none at a rule has no effect: its entry names a sandbox.', hint);
    return;
  }
  const wanted = sandboxes.get(name);
  if (own === undefined || wanted === undefined || own.name === name) return;
  const { name: _, ...met } = stricterSandbox(own, wanted) ?? own;
  const isSame =
    met.write.length === own.write.length &&
    own.write.every((folder) => met.write.includes(folder)) &&
    own.read.every((folder) => met.read.includes(folder)) &&
    met.hide.length === own.hide.length &&
    met.network === own.network &&
    met.seccomp === own.seccomp;
  if (isSame)
    report(at, `sandbox: ${name} has no effect: it is no stricter than ${own.name} of ${tool}.`, hint);
}

const LIMIT_KEYS: Readonly<Record<keyof Limits, string>> = {
  timeoutMs: 'timeout',
  maxInputBytes: 'max_input_bytes',
  maxOutputBytes: 'max_output_bytes',
  maxFileBytes: 'max_file_bytes',
  memoryBytes: 'memory',
  processes: 'processes',
  openFiles: 'open_files',
  diskBytes: 'disk',
  concurrency: 'concurrency',
};

function checkLimits(
  { tool, obligations }: ToolRules,
  { limits = {}, at }: CommandRule,
  report: Report,
): void {
  for (const name of LIMIT_NAMES) {
    const own = limits[name];
    const bound = obligations.limits[name];
    if (own === undefined || bound === undefined || own <= bound) continue;
    const message = `${LIMIT_KEYS[name]} of this rule has no effect: ${tool} allows less.`;
    report(
      at,
      message,
      `The smallest wins: raise it at ${tool} (or defaults) and lower it at the other rules.`,
    );
  }
}

function checkInterpreter({ tokens, interpreter, at }: CommandRule, report: Report): void {
  const names = (tokens[0] ?? []).map(baseName);
  if (interpreter === undefined || names.some(isInterpreter)) return;
  const message = `interpreter has no effect: ${names.join(', ')} is none that we know.`;
  report(at, message, 'Leave it out; the program is allowed without it.');
}

function checkConsent({ tool, consent: own }: ToolRules, consent: ConsentTerms, report: Report): void {
  if (consent.at === undefined || consent.mode === own.mode) return;
  if (stricterConsent(own, consent) !== own) return;
  const message = `consent: ${consent.mode} has no effect: ${tool} says ${own.mode}, and the stricter one wins.`;
  report(consent.at, message, `Leave ${own.mode} out at ${tool} and put it at the rules that should ask.`);
}

function checkExceptions({ tokens, except = [], at }: CommandRule, report: Report): void {
  for (const exception of except) {
    const meets = tokens.every((words, index) => {
      const others = exception[index];
      if (others === undefined) return index > 0;
      const names = index === 0 ? others.map(baseName) : others;
      return words.some(
        (word) => word === '*' || names.includes('*') || names.includes(index === 0 ? baseName(word) : word),
      );
    });
    if (meets) continue;
    const shown = exception.map((words) => words.join('|')).join(' ');
    const message = `The exception ${shown} excepts nothing: the rule does not match it.`;
    report(at, message, 'Begin it with the words of the rule.');
  }
}
