import { isInside } from '../../../domain/permission/path/normal-path.js';
import { PathRules } from '../../../domain/permission/path/path-rules.js';
import { patternsOverlap } from '../../../domain/permission/path/pattern-overlap.js';
import { resolvePattern } from '../compile/resolve-pattern.js';
import type { PathEntry } from '../schema/policy-document.js';
import type { EffectsSubject, Report } from './effects-subject.js';

const KERNEL = ['/proc', '/sys'];

export function checkPathRules(subject: EffectsSubject, report: Report): void {
  const { tools = {}, groups = {} } = subject.document;
  for (const entry of [...Object.values(tools), groups.read, groups.write]) {
    checkTwice(entry?.allowed_paths ?? [], subject, report);
    checkTwice(entry?.denied_paths ?? [], subject, report);
    for (const rule of entry?.allowed_paths ?? []) checkAllowed(rule, subject, report);
    for (const rule of entry?.denied_paths ?? []) checkExceptions(rule, subject, report);
  }
}

/** `output` and `./output` are one path; so are a pattern and itself with other exceptions. */
function checkTwice(rules: readonly PathEntry[], { surroundings }: EffectsSubject, report: Report): void {
  const seen = new Map<string, PathEntry>();
  for (const rule of rules) {
    const pattern = resolvePattern(rule.path, surroundings);
    const first = seen.get(pattern);
    // Two files that meet may well say the same; consent and exceptions may differ on purpose.
    const isSame =
      first?.at.file === rule.at.file && first.consent === undefined && first.except === undefined;
    if (isSame && rule.consent === undefined && rule.except === undefined) {
      report(
        rule.at,
        `${rule.path} is the same as ${first.path} in line ${first.at.line}.`,
        'Remove one of them.',
      );
    }
    seen.set(pattern, first ?? rule);
  }
}

function checkAllowed({ path, at }: PathEntry, { surroundings }: EffectsSubject, report: Report): void {
  const pattern = resolvePattern(path, surroundings);
  if (KERNEL.some((folder) => isInside(pattern, folder))) {
    const message = `${path} is never opened: it is in a file system of the kernel.`;
    report(at, message, 'Remove it; system_info tells about the machine.');
  }
}

function checkExceptions(
  { path, except = [], at }: PathEntry,
  { surroundings }: EffectsSubject,
  report: Report,
): void {
  const pattern = resolvePattern(path, surroundings);
  for (const exception of except) {
    const hole = resolvePattern(exception, surroundings);
    if (!patternsOverlap(pattern, hole)) {
      const message = `The exception ${exception} excepts nothing: ${path} does not cover it.`;
      report(at, message, `Write a path below ${path}, or remove it.`);
    } else if (hole === pattern || coversAll(hole, pattern)) {
      const message = `The exception ${exception} takes back the whole rule ${path}.`;
      report(at, message, 'Remove the rule, or write a narrower exception.');
    }
  }
}

function coversAll(hole: string, pattern: string): boolean {
  if (/[*?[{]/.test(pattern)) return hole === '*';
  const compiled = PathRules.compile([{ pattern: hole, at: { file: '', line: 1, column: 1 } }]);
  return compiled.success && compiled.value.covers(pattern);
}
