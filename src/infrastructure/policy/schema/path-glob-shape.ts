import { patternProblem } from '../../../domain/permission/path/path-pattern.js';
import { mapped, type Reading, type Shape, text } from '../../config/yaml-shape.js';
import type { TreePosition } from '../../config/yaml-tree.js';

const DOUBTFUL = /[[\]{}]|\*\*/;

/** A bracket or brace that nothing closes would match itself: in a policy that is a slip, not an intention. */
export const glob: Shape<string> = mapped(text, (pattern, at, reading) => {
  const problem = patternProblem(pattern);
  if (problem !== undefined) return reading.report(at, `Bad pattern: ${problem}`);
  if (!DOUBTFUL.test(pattern)) return pattern;
  for (const [open, close] of ['[]', '{}']) {
    const opened = pattern.split(open ?? '').length;
    if (opened !== pattern.split(close ?? '').length) {
      return reading.report(at, `Bad pattern ${JSON.stringify(pattern)}: ${open} and ${close} do not pair.`);
    }
  }
  const clumsy = pattern.split('/').find((part) => part.includes('**') && part !== '**');
  if (clumsy !== undefined) {
    const hint = 'Write **/name for a name at any depth, name* for names that begin so.';
    return reading.report(
      at,
      `Bad pattern ${JSON.stringify(pattern)}: ** must stand alone between slashes.`,
      hint,
    );
  }
  return pattern;
});

/** A pattern of paths, in a form that some path can match. */
export const pathGlob: Shape<string> = mapped(glob, (pattern, at, reading) =>
  checkPathForm(pattern, at, reading) ? pattern : undefined,
);

type Form = readonly [RegExp, (pattern: string) => readonly [message: string, hint: string]];

const PLACEHOLDERS = /\$\{(workspace|home)\}/g;

/** Forms that no path ever has, because paths are absolute and normal when they are compared. */
const FORMS: readonly Form[] = [
  [/^\s|\s$/, (pattern) => ['begins or ends with a blank', `Write ${JSON.stringify(pattern.trim())}.`]],
  [
    /^~[^/]/,
    () => [
      'is the home folder of another user, which is not looked up',
      'Write the whole path, or ~/ for your own home.',
    ],
  ],
  [
    /\$/,
    () => [
      'has a variable, which is not filled in',
      `Write the value itself; only \${workspace}, \${home} and ~/ are filled in.`,
    ],
  ],
  [
    /\\(?![*?[\]{}\\])/,
    (pattern) => [
      'has a backslash, which takes the next character literally',
      `Write ${JSON.stringify(pattern.replaceAll('\\', '/'))}; names are separated by /.`,
    ],
  ],
  [/[*?[\]{}][^/]*\/(?:.*\/)?\.\.?(?:\/|$)/, (pattern) => withoutDots(pattern)],
  [
    /^\*\*\/(?:.*\/)?\/./,
    (pattern) => ['has two slashes in a row', `Write ${JSON.stringify(pattern.replace(/\/+/g, '/'))}.`],
  ],
];

function withoutDots(pattern: string): readonly [string, string] {
  const rest = pattern.replace(/\/\.(?=\/|$)/g, '');
  return /(?:^|\/)\.\.(?:\/|$)/.test(rest)
    ? ['goes up from a wildcard, where no path goes', 'Write the path without .. in it.']
    : ['has a . behind a wildcard, which no path has', `Write ${JSON.stringify(rest)}.`];
}

/** For patterns and folders alike. */
export function checkPathForm(pattern: string, at: TreePosition, reading: Reading): boolean {
  const bare = pattern.replace(PLACEHOLDERS, '');
  for (const [form, explain] of FORMS) {
    if (!form.test(bare)) continue;
    const [message, hint] = explain(pattern);
    reading.report(at, `${JSON.stringify(pattern)} ${message}, so it matches nothing.`, hint);
    return false;
  }
  return true;
}
