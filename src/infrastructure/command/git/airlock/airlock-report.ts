import { basename } from 'node:path';
import type { CarryConflict, CarryReport } from '../carrier/carrier-messages.js';

const MOST_NAMED = 10;

/** What of carrying git's data is worth telling, in sentences. */
export function airlockFindings(reports: readonly CarryReport[]): readonly string[] {
  const inside = reports.flatMap((report) => report.inside);
  const conflicts = reports.flatMap((report) => report.conflicts);
  return [
    ...new Set([
      ...reports.flatMap(({ notes }) => notes),
      ...conflicts.map(conflictSentence),
      ...(inside.length === 0 ? [] : [insideSentence(inside)]),
      ...(reports.some(({ unsigned }) => unsigned) ? [UNSIGNED] : []),
      ...(reports.at(-1)?.busy ? [WAITING] : []),
    ]),
  ];
}

const UNSIGNED =
  'The user signs commits in this repository; commits made by commands are unsigned, because the key is not in the sandbox. The user signs the last one with: git commit --amend --no-edit -S';
const WAITING =
  "A lock is held in the user's git folder, so that some of git's work is only in the commands' copy yet. It passes with the next command, or with: castellan git sync";

function conflictSentence({ unit, item, kept }: CarryConflict): string {
  const where = unit === '' ? item : `${item} of ${unit}`;
  const rest = kept === undefined ? '' : ` What the command had is kept as ${kept}: git merge ${kept}`;
  return `The user changed ${where} at the same time; the user's stays, and commands see it now.${rest}`;
}

/** With the command that gives it to the user. */
function insideSentence(inside: readonly string[]): string {
  const shown = inside.slice(0, MOST_NAMED);
  const more = inside.length > MOST_NAMED ? ` and ${inside.length - MOST_NAMED} more` : '';
  const hints = [...new Set(shown.flatMap((what) => hintFor(what) ?? []))];
  return `This counts for commands only and stays out of the user's git folder, because git would run it or be led elsewhere by it: ${shown.join('; ')}${more}.${hints.length === 0 ? '' : ` If the user wants it too: ${hints.join('; ')}`}`;
}

function hintFor(what: string): string | undefined {
  const key = /config(?:\.worktree)?: ([^\s,]+)$/.exec(what)?.[1];
  if (key?.startsWith('filter.lfs')) return 'git lfs install --local';
  if (key === 'core.hookspath') return 'run the tool that set core.hooksPath (for husky: npm run prepare)';
  if (key !== undefined) return `git config ${key} VALUE`;
  const hook = /(?:^|\/)hooks\/(.+)$/.exec(what)?.[1];
  return hook === undefined
    ? undefined
    : `install the hook ${basename(hook)} outside (for example: pre-commit install)`;
}
