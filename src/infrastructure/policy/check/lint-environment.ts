import { choosesCode } from '../../../domain/command/code-choosing-variables.js';
import type { PolicyLayer } from '../../../domain/permission/policy/policy-layer.js';
import type { RulePosition } from '../../../domain/permission/policy/rule-position.js';

type Report = (at: RulePosition, message: string, hint?: string) => void;

/** Variables that decide what code runs. They stay inside the sandbox, but rules about programs no longer bind there. */
export function lintEnvironment({ tools }: PolicyLayer, report: Report): void {
  for (const { tool, at, obligations } of tools.values()) {
    const { accept, pass, set } = obligations.env;
    const accepted = accept.filter(choosesCode);
    if (accepted.length > 0) {
      report(
        at,
        `env.accept of ${tool}: ${accepted.join(', ')} can change which code a program runs, and callers may set it.`,
        'Rules about programs do not apply to that code; only the sandbox does. Remove it, or set the value in env.set.',
      );
    }
    const given = [...pass, ...Object.keys(set)].filter(choosesCode);
    if (given.length > 0) {
      report(
        at,
        `env of ${tool}: ${given.join(', ')} decides what code every command runs.`,
        'Make sure that it names nothing in the workspace, where commands can write.',
      );
    }
  }
}
